"""{"id": 12.50}: the values alone. Numbers keep every digit, binary is base64."""

import base64
import json
import re

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.keys.json_lines import object_decoder, object_encoder
from skipscan.keys.line_format import LineFormat, json_string

_JSON_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")


def _written(value: AttributeValue) -> str:
    ((kind, content),) = value.items()
    if kind == "N":
        return content if _JSON_NUMBER.fullmatch(content) else json.dumps(content)
    return json_string(content if kind == "S" else base64.b64encode(content).decode())


def _read(kind: str, content: object) -> AttributeValue:
    """Return a value by its attribute's type, of which the line says nothing."""
    if not isinstance(content, str):
        raise ValueError("a line of a part holds a value that is no string, number or binary")
    return {"B": base64.b64decode(content, validate=True)} if kind == "B" else {kind: content}


JSONL = LineFormat(
    name="jsonl",
    summary="a JSON object a line",
    encoder=lambda source: object_encoder(source, _written),
    decoder=lambda keys: object_decoder(keys, _read),
)
