"""The execution input of a listing and its rules, used by Plan, the command line, and the synth for schedules.

No boto3 here: Plan checks what depends on the table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from skipscan.errors import InputError, named
from skipscan.inputs.field import (
    amount,
    attributes,
    check_resumed,
    choice,
    count,
    flag,
    index,
    one_of,
    only,
    run_name,
    short,
    table,
)
from skipscan.keys.formats import STORED
from skipscan.keys.jsonl import JSONL
from skipscan.scan.plan import Optimize, Strategy
from skipscan.scan.segments import MAX_SEGMENTS
from skipscan.scan.take import ALL, ENDS, Take

PAGE_READ_UNITS = 0.5  # the units of the smallest page
MAX_WORKERS = 1_000  # their reports together must stay below the state's 256 KiB

FIXED = (
    *("index", "segments", "workers", "consistent_read", "strategy", "optimize"),
    *("format", "take", "dry_run", "compare"),
)
"""The fields that are planned once; all others may change when a run is resumed."""

MOST_SORT_KEY_BYTES = 1024  # developer guide, "Quotas"

PREVIOUS = "previous"
"""Compare with the newest finished run with the same scope."""


class Overlap(StrEnum):
    """What a run does while an earlier one with the same input is running."""

    ALLOW = "allow"
    SKIP = "skip"  # end at once, and read nothing


@dataclass(frozen=True)
class ExecutionInput:
    """A person's choices for a run; `None`: Plan chooses. `format`: the name of a line format."""

    table: str
    index: str | None = None
    segments: int | None = None
    workers: int | None = None
    consistent_read: bool = False
    strategy: Strategy = Strategy.AUTO
    optimize: Optimize = Optimize.BALANCED
    format: str = JSONL.name
    take: Take | None = None
    dry_run: bool = False
    max_read_units_per_second: float | None = None
    max_read_units: float | None = None
    max_dollars: float | None = None
    compare: str | None = None
    resume: str | None = None
    overlap: Overlap = Overlap.ALLOW


def parse(document: object) -> ExecutionInput:
    """Return the checked input; raise `InputError` with the field, the rule and the way out.

    An optional field that is null counts as missing.
    """
    names = [field.name for field in fields(ExecutionInput)]
    given = only(document, names, what="the input", example='{"table": "Orders"}')
    checked = ExecutionInput(
        table=table(
            "table",
            given.get("table"),
            "a run lists the keys of one table",
            'give its name or ARN, like {"table": "Orders"}',
        ),
        index=index("index", given.get("index")),
        segments=count("segments", given.get("segments"), MAX_SEGMENTS, "DynamoDB allows"),
        workers=count("workers", given.get("workers"), MAX_WORKERS, "a run may have"),
        consistent_read=flag("consistent_read", given.get("consistent_read", False)),
        strategy=choice("strategy", given.get("strategy", Strategy.AUTO), Strategy),
        optimize=choice("optimize", given.get("optimize", Optimize.BALANCED), Optimize),
        format=one_of("format", given.get("format", JSONL.name), STORED),
        take=take_of(given.get("take")),
        dry_run=flag("dry_run", given.get("dry_run", False)),
        max_read_units_per_second=amount("max_read_units_per_second", given, PAGE_READ_UNITS),
        max_read_units=amount("max_read_units", given, PAGE_READ_UNITS),
        max_dollars=amount("max_dollars", given, 0.0001),
        compare=run_name(
            "compare", given.get("compare"), f'"{PREVIOUS}", or the name of an earlier run to compare with'
        ),
        resume=run_name("resume", given.get("resume"), "the name of the run to resume, which is its execution's name"),
        overlap=choice("overlap", given.get("overlap", Overlap.ALLOW), Overlap),
    )
    check_resumed(given, checked.resume, FIXED, "run")
    if checked.segments and checked.workers and checked.workers > checked.segments:
        raise InputError(
            "workers",
            checked.workers,
            "every worker needs a segment of its own",
            ("lower ", named("workers"), ", raise ", named("segments"), ", or leave one of the two out"),
            beside={"segments": checked.segments},
        )
    return checked


def document_of(asked: ExecutionInput) -> dict[str, Any]:
    """Return the input as a document that `parse` reads."""
    return {**vars(asked), "take": asked.take and asked.take.to_json()}


def take_of(value: object) -> Take | None:
    """Return the checked field `take`."""
    if value is None:
        return None
    members = {*ENDS, "within"}
    if not isinstance(value, Mapping) or not value.keys() <= members or not value.keys() & {*ENDS}:
        rule = "it must be an object with first, last or both, and optionally within"
        raise InputError("take", value, rule, 'write it like {"first": ["name"]}')
    wanted = {member: attributes(f"take.{member}", value[member], ALL) for member in ENDS if member in value}
    within = value.get("within")
    if within is not None and not (isinstance(within, str) and 1 <= len(within.encode()) <= MOST_SORT_KEY_BYTES):
        rule = f"it must be a text of 1 to {MOST_SORT_KEY_BYTES} bytes, a prefix of sort keys"
        raise InputError("take.within", within, rule, "correct it")
    take = Take(wanted, within)
    short("take", take.to_json())
    return take
