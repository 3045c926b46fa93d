"""{"id": {"N": "12.50"}}: the type beside the value."""

import base64
from typing import Any

from skipscan.dynamodb.attribute_value import AttributeValue, from_json
from skipscan.keys.json_lines import object_decoder, object_encoder
from skipscan.keys.line_format import LineFormat, json_string


def typed(value: AttributeValue) -> str:
    """Return a key attribute's value in DynamoDB JSON."""
    ((kind, content),) = value.items()
    return f'{{"{kind}": {json_string(base64.b64encode(content).decode() if kind == "B" else content)}}}'


def read_typed(_: str, content: Any) -> AttributeValue:
    return from_json(content)


DYNAMODB_JSONL = LineFormat(
    name="dynamodb-jsonl",
    summary="with types",
    encoder=lambda source: object_encoder(source, typed),
    decoder=lambda keys: object_decoder(keys, read_typed),
)
