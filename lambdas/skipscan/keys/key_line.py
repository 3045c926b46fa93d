"""A partition key out of one line of a part: what `lines` wrote, read back exactly."""

import base64
import json
from collections.abc import Callable, Sequence

from skipscan.dynamodb.attribute_value import from_json
from skipscan.dynamodb.maximum import AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.listing.execution_input import Format

Decode = Callable[[bytes], Item]


def decoder(partition_key: Sequence[KeyAttribute], form: Format) -> Decode:
    """Return the function that reads a line as key attributes; it raises `ValueError` for what is no such line.

    Plain JSON lines say nothing of types, so those of the attributes are used; numbers keep every digit.
    """
    types = {attribute.name: attribute.type for attribute in partition_key}
    # Made once: `json.loads` would make one for every line.
    read = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str).decode

    def decode(line: bytes) -> Item:
        document = read(line.decode())
        if form is Format.DYNAMODB_IMPORT:
            document = document["Item"]
        if not isinstance(document, dict) or document.keys() != types.keys():
            raise ValueError("a line of a part holds other attributes than the run's partition key")
        if form is Format.JSONL:
            return {name: _value(types[name], content) for name, content in document.items()}
        return {name: from_json(content) for name, content in document.items()}

    return decode


def _value(kind: str, content: object) -> AttributeValue:
    if not isinstance(content, str):
        raise ValueError("a line of a part holds a value that is no string, number or binary")
    return {"B": base64.b64decode(content, validate=True)} if kind == "B" else {kind: content}
