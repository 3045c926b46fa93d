"""What a run takes of each group: its key alone, the items at its ends, each item, or a count.

Each case answers for itself. Its rows are the members of the field `take`, from which parser, schema and options are
made.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Self

from skipscan.dynamodb.source import Item, Source
from skipscan.errors import OMITTED, InputError, leave_out, named
from skipscan.inputs import field
from skipscan.inputs.fields import Field, Fields, Form, Schema, count_form, words_form
from skipscan.scan.taken import COUNT, COUNTED, FIRST, ITEM, LAST, READ

ALL = "all"

UP_TO = "up_to"
ITEMS, BEYOND, MOST, ORDER, DESCENDING = "items", "beyond", "most", "order", "descending"
"""Words of the field `take`."""

EXAMPLE = '{"first": ["name"]}'
MOST_COUNTED = 10**9
COUNT_BYTES = 110.0
"""Of the count on a line, its read units and the time."""

Names = tuple[str, ...] | None
"""Attributes of an item beside its keys; `None` for all there are."""


def has_item_lines(document: Mapping[str, Any]) -> bool:
    """Return whether each item is a line of its own, by the manifest of a run."""
    return ITEMS in (document.get("take") or {})


class Take:
    """What is taken of each group: what holds for a case that does not say otherwise.

    `leads`: the rows of members of which each asks for the case. `options`: the rows of those that go with them.
    `reads_on`: whether the run reads on in a group behind the page that showed it first. `attributes`: of each item on
    a line, by the line's member. `descends`: a group is read from its greatest sort key on. `beyond`: so many
    items of a group are read first and have no line.
    """

    leads: ClassVar[Fields] = ()
    options: ClassVar[Fields] = ()
    reads_on: ClassVar[bool] = False
    attributes: Mapping[str, Names]
    descends: bool = False
    beyond: int = 0

    @classmethod
    def of(cls, name: str, value: Mapping[str, Any]) -> "Take":
        """Return the case of a checked document; raise `InputError` for members that do not go together."""
        raise NotImplementedError

    @classmethod
    def read(cls, name: str, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return the checked values of the members. Only an option that is null counts as missing."""
        rows = [row for row in cls.leads if row.name in document]
        rows += [row for row in cls.options if document.get(row.name) is not None]
        return {row.name: row.form.read(f"{name}.{row.name}", document[row.name]) for row in rows}

    @property
    def members(self) -> tuple[str, ...]:
        """Return what a line has beside the key."""
        return (*self.attributes, READ) if self.attributes else ()

    @property
    def most_items(self) -> int | None:
        """Return how many items of a group are read at most; `None` for all."""
        return None

    @property
    def is_of_all(self) -> bool:
        """Return whether all items are read, in the order in which pages have them."""
        return self.reads_on and self.most_items is None and not self.descends

    def page_lookups(self, source: Source, *, skips_in_range: bool) -> int:
        """Return how many Queries a page may need, for what it does not show."""
        return int(self.reads_on and (skips_in_range or (self.descends and source.can_skip)))

    def lines_of(self, items: int) -> int:
        """Return how many lines a group of so many items has, where each item is one."""
        return max(0, min(items, self.most_items or items) - self.beyond)

    def line_bytes(self, item_bytes: float) -> float:
        """Return the bytes on a line beside the key; 0 for attributes, whose share of an item nobody knows."""
        return item_bytes * sum(names is None for names in self.attributes.values())

    def projected(self, source: Source) -> tuple[str, ...] | None:
        """Return what a page must bring of items; `None` for all attributes that the source has.

        It may continue behind each of its items, so it brings their whole start keys.
        """
        if None in self.attributes.values():
            return None
        return tuple(dict.fromkeys(chain(source.key_names, *(names or () for names in self.attributes.values()))))

    def cutter(self, source: Source) -> Callable[[str, Item], Item]:
        """Return the function that cuts an item to what a member holds: a page brings what others take, too."""
        partition_key = {attribute.name for attribute in source.partition_key}
        sort_key = tuple(attribute.name for attribute in source.sort_key)

        def cut(member: str, item: Item) -> Item:
            names = self.attributes[member]
            kept = item if names is None else dict.fromkeys((*sort_key, *names))
            return {name: item[name] for name in kept if name in item and name not in partition_key}

        return cut

    @property
    def words(self) -> dict[str, Any] | None:
        """The field `take` that asks for this, which a manifest states."""
        return {
            LEAD_OF.get(member, member): ALL if names is None else list(names)
            for member, names in self.attributes.items()
        } or None

    @staticmethod
    def of_words(words: Mapping[str, Any] | None) -> "Take":
        """Return what a manifest states; raise `ValueError` for what none does."""
        take = _stored(words)
        if take.words != words:
            raise ValueError("it takes something else")
        return take

    def to_json(self) -> dict[str, Any] | None:
        """Return the words with every member, so that none can be lost."""
        return None if self.words is None else {**dict.fromkeys(TAKEN), **self.words}

    @staticmethod
    def from_json(document: Mapping[str, Any] | None) -> "Take":
        take = _stored(document and field.without_nulls(document))
        if take.to_json() != document:
            raise ValueError("it has other members")
        return take


