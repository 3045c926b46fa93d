"""What the inputs of all jobs over a table's items have in common, and its rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skipscan.act.input import MAX_WORKERS
from skipscan.errors import InputError
from skipscan.listing.execution_input import MAX_SEGMENTS, TABLE_ARN, TABLE_NAME, is_run_name
from skipscan.loop.field import amount, count, flag
from skipscan.loop.shown import shown

BOUNDS = (
    "max_read_units_per_second",
    "max_write_units_per_second",
    "max_read_units",
    "max_write_units",
    "max_dollars",
)
SHARED = ("segments", "workers", "verify", "dry_run", *BOUNDS, "without_recovery", "resume")


@dataclass(frozen=True, kw_only=True)
class ItemInput:
    """What a person asks of a job; `None` means: Plan chooses."""

    table: str
    dry_run: bool = True
    segments: int | None = None
    workers: int | None = None
    verify: bool = True
    max_read_units_per_second: float | None = None
    max_write_units_per_second: float | None = None
    max_read_units: float | None = None
    max_write_units: float | None = None
    max_dollars: float | None = None
    without_recovery: bool = False
    resume: str | None = None


def shared(given: Mapping[str, object], noun: str, standing: Sequence[str]) -> dict[str, Any]:
    """Return the checked fields but `table`; raise `InputError` naming the field, the rule and the way out.

    `standing`: what such a job is planned with for good, which may not be given where one is resumed.
    """
    resume = _resume(given.get("resume"), noun)
    for name in standing if resume else ():
        if name in given:
            raise InputError(
                f"{name} is {shown(given[name])} and resume is {shown(resume)}; a {noun} that is resumed goes on as "
                f"it was planned: leave {name} out"
            )
    return {
        "dry_run": not resume and flag("dry_run", given.get("dry_run", True)),
        "segments": count("segments", given.get("segments"), MAX_SEGMENTS, "DynamoDB allows"),
        "workers": count("workers", given.get("workers"), MAX_WORKERS, f"a {noun} may have"),
        "verify": flag("verify", given.get("verify", True)),
        "max_read_units_per_second": amount("max_read_units_per_second", given, 0.5),
        "max_write_units_per_second": amount("max_write_units_per_second", given, 1),
        "max_read_units": amount("max_read_units", given, 0.5),
        "max_write_units": amount("max_write_units", given, 1),
        "max_dollars": amount("max_dollars", given, 0.0001),
        "without_recovery": flag("without_recovery", given.get("without_recovery", False)),
        "resume": resume,
    }


def table(name: str, value: object, missing: str) -> str:
    """Return a table's name or ARN. `missing`: what is to be said where there is none."""
    if value is None:
        raise InputError(f"{name} is missing; {missing}")
    if isinstance(value, str) and (TABLE_NAME.fullmatch(value) or TABLE_ARN.fullmatch(value)):
        return value
    raise InputError(
        f"{name} is {shown(value)}; it must be a table's name (3 to 255 of a-z, A-Z, 0-9, _, . and -) or its "
        "ARN (arn:aws:dynamodb:REGION:ACCOUNT:table/NAME): correct it"
    )


def _resume(value: object, noun: str) -> str | None:
    if value is None or (isinstance(value, str) and is_run_name(value)):
        return value
    raise InputError(
        f"resume is {shown(value)}; it must be the name of the {noun} to go on with, the name of its execution: "
        "correct it"
    )
