"""The input of a copy and its rules. Plan copy checks what depends on the tables."""

from dataclasses import dataclass

from skipscan.errors import InputError, leave_out
from skipscan.inputs.field import count, flag, only, table
from skipscan.items import input as items

OWN = ("to", "create", "compare_items", "compare_only")
FIXED = ("create", "segments", "workers", "verify", "compare_items", "compare_only", "dry_run")
"""The fields that are planned once. Only the bounds may change when a copy is resumed."""

FIELDS = ("table", *OWN, *items.SHARED)
EXAMPLE = '{"table": "Audit", "to": "Audit-2"}'
MISSING = "a copy needs two tables, by name or ARN", f"write it like {EXAMPLE}"

COMPARE_ITEMS, MOST_COMPARE_ITEMS = 1_000, 1_000_000_000_000
"""A cut-over compares the largest number, which is more than the items of any table, so that it compares all keys."""


@dataclass(frozen=True, kw_only=True)
class CopyInput(items.ItemInput):
    """A person's choices for a copy.

    `to`: the new table, which must be the one that the environment names. `create`: create the table if it does not
    exist. `compare_items`: about how many keys of each table a verification compares. `compare_only`: verify only, and
    write nothing.
    """

    to: str
    create: bool = False
    compare_items: int = COMPARE_ITEMS
    compare_only: bool = False


def parse(document: object) -> CopyInput:
    """Return the checked input; raise `InputError` with the field, the rule and the way out."""
    given = only(document, FIELDS, what="the input", example=EXAMPLE)
    fields = items.shared(given, "copy", FIXED)
    compared = count("compare_items", given.get("compare_items"), MOST_COMPARE_ITEMS, "a verification compares")
    create, compare_only = (
        flag("create", given.get("create", False)),
        flag("compare_only", given.get("compare_only", False)),
    )
    if compare_only and (create or not fields["verify"]):
        beside = "create" if create else "verify"
        raise InputError("compare_only", True, "it only compares two tables", leave_out(beside))
    return CopyInput(
        table=table("table", given.get("table"), *MISSING),
        to=table("to", given.get("to"), *MISSING),
        create=create,
        compare_items=COMPARE_ITEMS if compared is None else compared,
        compare_only=compare_only,
        **fields,
    )
