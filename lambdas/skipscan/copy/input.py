"""The input of a copy and its rules. Plan copy checks what depends on the tables."""

from dataclasses import dataclass

from skipscan.errors import InputError, leave_out
from skipscan.inputs import fields
from skipscan.inputs.fields import Field, ItemInput, OptionGroup, item_fields, read_input

EXAMPLE = '{"table": "Audit", "to": "Audit-2"}'
NEED = "a copy needs two tables, by name or ARN", f"write it like {EXAMPLE}"

COMPARE_ITEMS, MOST_COMPARE_ITEMS = 1_000, 1_000_000_000_000
"""A cut-over compares the largest number, which is more than the items of any table, so that it compares all keys."""


@dataclass(frozen=True, kw_only=True)
class CopyInput(ItemInput):
    """A person's choices for a copy.

    `to`: the new table, which must be the one that the environment names. `create`: create the table if it does not
    exist. `compare_items`: about how many keys of each table a verification compares. `compare_only`: verify only, and
    write nothing.
    """

    to: str
    create: bool = False
    compare_items: int = COMPARE_ITEMS
    compare_only: bool = False


FIELDS = (
    Field("table", fields.TABLE, "The table's name or ARN", need=NEED),
    Field("to", fields.TABLE, "The new table's name or ARN", need=NEED),
    Field(
        "create",
        fields.FLAG,
        "Create the new table if it does not exist",
        default=False,
        is_fixed=True,
        group=OptionGroup.WRITE,
    ),
    Field(
        "compare_items",
        fields.count_form(MOST_COMPARE_ITEMS, "a verification compares"),
        "Approximate number of keys of each table to compare",
        default=COMPARE_ITEMS,
        is_fixed=True,
    ),
    Field("compare_only", fields.FLAG, "Only compare both tables, without writing", default=False, is_fixed=True),
    *item_fields("copy"),
)


def parse_copy(document: object) -> CopyInput:
    """Return the checked input; raise `InputError` with the field, the rule and the way out."""
    copy_input = CopyInput(**read_input(FIELDS, document, label="copy", example=EXAMPLE))
    if copy_input.compare_only and (copy_input.create or not copy_input.verify):
        other = "create" if copy_input.create else "verify"
        raise InputError("compare_only", True, "it only compares two tables", leave_out(other))
    return copy_input
