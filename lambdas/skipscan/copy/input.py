"""The input of a copy and its rules. What only the tables can tell is checked by Plan copy."""

from dataclasses import dataclass

from skipscan.inputs.field import count, flag, only, table
from skipscan.items import input as items

OWN = ("to", "create", "compare_items")
STANDING = ("create", "segments", "workers", "verify", "compare_items", "dry_run")
"""What a copy is planned with for good; its bounds may be others when it is resumed."""

FIELDS = ("table", *OWN, *items.SHARED)
EXAMPLE = '{"table": "Audit", "to": "Audit-2"}'
MISSING = f"a copy takes two tables, by name or ARN: write it like {EXAMPLE}"

COMPARE_ITEMS, MOST_COMPARE_ITEMS = 1_000, 10_000_000


@dataclass(frozen=True, kw_only=True)
class CopyInput(items.ItemInput):
    """What a person asks of a copy.

    `to`: the new table, which must be the one that the environment names. `create`: make it if it is not there.
    `compare_items`: about how many keys of each table a verification compares.
    """

    to: str
    create: bool = False
    compare_items: int = COMPARE_ITEMS


def parse(document: object) -> CopyInput:
    """Return the checked input; raise `InputError` naming the field, the rule and the way out."""
    given = only(document, FIELDS, what="the input", example=EXAMPLE)
    fields = items.shared(given, "copy", STANDING)
    compared = count("compare_items", given.get("compare_items"), MOST_COMPARE_ITEMS, "a verification compares")
    return CopyInput(
        table=table("table", given.get("table"), MISSING),
        to=table("to", given.get("to"), MISSING),
        create=flag("create", given.get("create", False)),
        compare_items=COMPARE_ITEMS if compared is None else compared,
        **fields,
    )
