"""The input of a copy and its rules. What only the tables can tell is checked by Plan copy."""

from dataclasses import dataclass

from skipscan.act.input import MAX_WORKERS
from skipscan.errors import InputError
from skipscan.execution_input import MAX_SEGMENTS, RUN_NAME, TABLE_ARN, TABLE_NAME
from skipscan.field import amount, count, flag, only
from skipscan.shown import shown

BOUNDS = (
    "max_read_units_per_second",
    "max_write_units_per_second",
    "max_read_units",
    "max_write_units",
    "max_dollars",
)
STANDING = ("create", "segments", "workers", "verify", "compare_items", "dry_run")
"""What a copy is planned with for good; its bounds may be others when it is resumed."""

FIELDS = ("table", "to", *STANDING, *BOUNDS, "without_recovery", "resume")
EXAMPLE = '{"table": "Audit", "to": "Audit-2"}'

COMPARE_ITEMS, MOST_COMPARE_ITEMS = 1_000, 10_000_000


@dataclass(frozen=True)
class CopyInput:
    """What a person asks of a copy; `None` means: Plan chooses.

    `to`: the new table, which must be the one that the environment names. `create`: make it if it is not there.
    `compare_items`: about how many keys of each table a verification compares.
    """

    table: str
    to: str
    create: bool = False
    dry_run: bool = True
    segments: int | None = None
    workers: int | None = None
    verify: bool = True
    compare_items: int = COMPARE_ITEMS
    max_read_units_per_second: float | None = None
    max_write_units_per_second: float | None = None
    max_read_units: float | None = None
    max_write_units: float | None = None
    max_dollars: float | None = None
    without_recovery: bool = False
    resume: str | None = None


def parse(document: object) -> CopyInput:
    """Return the checked input; raise `InputError` naming the field, the rule and the way out."""
    given = only(document, FIELDS, what="the input", example=EXAMPLE)
    resume = _run(given.get("resume"))
    for name in STANDING if resume else ():
        if name in given:
            raise InputError(
                f"{name} is {shown(given[name])} and resume is {shown(resume)}; a copy that is resumed goes on as "
                f"it was planned: leave {name} out"
            )
    compared = count("compare_items", given.get("compare_items"), MOST_COMPARE_ITEMS, "a verification compares")
    return CopyInput(
        table=_table("table", given.get("table")),
        to=_table("to", given.get("to")),
        create=flag("create", given.get("create", False)),
        dry_run=not resume and flag("dry_run", given.get("dry_run", True)),
        segments=count("segments", given.get("segments"), MAX_SEGMENTS, "DynamoDB allows"),
        workers=count("workers", given.get("workers"), MAX_WORKERS, "a copy may have"),
        verify=flag("verify", given.get("verify", True)),
        compare_items=COMPARE_ITEMS if compared is None else compared,
        max_read_units_per_second=amount("max_read_units_per_second", given, 0.5),
        max_write_units_per_second=amount("max_write_units_per_second", given, 1),
        max_read_units=amount("max_read_units", given, 0.5),
        max_write_units=amount("max_write_units", given, 1),
        max_dollars=amount("max_dollars", given, 0.0001),
        without_recovery=flag("without_recovery", given.get("without_recovery", False)),
        resume=resume,
    )


def _table(name: str, value: object) -> str:
    if value is None:
        raise InputError(f"{name} is missing; a copy takes two tables, by name or ARN: write it like {EXAMPLE}")
    if isinstance(value, str) and (TABLE_NAME.fullmatch(value) or TABLE_ARN.fullmatch(value)):
        return value
    raise InputError(
        f"{name} is {shown(value)}; it must be a table's name (3 to 255 of a-z, A-Z, 0-9, _, . and -) or its "
        "ARN (arn:aws:dynamodb:REGION:ACCOUNT:table/NAME): correct it"
    )


def _run(value: object) -> str | None:
    if value is None or (isinstance(value, str) and RUN_NAME.fullmatch(value) and value.strip(".")):
        return value
    raise InputError(
        f"resume is {shown(value)}; it must be the name of the copy to go on with, the name of its execution: "
        "correct it"
    )
