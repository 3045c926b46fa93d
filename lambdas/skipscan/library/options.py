"""The options of the library's functions, for editors and type checkers: the fields of an execution's input.

The members of `take` are options by themselves. What each means: the page "The input".
"""

import os
import re
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import wraps
from inspect import signature
from typing import Any, Literal, ParamSpec, TypedDict, TypeVar

from skipscan.errors import InputError, SkipscanError, leave_out
from skipscan.inputs import field
from skipscan.inputs.fields import member_of_take
from skipscan.inputs.names import similar
from skipscan.library.aws_errors import translating

P = ParamSpec("P")
R = TypeVar("R")

Attributes = Literal["all"] | Collection[str]
Amount = float | Decimal
Bound = str | int | float | Decimal | bytes | bytearray | Mapping[str, Any]


class KeysOptions(TypedDict, total=False):
    """Of `keys`. `None` is the default of each."""

    index: str | None
    segments: int | None
    consistent_read: bool | None
    strategy: Literal["auto", "skip", "page"] | None
    optimize: Literal["cost", "balanced", "speed"] | None
    delimiter: str | None
    depth: int | None
    prefix_length: int | None
    only: str | os.PathLike[str] | Collection[Any] | None
    first: Attributes | None
    last: Attributes | None
    items: Attributes | None
    count: int | Literal["all"] | None
    beyond: int | None
    most: int | None
    order: Literal["ascending", "descending"] | None
    prefix: Bound | None
    between: Sequence[Bound] | None
    since: Bound | None
    until: Bound | None
    max_read_units_per_second: Amount | None
    max_read_units: Amount | None
    max_dollars: Amount | None


class FolderOptions(KeysOptions, total=False):
    """Of `list_into`."""

    format: Literal["jsonl", "dynamodb-jsonl", "dynamodb-import", "csv"] | None


class PlanOptions(FolderOptions, total=False):
    """Of `plan`."""

    workers: int | None


class StartOptions(PlanOptions, total=False):
    """Of `start`: all fields of an execution's input."""

    dry_run: bool | None
    profile: bool | None
    only_run: str | None
    compare: str | None
    resume: str | None
    overlap: Literal["allow", "skip"] | None


CONNECTIONS = {
    "session": ("client", "a boto3.Session", 'boto3.Session(profile_name="…", region_name="…")'),
    "client": ("describe_table", "a client of DynamoDB", 'boto3.client("dynamodb"), or a resource\'s meta.client'),
}
"""The options that take an object of boto3: a method that no other has, and what to give in place of others."""


def answers_in_words(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function of the library answer in words: AWS's errors, and options that it does not have or cannot use."""
    parameters = [one for one in signature(function).parameters.values() if one.name != "self"]
    takes_any = any(one.kind is one.VAR_KEYWORD for one in parameters)  # which it checks itself

    @wraps(function)
    def answer(*values: P.args, **options: P.kwargs) -> R:
        if not takes_any:
            check_names(options, [one.name for one in parameters])
        for name, (method, what, way) in CONNECTIONS.items():
            if (value := options.get(name)) is not None and not hasattr(value, method):
                raise InputError(name, rule=f"must be {what}, not {type(value).__name__}", remedy=f"give {way}")
        try:
            with translating():
                return function(*values, **options)
        except SkipscanError as error:
            raise error.with_texts(member_of_take) from error.__cause__

    return answer


def check_names(options: Mapping[str, Any], of: Collection[str]) -> None:
    """Refuse an option that a function does not have, with those that it has. `of`: their names."""
    names = [*of]
    for name, value in options.items():
        if name in names or (value is None and name in StartOptions.__annotations__):
            continue
        way, has = leave_out(name), f", which has {', '.join(names)}" if names else ""
        if re.search("region|profile_name|aws_profile", name):
            way = "give session=boto3.Session(region_name=..., profile_name=...)"
        elif "endpoint" in name:
            way = 'give client=boto3.client("dynamodb", endpoint_url=...)'
        elif name == "take":
            way = "give first, last, items or count by themselves"
        elif name in {"limit", "max_items", "max_keys"}:
            way = "take so many: itertools.islice(skipscan.keys(...), 10) reads no further"
        elif name not in StartOptions.__annotations__ and (near := similar(name, names)):
            way, has = f"did you mean {near[0]}?", ""
        raise InputError(name, rule=f"is no option of this function{has}", remedy=way)


def new_name() -> str:
    """Return the time in UTC, and four random characters."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


def name_of_work(given: str | None, prefix: str = "") -> str:
    """Return the given name of a run or job, else a new one; raise `InputError` for an invalid name."""
    if given is None:
        return f"{prefix}{new_name()}"
    return field.run_name("name", given, "1 to 80 letters, digits, - _ . + = or @")
