"""{"id": 12.50}: only the values. Numbers keep every digit, binary is base64."""

import base64
import json
import re
from typing import Any

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.lines.json_lines import object_decoder, object_encoder, taken_decoder, taken_encoder
from skipscan.lines.line_format import LineFormat, json_string

_JSON_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")


def _written(value: AttributeValue) -> str:
    if "S" in value:  # as most keys are, and a line is written for each
        return json_string(value["S"])
    ((kind, content),) = value.items()
    return _content(kind, content)


def _content(kind: str, content: Any) -> str:
    match kind:
        case "S" | "B":
            return json_string(content if kind == "S" else base64.b64encode(content).decode())
        case "N":
            return content if _JSON_NUMBER.fullmatch(content) else json.dumps(content)
        case "BOOL" | "NULL":
            return json.dumps(content if kind == "BOOL" else None)
        case "L":
            return f"[{', '.join(map(_written, content))}]"
        case "M":
            return f"{{{', '.join(f'{json_string(name)}: {_written(each)}' for name, each in content.items())}}}"
    return f"[{', '.join(_content(kind[0], member) for member in content)}]"


def _read(kind: str, content: object) -> AttributeValue:
    """Return a value with its attribute's type, which the line does not show."""
    if not isinstance(content, str):
        raise ValueError("a line of a part has a value that is not a string, number or binary")
    return {"B": base64.b64decode(content, validate=True)} if kind == "B" else {kind: content}


def _read_counted(kind: str, content: object) -> AttributeValue:
    """Return a member of a line with a count, as `_read` returns those of a key."""
    return {"BOOL": content} if kind == "BOOL" and isinstance(content, bool) else _read(kind, content)


JSONL = LineFormat(
    name="jsonl",
    summary="one JSON object per line",
    encoder=lambda source: object_encoder(source, _written),
    decoder=lambda keys: object_decoder(keys, _read),
    taking=lambda source, _take: taken_encoder(source, _written),
    taken=lambda source, _take: taken_decoder(source.partition_key, _read_counted),
    keeps_types=False,
)
