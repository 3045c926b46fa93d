"""The input of a retrofit and its rules. Plan retrofit checks what depends on the table."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from skipscan.errors import OMITTED, InputError, leave_out
from skipscan.inputs import fields
from skipscan.inputs.field import attribute_names, short
from skipscan.inputs.fields import Field, Form, ItemInput, OptionGroup, item_fields, read_input
from skipscan.items.assignments import MOST_ASSIGNMENTS, Assignments
from skipscan.items.concatenation import Separator

EXAMPLE = '{"table": "Audit", "set": {"resource-action": "{resourceId}-{action}"}}'


@dataclass(frozen=True, kw_only=True)
class RetrofitInput(ItemInput):
    """A person's choices for a retrofit. `templates` and `remove`: none for a resumed one.

    `count_indexes`: at the end, compare the number of entries of indexes on a target with the items that have their
    keys.
    """

    templates: Mapping[str, str] = field(default_factory=dict)
    remove: tuple[str, ...] = ()
    separator: Separator = Separator.REFUSE
    show_items: bool = False
    consistent_read: bool = False
    count_indexes: bool = False
    no_writes_elsewhere: bool = False


FIELDS = (
    Field(
        "table",
        fields.TABLE,
        "The table's name or ARN",
        need=("a retrofit sets the items of one table", f"write it like {EXAMPLE}"),
    ),
    Field(
        "set",
        fields.document(),
        "Attributes to set, each with its template",
        help="Attribute to set, and its template. Can be repeated",
        is_fixed=True,
        metavar="ATTRIBUTE=TEMPLATE",
        group=OptionGroup.WRITE,
    ),
    Field(
        "remove",
        Form(
            lambda name, value: attribute_names(name, value, MOST_ASSIGNMENTS),
            {
                "type": "array",
                "items": {"type": "string"},
                "minItems": 1,
                "maxItems": MOST_ASSIGNMENTS,
                "uniqueItems": True,
            },
        ),
        "Attributes to remove. One that is a template's only source is renamed",
        help="Attribute to remove. Can be repeated",
        is_fixed=True,
        default=(),
        metavar="ATTRIBUTE",
        group=OptionGroup.WRITE,
    ),
    Field(
        "separator",
        fields.choice_form(Separator),
        "How to treat a value that contains the separator",
        default=Separator.REFUSE,
        is_fixed=True,
        group=OptionGroup.WRITE,
    ),
    fields.CONSISTENT_READ,
    Field(
        "count_indexes",
        fields.FLAG,
        "Count the entries of the indexes on the new attributes at the end",
        default=False,
        is_fixed=True,
    ),
    fields.SHOW_ITEMS,
    *item_fields("retrofit"),
    fields.NO_WRITES_ELSEWHERE,
)


def parse_retrofit(document: object) -> RetrofitInput:
    """Return the checked input; raise `InputError` with the field, the rule and the way out."""
    values = read_input(FIELDS, document, label="retrofit", example=EXAMPLE)
    assigned = values.pop("set")
    templates = {} if values["resume"] else _templates(assigned, values["separator"], values["remove"])
    retrofit_input = RetrofitInput(templates=templates, **values)
    if retrofit_input.count_indexes and not retrofit_input.verify:
        raise InputError(
            "count_indexes",
            True,
            "the verification counts the items that the indexes should have",
            leave_out("verify", "count_indexes"),
            others={"verify": False},
        )
    return retrofit_input


def _templates(document: object, separator: Separator, removes: tuple[str, ...]) -> dict[str, str]:
    if document is None and not removes:
        raise InputError(
            "set", OMITTED, "is missing; a retrofit sets or removes attributes", f"write it like {EXAMPLE}"
        )
    assignments = Assignments.parse({} if document is None else document, separator, removes)
    templates = dict(zip(assignments.names, document.values(), strict=True)) if isinstance(document, Mapping) else {}
    short("set", templates)
    return templates