def _stored(words: Mapping[str, Any] | None) -> Take:
    try:
        return KEYS if words is None else read_take("take", words)
    except InputError as error:  # of a document that somebody changed, not of an input
        raise ValueError(error.rule) from None


LEAD_OF = {ITEM: ITEMS}
"""The member of `take` that asks for a line's member of another name."""


def _attributes_row(name: str, meaning: str, help: str) -> Field:
    schema = {"anyOf": [{"const": ALL}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}
    form = Form(lambda name, value: field.attributes(name, value, ALL), schema)
    return Field(name, form, meaning, help, metavar="ATTRIBUTES")


def _words(names: Names) -> str:
    return "all attributes" if names is None else ", ".join(names) or "its keys"


@dataclass(frozen=True)
class Ends(Take):
    """The first or the last item of each group, both, or as in `KEYS` neither."""

    attributes: Mapping[str, Names]

    leads = (
        _attributes_row(
            FIRST,
            'Attributes of the first item of each item collection, or "all"',
            "Also take the first item of every item collection: its sort key and these attributes, separated by "
            "commas, or all. Costs no extra read units. The default --format is then jsonl",
        ),
        _attributes_row(
            LAST,
            'Attributes of the last item of each item collection, or "all"',
            "Also take the last item of every item collection. Costs at most one Query for each page",
        ),
    )

    @classmethod
    def of(cls, name: str, value: Mapping[str, Any]) -> Self:
        if alone := next((row.name for row in EachItem.options if row.name in value), None):
            items = named(f"{name}.{ITEMS}")
            about = f"it is about the items of each group, which {items} takes"
            raise InputError(f"{name}.{alone}", value[alone], about, f"give {items} too")
        if not value:
            rule = "it must have first, last or both, or items, or count"
            raise InputError(name, value, rule, f"write it like {EXAMPLE}")
        return cls(cls.read(name, value))

    def page_lookups(self, source: Source, *, skips_in_range: bool) -> int:
        return int(LAST in self.attributes and bool(source.sort_key))

    def __str__(self) -> str:
        return "; ".join(f"the {member} item with {_words(names)}" for member, names in self.attributes.items())


KEYS = Ends({})
"""The key of each group alone."""


@dataclass(frozen=True)
class EachItem(Take):
    """Each item of a group, with a line of its own; in the order, those beyond the first few, and at most so many."""

    attributes: Mapping[str, Names]
    most: int | None = None
    descends: bool = False
    beyond: int = 0

    reads_on = True
    leads = (
        _attributes_row(
            ITEMS,
            'Attributes of every item, each a line of its own, or "all"',
            "Write a line for every item, of a range if one is given: its sort key and these attributes, or all",
        ),
    )
    options = (
        Field(
            BEYOND,
            count_form(MOST_COUNTED, "of a group the run leaves out"),
            "Leave out so many items of each group, the first ones in the order (default: none)",
            "With --items: all but the first so many items of each group, in the order",
        ),
        Field(
            MOST,
            count_form(MOST_COUNTED, "of a group the run takes"),
            "The most items of a group (default: all)",
            "With --items: at most so many items of each group",
        ),
        Field(
            ORDER,
            words_form(("ascending", DESCENDING)),
            "Of the sort keys in a group (default: ascending)",
            "With --items: the order of the sort keys in a group (default: ascending)",
        ),
    )

    @classmethod
    def of(cls, name: str, value: Mapping[str, Any]) -> Self:
        rows = {row.name for row in (*cls.leads, *cls.options)}
        if other := next((member for member in value if member not in rows), None):
            rule = "a run takes all items, or the first and the last"
            raise InputError(f"{name}.{other}", value[other], rule, leave_out(f"{name}.{other}"))
        given = cls.read(name, value)
        return cls({ITEM: given[ITEMS]}, given.get(MOST), given.get(ORDER) == DESCENDING, given.get(BEYOND, 0))

    @property
    def most_items(self) -> int | None:
        return None if self.most is None else self.beyond + self.most

    @property
    def words(self) -> dict[str, Any]:
        bounds = {name: value for name, value in ((BEYOND, self.beyond), (MOST, self.most)) if value}
        return {**(super().words or {}), **bounds, **({ORDER: DESCENDING} if self.descends else {})}

    def __str__(self) -> str:
        which = "each item" if self.most is None else f"at most {self.most:,} items"
        which += f" beyond the first {self.beyond:,}" if self.beyond else ""
        return f"{which} with {_words(self.attributes[ITEM])}{', in descending order' if self.descends else ''}"


def _up_to(name: str, how: Any) -> int | None:
    value = field.only(how, [UP_TO], what=name, example='{"up_to": 1000}').get(UP_TO)
    return None if value is None else int(_COUNTED_TO.form.read(f"{name}.{UP_TO}", value))


_COUNTED_TO = Field(
    UP_TO, count_form(MOST_COUNTED, "a group is counted up to a number from"), "Count no further (default: count all)"
)


@dataclass(frozen=True)
class Count(Take):
    """The number of a group's items. `up_to`: no further than to know that a group has more; `None`: all."""

    up_to: int | None = None

    reads_on = True
    attributes = KEYS.attributes
    members = (*COUNTED, READ)
    leads = (
        Field(
            COUNT,
            Form(
                _up_to,
                {"type": "object", "additionalProperties": False, "properties": {UP_TO: _COUNTED_TO.schema}},
            ),
            "Count the items of each group, instead of first and last",
            "Also count the items of every item collection, up to this number; without a number all of them, which "
            "reads every item",
            metavar="[NUMBER]",
        ),
    )

    @classmethod
    def of(cls, name: str, value: Mapping[str, Any]) -> Self:
        if len(value) > 1:
            others = (member for member in value if member != COUNT)
            way = leave_out(f"{name}.{COUNT}", *(f"{name}.{member}" for member in others))
            raise InputError(f"{name}.{COUNT}", OMITTED, "is given; a run counts items or takes them", way)
        return cls(cls.read(name, value)[COUNT])

    @property
    def most_items(self) -> int | None:
        return None if self.up_to is None else self.up_to + 1  # the one that shows that there are more

    def line_bytes(self, item_bytes: float) -> float:
        return COUNT_BYTES

    @property
    def words(self) -> dict[str, Any]:
        return {COUNT: {} if self.up_to is None else {UP_TO: self.up_to}}

    def to_json(self) -> dict[str, Any]:
        return {**dict.fromkeys(TAKEN), COUNT: {UP_TO: self.up_to}}

    def __str__(self) -> str:
        return "the number of items" + ("" if self.up_to is None else f", up to {self.up_to:,}")


CASES: tuple[type[Take], ...] = (Ends, EachItem, Count)
LEADS = tuple(row for case in CASES for row in case.leads)
ROWS = tuple(row for case in CASES for row in (*case.leads, *case.options))
"""The members of the field `take`, each an option of its own elsewhere."""

TAKEN = tuple(row.name for row in ROWS)


def read_take(name: str, value: Any) -> Take:
    """Return the checked field `take`."""
    field.only(value, TAKEN, what=name, example=EXAMPLE)
    case = next((case for case in (Count, EachItem) if case.leads[0].name in value), Ends)
    take = case.of(name, value)
    field.short(name, take.words)
    return take


def take_from_options(values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the field `take` from the options of its members' names: `count` is a number there, or "all"."""
    take = {name: value for name in TAKEN if (value := values.get(name)) is not None}
    if COUNT in take:
        take[COUNT] = {} if take[COUNT] == ALL else {UP_TO: take[COUNT]}
    return take or None


SCHEMA: Schema = {
    "type": "object",
    "anyOf": [{"required": [row.name]} for row in LEADS],
    "additionalProperties": False,
    "properties": {
        # A null counts as missing, but for a member that asks for a case.
        row.name: {**row.form.schema, "description": row.meaning} if row in LEADS else row.schema
        for row in ROWS
    },
}
