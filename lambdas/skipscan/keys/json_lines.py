"""JSON objects of a partition key's attributes, one a line: what the JSON formats share."""

import json
from collections.abc import Callable, Mapping, Sequence

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import PartitionKey, Source
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.keys.line_format import Decode, Encode, json_string, to_line


def object_encoder(source: Source, value: Callable[[AttributeValue], str], start: str = "", end: str = "") -> Encode:
    """Return the function that writes a key as an object, each value by `value`; `start`, `end`: stand around it."""
    names = [json_string(attribute.name) for attribute in source.partition_key]
    start, end = f"{start}{{", f"}}{end}\n"
    if len(names) == 1:
        head = f"{start}{names[0]}: "
        return lambda key: to_line(f"{head}{value(key)}{end}")

    def encode(key: PartitionKey) -> bytes:
        members = (f"{name}: {value(part)}" for name, part in zip(names, key, strict=True))
        return to_line(f"{start}{', '.join(members)}{end}")

    return encode


def object_decoder(
    partition_key: Sequence[KeyAttribute],
    value: Callable[[str, object], AttributeValue],
    inner: Callable[[object], object] = lambda document: document,
) -> Decode:
    """Return the function that reads a line. `value`: of a type's name and a JSON value. `inner`: finds the object.

    Numbers keep every digit: they come as strings.
    """
    types = {attribute.name: attribute.type for attribute in partition_key}
    # Made once: `json.loads` would make one for every line.
    read = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str).decode

    def decode(line: bytes) -> Mapping[str, AttributeValue]:
        document = inner(read(line.decode()))
        if not isinstance(document, dict) or document.keys() != types.keys():
            raise ValueError("a line of a part holds other attributes than the run's partition key")
        return {name: value(types[name], content) for name, content in document.items()}

    return decode
