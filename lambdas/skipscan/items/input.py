"""The input fields that retrofit and copy share, and their rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from skipscan.inputs import fields
from skipscan.inputs.fields import Field
from skipscan.pace.shares import MAX_WORKERS


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


def item_fields(noun: str) -> Sequence[Field]:
    """Return the rows of these fields, but `table`, for a kind of job."""
    return (
        fields.SEGMENTS,
        fields.workers(MAX_WORKERS, noun),
        Field(
            "verify",
            fields.FLAG,
            "Read all items again at the end",
            help="Skip the final verification",
            default=True,
            is_fixed=True,
        ),
        fields.PREVIEW,
        fields.MAX_READ_UNITS_PER_SECOND,
        fields.MAX_READ_UNITS,
        fields.MAX_WRITE_UNITS_PER_SECOND,
        fields.MAX_WRITE_UNITS,
        fields.MAX_DOLLARS,
        fields.WITHOUT_RECOVERY,
        fields.resume_field(noun),
    )
