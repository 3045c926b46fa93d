"""How a partition key is written, one a line.

Lines are UTF-8 and never broken by a key: line ends and control characters are escaped as JSON does it, also
those that JSON would let stand (U+0085, U+2028 and such break a line in many a program), in the text form too.
"""

import base64
import json
import re
from collections.abc import Callable
from json.encoder import encode_basestring

from skipscan.dynamodb.maximum import AttributeValue
from skipscan.dynamodb.source import PartitionKey, Source
from skipscan.listing.execution_input import Format

Encode = Callable[[PartitionKey], bytes]

_JSON_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def encoder(source: Source, form: Format) -> Encode:
    """Return the function that writes a partition key as one line of a part, line end included."""
    value = _plain if form is Format.JSONL else _typed
    names = [_string(attribute.name) for attribute in source.partition_key]
    start, end = ('{"Item": {', "}}\n") if form is Format.DYNAMODB_IMPORT else ("{", "}\n")
    if len(names) == 1:
        head = f"{start}{names[0]}: "
        return lambda key: _bytes(f"{head}{value(key)}{end}")

    def encode(key: PartitionKey) -> bytes:
        members = (f"{name}: {value(part)}" for name, part in zip(names, key, strict=True))
        return _bytes(f"{start}{', '.join(members)}{end}")

    return encode


def text(source: Source) -> Encode:
    r"""Return the function that writes a partition key as bare text, line end included.

    Strings and numbers stand as they are, binary in base64, several attributes apart by a tab; a control
    character in a string is written as JSON would (\n, \u0000). For keys that hold such, JSON lines are exact.
    """
    several = len(source.partition_key) > 1

    def encode(key: PartitionKey) -> bytes:
        parts = key if several else (key,)
        return _bytes("\t".join(_bare(part) for part in parts) + "\n")

    return encode


def _plain(value: AttributeValue) -> str:
    ((kind, content),) = value.items()
    if kind == "N":
        return content if _JSON_NUMBER.fullmatch(content) else json.dumps(content)
    return _string(content if kind == "S" else base64.b64encode(content).decode())


def _typed(value: AttributeValue) -> str:
    ((kind, content),) = value.items()
    return f'{{"{kind}": {_string(base64.b64encode(content).decode() if kind == "B" else content)}}}'


def _string(content: str) -> str:
    written = encode_basestring(content)
    return written if content.isprintable() else _CONTROL.sub(_escaped, written)


def _bare(value: AttributeValue) -> str:
    ((kind, content),) = value.items()
    if kind == "B":
        return base64.b64encode(content).decode()
    return _CONTROL.sub(_escaped, content)


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


def _bytes(line: str) -> bytes:
    # A lone surrogate has no UTF-8 form; its escape \udXXX is what JSON writes for it.
    return line.encode("utf-8", "backslashreplace")
