"""The keys that are looked at once more when nothing that was under way can still arrive: as messages of a queue.

A put of the copy may rest on a page that was read before the item was deleted. It is sent within `PUT_SECONDS` of that
page and has come or is lost long before `DELAY_SECONDS` are over: a Lambda lives no longer, and AWS takes no request
that was signed more than five minutes ago. The look after that finds whatever it did.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from skipscan.dynamodb.attribute_value import from_json, to_json
from skipscan.dynamodb.source import Item

DELAY_SECONDS = 900
"""The longest that SQS keeps a message back."""

PUT_SECONDS = 300.0
"""A batch of the copy is over by then: 300 s, and the 300 s of a signature, are well below the delay."""

MESSAGE_KEYS = 25
MESSAGE_BYTES = 24_000
"""Ten of them go in one request of 256 KiB; a key has at most 3,072 bytes, and 18,432 where all are escaped."""


def bodies(keys: Iterable[Item]) -> Iterator[str]:
    """Return messages that hold all the keys."""
    held: list[str] = []
    size = 0
    for key in keys:
        text = json.dumps({name: to_json(value) for name, value in key.items()}, separators=(",", ":"))
        if held and (len(held) == MESSAGE_KEYS or size + len(text) > MESSAGE_BYTES):
            yield _body(held)
            held, size = [], 0
        held.append(text)
        size += len(text) + 1
    if held:
        yield _body(held)


def keys_of(body: str, key_names: Sequence[str]) -> list[Item]:
    """Return the keys of a message; raise `ValueError` where it is none of ours."""
    try:
        return [{name: from_json(key[name]) for name in key_names} for key in _keys(body)]
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"a message holds no keys of the table: {type(error).__name__}") from None


def _body(keys: Sequence[str]) -> str:
    return f'{{"keys":[{",".join(keys)}]}}'


def _keys(body: str) -> list[Mapping[str, Mapping[str, object]]]:
    keys: list[Mapping[str, Mapping[str, object]]] = json.loads(body)["keys"]
    return keys
