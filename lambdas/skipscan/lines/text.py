r"""A bare key, for a terminal and for other programs; it cannot be read back exactly.

Strings and numbers are written unchanged, binary in base64, several attributes separated by a tab; a control character
in a string is escaped as in JSON (\n, \u0000). For keys with such characters, JSON lines are exact.
"""

import base64

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import PartitionKey, Source
from skipscan.lines.line_format import Encode, LineFormat, escaped, to_line


def _encoder(source: Source) -> Encode:
    several = len(source.partition_key) > 1

    def encode(key: PartitionKey) -> bytes:
        parts = key if several else (key,)
        return to_line("\t".join(_bare(part) for part in parts) + "\n")

    return encode


def _bare(value: AttributeValue) -> str:
    ((kind, content),) = value.items()
    if kind == "B":
        return base64.b64encode(content).decode()
    return escaped(content)


TEXT = LineFormat(
    name="text",
    summary="the bare key",
    encoder=_encoder,
    decoder=None,
)
