"""Strict readers of input fields: the value, or an `InputError` with the value, the rule and the way out.

Execution inputs and cdk.json use only these. `None` counts as missing.
"""

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from skipscan.errors import OMITTED, InputError, give
from skipscan.inputs.names import (
    TABLE_NAME,
    has_lone_surrogate,
    is_run_name,
    is_table,
    quoted,
    similar,
)

MOST_AMOUNT = 1e15  # above any bill, and a float still counts single units

Choice = TypeVar("Choice", bound=StrEnum)


MOST_STATE_BYTES = 32_768
"""The most bytes of a field that travels in state. Step Functions allows 256 KiB for the whole input of a state ("Step
Functions service quotas"), which also holds a worker's cursors, or the reports of all workers."""


def short(name: str, document: object) -> None:
    """Raise `InputError` for a field that the state cannot hold.

    Counted as JSON in ASCII, which Lambda's runtime may write: there a character takes up to 12 bytes.
    """
    size = len(json.dumps(document, default=repr))
    if size > MOST_STATE_BYTES:
        raise InputError(
            name,
            OMITTED,
            f"has {size:,} bytes as JSON in ASCII; the state can hold {MOST_STATE_BYTES:,} of it",
            "shorten it",
        )


def meant(name: object, names: Sequence[str], otherwise: str) -> str:
    """Return a question after the most similar of the names, or what to do if none is similar."""
    near = similar(str(name), names)
    return f"did you mean {near[0]}?" if near else otherwise


def without_nulls(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that have a value: a null counts as missing."""
    return {name: value for name, value in document.items() if value is not None}


def only(document: object, names: Sequence[str], *, what: str, example: str) -> Mapping[str, object]:
    """Return the given fields, if the document is an object with no others than these.

    `what`: the document's name in messages. `example`: a valid document.
    """
    if not isinstance(document, Mapping):
        raise InputError(what, document, "it must be an object", f"write it like {example}")
    for name, value in document.items():
        if name not in names:
            rule = f"is not a field of {what} ({', '.join(names)})"
            raise InputError(
                quoted(name), OMITTED, rule, meant(name, names, f"leave it out, or write it like {example}")
            )
        if _has_invalid_text(value):
            rule = "it contains half a surrogate pair, which is not valid text"
            raise InputError(str(name), value, rule, "correct it")
    return without_nulls(document)


def _has_invalid_text(value: object) -> bool:
    """Return whether any text in a value cannot be encoded as UTF-8."""
    left = [value]  # no recursion, because an input may be nested to any depth
    while left:
        match left.pop():
            case str(text):
                if has_lone_surrogate(text):
                    return True
            case Mapping() as document:
                left += [one for pair in document.items() for one in pair]
            case list(entries):
                left += entries
    return False


def whole_number(name: str, value: object, least: int, ceiling: int | None, rule: str) -> int | None:
    """Return a number between two bounds, which `rule` states."""
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():  # as JSON Schema has it
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(name, value, f"it must be a whole number, {rule}", "correct it or leave it out")
    if value < least:
        raise InputError(name, value, rule, "raise it or leave it out")
    if ceiling is not None and value > ceiling:
        raise InputError(name, value, rule, "lower it or leave it out")
    return value


def count(name: str, value: object, ceiling: int, who: str) -> int | None:
    """Return a whole number from 1 to `ceiling`. `who`: begins the rule, such as "a run has"."""
    return whole_number(name, value, 1, ceiling, f"{who} 1 to {ceiling}")


def amount(name: str, value: object, least: float) -> float:
    """Return a finite number from a least one on."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= MOST_AMOUNT:
        rule = f"it must be a number, at least {least} and at most {MOST_AMOUNT:.0f}"
        raise InputError(name, value, rule, "correct it or leave it out")
    return float(value)


def flag(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise InputError(name, value, "it must be true or false", "correct it or leave it out")


def choice(name: str, value: object, choices: type[Choice]) -> Choice:
    return choices(one_of(name, value, list(choices)))


def one_of(name: str, value: object, words: Sequence[str]) -> str:
    if isinstance(value, str) and value in words:
        return value
    raise InputError(name, value, f"it must be one of {', '.join(words)}", "correct it or leave it out")


def table(name: str, value: object) -> str:
    """Return a table's name or ARN."""
    if isinstance(value, str) and is_table(value):
        return value
    rule = (
        "it must be a table's name (3 to 255 of a-z, A-Z, 0-9, _, . and -) or its ARN "
        "(arn:aws:dynamodb:REGION:ACCOUNT:table/NAME)"
    )
    way = "correct it"
    if isinstance(value, str) and "/index/" in value:
        way = f"leave out what follows the table, and {give('index', value.rpartition('/')[2])}"
    elif isinstance(value, str) and "," in value:
        way = "give one table, and do this once for each"
    elif isinstance(value, str) and value.startswith((".", "/", "s3:")):
        way = "give a table; download, report, diff and resume also take a folder"
    raise InputError(name, value, rule, way)


MOST_ATTRIBUTES, MOST_ATTRIBUTE_LENGTH = 100, 255
"""The longest list of attributes: it must fit into an expression of 4 KB."""


def attributes(name: str, value: object, everything: str) -> tuple[str, ...] | None:
    """Return the names of attributes; `None` for all, which the value of `everything` means."""
    return None if value == everything else attribute_names(name, value, MOST_ATTRIBUTES, f'"{everything}", or ')


def attribute_names(name: str, value: object, most: int, otherwise: str = "") -> tuple[str, ...]:
    """Return the names of attributes. `otherwise`: begins the rule, such as "all" with a comma."""
    if (
        not isinstance(value, list)
        or not 1 <= len(value) <= most
        or not all(isinstance(each, str) and 1 <= len(each) <= MOST_ATTRIBUTE_LENGTH for each in value)
        or len(set(value)) < len(value)
    ):
        rule = (
            f"it must be {otherwise}a list of 1 to {most} names of attributes, each once and of at most "
            f"{MOST_ATTRIBUTE_LENGTH} characters"
        )
        raise InputError(name, value, rule, "correct it")
    return tuple(value)


def index(name: str, value: object) -> str:
    if isinstance(value, str) and TABLE_NAME.fullmatch(value):
        return value
    rule = "it must be an index's name (3 to 255 of a-z, A-Z, 0-9, _, . and -)"
    raise InputError(name, value, rule, "correct it, or leave it out to list the table's own keys")


def run_name(name: str, value: object, what: str) -> str:
    """Return the name of a run or a job; `what`: the kind of work it must name."""
    if isinstance(value, str) and is_run_name(value):
        return value
    raise InputError(name, value, f"it must be {what}", "correct it")
