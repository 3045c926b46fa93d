"""The execution input and its rules, the same for Plan, the command line and a schedule's input at synth.

No boto3 here, and no look at the table: what only the table can tell is checked by Plan.
"""

import re
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TypeVar

from skipscan.errors import InputError
from skipscan.loop.field import amount, count, flag, only
from skipscan.loop.shown import shown

MAX_SEGMENTS = 1_000_000  # DynamoDB's own bound on TotalSegments (API reference, Scan)
PAGE_READ_UNITS = 0.5  # what the smallest page consumes
MAX_WORKERS = 1_000  # their reports together stay below the 256 KiB that state may hold

TABLE_NAME = re.compile(r"[a-zA-Z0-9_.-]{3,255}")
TABLE_ARN = re.compile(
    r"arn:aws[a-z-]*:dynamodb:(?P<region>[a-z0-9-]+):[0-9]{12}:table/(?P<name>[a-zA-Z0-9_.-]{3,255})"
)

# What an execution may be named (Step Functions API reference, StartExecution): nearly nothing that means something
# to a path, a URL or a shell. Names of dots alone are left out of it, see `is_run_name`.
RUN_NAME = re.compile(r"[^\s<>{}\[\]?*\"#%\\^|~`$&,;:/\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]{1,80}")

STANDING = ("index", "segments", "workers", "consistent_read", "strategy", "optimize", "format", "dry_run", "compare")
"""What a run is planned with for good; the rest of the input may be another when it is resumed."""

PREVIOUS = "previous"
"""What is compared with: of the finished runs that list the same, the one that started last."""

Choice = TypeVar("Choice", bound=StrEnum)


class Strategy(StrEnum):
    """How item collections are passed over."""

    AUTO = "auto"  # skip where there is a sort key to skip with, page elsewhere
    SKIP = "skip"
    PAGE = "page"


class Optimize(StrEnum):
    """What a page's Limit is chosen for."""

    COST = "cost"  # the fewest read units, however many requests it takes
    BALANCED = "balanced"  # what costs least in money: read units, and the worker's time for each request
    SPEED = "speed"  # few requests, even where that reads more


class Format(StrEnum):
    """How a key is written in the parts, one JSON object a line."""

    JSONL = "jsonl"  # {"id": 12.50}: numbers keep every digit, binary is base64
    DYNAMODB_JSONL = "dynamodb-jsonl"  # {"id": {"N": "12.50"}}: the type beside the value
    DYNAMODB_IMPORT = "dynamodb-import"  # {"Item": {"id": {"N": "12.50"}}}: as DynamoDB's import from S3 reads it


@dataclass(frozen=True)
class ExecutionInput:
    """What a person asks of a run. `None` means: Plan chooses."""

    table: str
    index: str | None = None
    segments: int | None = None
    workers: int | None = None
    consistent_read: bool = False
    strategy: Strategy = Strategy.AUTO
    optimize: Optimize = Optimize.BALANCED
    format: Format = Format.JSONL
    dry_run: bool = False
    max_read_units_per_second: float | None = None
    max_read_units: float | None = None
    max_dollars: float | None = None
    compare: str | None = None
    resume: str | None = None


def parse(document: object) -> ExecutionInput:
    """Return the checked input; raise `InputError` naming the field, the rule and the way out.

    An optional field that is null counts as left out.
    """
    names = [field.name for field in fields(ExecutionInput)]
    given = only(document, names, what="the input", example='{"table": "Orders"}')
    checked = ExecutionInput(
        table=_table(given.get("table")),
        index=_index(given.get("index")),
        segments=count("segments", given.get("segments"), MAX_SEGMENTS, "DynamoDB allows"),
        workers=count("workers", given.get("workers"), MAX_WORKERS, "a run may have"),
        consistent_read=flag("consistent_read", given.get("consistent_read", False)),
        strategy=_choice("strategy", given.get("strategy", Strategy.AUTO), Strategy),
        optimize=_choice("optimize", given.get("optimize", Optimize.BALANCED), Optimize),
        format=_choice("format", given.get("format", Format.JSONL), Format),
        dry_run=flag("dry_run", given.get("dry_run", False)),
        max_read_units_per_second=amount("max_read_units_per_second", given, PAGE_READ_UNITS),
        max_read_units=amount("max_read_units", given, PAGE_READ_UNITS),
        max_dollars=amount("max_dollars", given, 0.0001),
        compare=_run("compare", given.get("compare"), f'"{PREVIOUS}", or the name of an earlier run to compare with'),
        resume=_run("resume", given.get("resume"), "the name of the run to go on with, the name of its execution"),
    )
    for name in STANDING if checked.resume else ():
        if name in given:
            raise InputError(
                f"{name} is {shown(given[name])} and resume is {shown(checked.resume)}; a run that is resumed goes on "
                f"as it was planned: leave {name} out"
            )
    if checked.segments and checked.workers and checked.workers > checked.segments:
        raise InputError(
            f"workers is {checked.workers} and segments is {checked.segments}; every worker needs a segment "
            "of its own: lower workers, raise segments, or leave one of them out"
        )
    return checked


def table_name(table: str) -> str:
    """Return the bare name of a table given by name or ARN."""
    arn = TABLE_ARN.fullmatch(table)
    return arn["name"] if arn else table


def is_run_name(name: str) -> bool:
    """Tell whether a run can have that name: one step of a path on S3, and no way out of it."""
    return bool(RUN_NAME.fullmatch(name) and name.strip("."))


def _table(value: object) -> str:
    if value is None:
        raise InputError(
            'table is missing; a run lists the keys of one table: name it, or its ARN, like {"table": "Orders"}'
        )
    if isinstance(value, str) and (TABLE_NAME.fullmatch(value) or TABLE_ARN.fullmatch(value)):
        return value
    raise InputError(
        f"table is {shown(value)}; it must be a table's name (3 to 255 of a-z, A-Z, 0-9, _, . and -) or its "
        "ARN (arn:aws:dynamodb:REGION:ACCOUNT:table/NAME): correct it"
    )


def _index(value: object) -> str | None:
    if value is None or (isinstance(value, str) and TABLE_NAME.fullmatch(value)):
        return value
    raise InputError(
        f"index is {shown(value)}; it must be an index's name (3 to 255 of a-z, A-Z, 0-9, _, . and -): "
        "correct it, or leave it out to list the table's own keys"
    )


def _run(name: str, value: object, what: str) -> str | None:
    if value is None or (isinstance(value, str) and is_run_name(value)):
        return value
    raise InputError(f"{name} is {shown(value)}; it must be {what}: correct it")


def _choice(name: str, value: object, choices: type[Choice]) -> Choice:
    if isinstance(value, str) and value in list(choices):
        return choices(value)
    words = ", ".join(choices)
    raise InputError(f"{name} is {shown(value)}; it must be one of {words}: correct it or leave it out")
