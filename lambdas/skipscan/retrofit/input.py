"""The input of a retrofit and its rules. Plan retrofit checks what depends on the table."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from skipscan.errors import OMITTED, InputError, leave_out
from skipscan.inputs.field import choice, flag, only, short, table
from skipscan.items import input as items
from skipscan.items.assignments import Assignments
from skipscan.items.concatenation import Separator

OWN = ("set", "separator", "consistent_read", "count_indexes", "show_items")
FIXED = (*OWN, "segments", "workers", "verify", "dry_run")
"""The fields that are planned once. Only the bounds may change when a retrofit is resumed."""

FIELDS = ("table", *OWN, *items.SHARED, "no_writes_elsewhere")
EXAMPLE = '{"table": "Audit", "set": {"resource-action": "{resourceId}-{action}"}}'


@dataclass(frozen=True, kw_only=True)
class RetrofitInput(items.ItemInput):
    """A person's choices for a retrofit. `templates`: none for a resumed one.

    `count_indexes`: at the end, compare the number of entries of indexes on a target with the items that have their
    keys.
    """

    templates: Mapping[str, str] = field(default_factory=dict)
    separator: Separator = Separator.REFUSE
    show_items: bool = False
    consistent_read: bool = False
    count_indexes: bool = False
    no_writes_elsewhere: bool = False


def parse(document: object) -> RetrofitInput:
    """Return the checked input; raise `InputError` with the field, the rule and the way out."""
    given = only(document, FIELDS, what="the input", example=EXAMPLE)
    fields = items.shared(given, "retrofit", FIXED)
    separator = choice("separator", given.get("separator", Separator.REFUSE), Separator)
    counts_indexes = flag("count_indexes", given.get("count_indexes", False))
    if counts_indexes and not fields["verify"]:
        raise InputError(
            "count_indexes",
            True,
            "the verification counts the items that the indexes should have",
            leave_out("verify", "count_indexes"),
            beside={"verify": False},
        )
    return RetrofitInput(
        table=table("table", given.get("table"), "a retrofit sets the items of one table", f"write it like {EXAMPLE}"),
        templates={} if fields["resume"] else _templates(given.get("set"), separator),
        separator=separator,
        show_items=flag("show_items", given.get("show_items", False)),
        consistent_read=flag("consistent_read", given.get("consistent_read", False)),
        count_indexes=counts_indexes,
        no_writes_elsewhere=flag("no_writes_elsewhere", given.get("no_writes_elsewhere", False)),
        **fields,
    )


def _templates(document: object, separator: Separator) -> dict[str, str]:
    if document is None:
        raise InputError(
            "set", OMITTED, "is missing; a retrofit sets an attribute by a template", f"write it like {EXAMPLE}"
        )
    assignments = Assignments.parse(document, separator)
    templates = dict(zip(assignments.names, document.values(), strict=True)) if isinstance(document, Mapping) else {}
    short("set", templates)
    return templates
