"""{"id": {"N": "12.50"}}: each value with its type; and in "Item", as DynamoDB imports lines from S3.

Developer guide, "DynamoDB JSON".
"""

import base64
from typing import Any

from skipscan.dynamodb.attribute_value import AttributeValue, from_json
from skipscan.lines.json_lines import object_decoder, object_encoder, taken_decoder, taken_encoder
from skipscan.lines.line_format import LineFormat, json_string


def typed(value: AttributeValue) -> str:
    """Return a value in DynamoDB JSON."""
    ((kind, content),) = value.items()
    return f'{{"{kind}": {_content(kind, content)}}}'


def _content(kind: str, content: Any) -> str:
    match kind:
        case "S" | "N":
            return json_string(content)
        case "B":
            return json_string(base64.b64encode(content).decode())
        case "BOOL" | "NULL":
            return "true" if content else "false"
        case "L":
            return f"[{', '.join(map(typed, content))}]"
        case "M":
            return f"{{{', '.join(f'{json_string(name)}: {typed(each)}' for name, each in content.items())}}}"
    return f"[{', '.join(_content(kind[0], member) for member in content)}]"


def read_typed(_: str, content: Any) -> AttributeValue:
    return from_json(content)


DYNAMODB_JSONL = LineFormat(
    name="dynamodb-jsonl",
    summary="with types",
    encoder=lambda source: object_encoder(source, typed),
    decoder=lambda keys: object_decoder(keys, read_typed),
    taking=lambda source, _take: taken_encoder(source, typed),
    taken=lambda source, _take: taken_decoder(source.partition_key, read_typed),
)


def _item(document: Any) -> object:
    return document["Item"]


DYNAMODB_IMPORT = LineFormat(
    name="dynamodb-import",
    summary="the input format of DynamoDB's import from S3",
    encoder=lambda source: object_encoder(source, typed, '{"Item": ', "}"),
    decoder=lambda keys: object_decoder(keys, read_typed, _item),
    taking=lambda source, _take: taken_encoder(source, typed, '{"Item": ', "}"),
    taken=lambda source, _take: taken_decoder(source.partition_key, read_typed, _item),
)
