"""The execution input of a listing and its rules, used by Plan, the command line, and the synth for schedules.

No boto3 here: Plan checks what depends on the table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from skipscan.errors import InputError, named
from skipscan.inputs import field, fields
from skipscan.inputs.fields import Field, Form, choice_form, read_input, words_form
from skipscan.lines.formats import STORED
from skipscan.lines.jsonl import JSONL
from skipscan.scan.plan import Optimize, Strategy
from skipscan.scan.take import ALL, ENDS, ItemSelection

MAX_WORKERS = 1_000  # their reports together must stay below the state's 256 KiB
EXAMPLE = '{"table": "Orders"}'
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
    take: ItemSelection | None = None
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
    checked = ExecutionInput(**read_input(FIELDS, document, noun="run", example=EXAMPLE))
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


def selection_from_json(name: str, value: object) -> ItemSelection:
    """Return the checked field `take`."""
    members = {*ENDS, "within"}
    if not isinstance(value, Mapping) or not value.keys() <= members or not value.keys() & {*ENDS}:
        rule = "it must be an object with first, last or both, and optionally within"
        raise InputError(name, value, rule, 'write it like {"first": ["name"]}')
    wanted = {member: field.attributes(f"{name}.{member}", value[member], ALL) for member in ENDS if member in value}
    within = value.get("within")
    if within is not None and not (isinstance(within, str) and 1 <= len(within.encode()) <= MOST_SORT_KEY_BYTES):
        rule = f"it must be a text of 1 to {MOST_SORT_KEY_BYTES} bytes, a prefix of sort keys"
        raise InputError(f"{name}.within", within, rule, "correct it")
    take = ItemSelection(wanted, within)
    field.short(name, take.to_json())
    return take


TAKE = Form(
    selection_from_json,
    {
        "type": "object",
        "anyOf": [{"required": [member]} for member in ENDS],
        "additionalProperties": False,
        "properties": {
            **{
                member: {
                    "anyOf": [{"const": ALL}, {"type": "array", "items": {"type": "string"}, "minItems": 1}],
                    "description": f'Attributes of the {member} item of each item collection, or "all"',
                }
                for member in ENDS
            },
            "within": {"type": ["string", "null"], "description": "Prefix of the sort keys to choose from"},
        },
    },
)

FIELDS = (
    Field(
        "table",
        fields.TABLE,
        "The table's name or ARN",
        need=("a run lists the keys of one table", f"give its name or ARN, like {EXAMPLE}"),
    ),
    Field("index", Form(field.index, {"type": "string"}), "List the partition keys of this index", is_fixed=True),
    fields.SEGMENTS,
    fields.workers(MAX_WORKERS, "run"),
    fields.CONSISTENT_READ,
    Field(
        "strategy",
        choice_form(Strategy),
        "How to move to the next key: skip, or read every page",
        default=Strategy.AUTO,
        is_fixed=True,
    ),
    Field(
        "optimize",
        choice_form(Optimize),
        "What to optimize the page length for",
        default=Optimize.BALANCED,
        is_fixed=True,
    ),
    Field("format", words_form(STORED), "Format of the keys", default=JSONL.name, is_fixed=True),
    Field("take", TAKE, "Items to write with each key", is_fixed=True),
    Field("dry_run", fields.FLAG, "Only plan and estimate, without listing", default=False, is_fixed=True),
    fields.MAX_READ_UNITS_PER_SECOND,
    fields.MAX_READ_UNITS,
    fields.MAX_DOLLARS,
    Field(
        "compare",
        fields.name(f'"{PREVIOUS}", or the name of an earlier run to compare with'),
        "Run to compare with (previous: the last one with the same scope); writes the difference to S3",
        is_fixed=True,
    ),
    fields.resume("run"),
    Field(
        "overlap",
        choice_form(Overlap),
        "What to do if an earlier run with the same input is still running",
        default=Overlap.ALLOW,
    ),
)
FIXED = tuple(row.name for row in FIELDS if row.is_fixed)
"""The fields that are planned once; all others may change when a run is resumed."""
