"""The input fields that retrofit and copy share, and their rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skipscan.inputs.field import amount, check_resumed, count, flag, run_name
from skipscan.pace.shares import MAX_WORKERS
from skipscan.scan.segments import MAX_SEGMENTS

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
    """A person's choices for a job; `None`: Plan chooses."""

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


def shared(given: Mapping[str, object], noun: str, fixed: Sequence[str]) -> dict[str, Any]:
    """Return the checked fields except `table`; raise `InputError` with the field, the rule and the way out.

    `fixed`: the fields that are planned once and must not be given with `resume`.
    """
    what = f"the name of the {noun} to resume, which is its execution's name"
    resume = run_name("resume", given.get("resume"), what)
    check_resumed(given, resume, fixed, noun)
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
