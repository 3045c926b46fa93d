"""{"Item": {"id": {"N": "12.50"}}}: the format of DynamoDB's import from S3 (developer guide, "DynamoDB JSON")."""

from typing import Any

from skipscan.lines.dynamodb_jsonl import read_typed, typed
from skipscan.lines.json_lines import object_decoder, object_encoder, taken_decoder, taken_encoder
from skipscan.lines.line_format import LineFormat


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
