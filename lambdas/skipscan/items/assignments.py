"""The attributes that a job sets by templates or removes, and the change that an item needs for them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Self

from skipscan.dynamodb.attribute_value import MOST_PARTITION_KEY_BYTES, MOST_SORT_KEY_BYTES, AttributeValue
from skipscan.dynamodb.equality import is_same_value
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import value_bytes
from skipscan.errors import OMITTED, InputError
from skipscan.inputs.names import has_lone_surrogate, printable, quoted
from skipscan.items.concatenation import SCALARS, Concatenation, Problem, Separator, Unmade

MOST_ASSIGNMENTS, MOST_SOURCES = 10, 30  # an update's expressions stay far below the 4 KB that DynamoDB allows
READABLE = {*SCALARS, "BOOL", "NULL"}


@contextmanager
def _printable_errors() -> Iterator[None]:
    """Raise an `InputError` with texts that a terminal shows as they are: names of attributes may hold anything."""
    try:
        yield
    except InputError as error:
        raise error.with_texts(printable) from None


@dataclass(frozen=True)
class KeyRole:
    """The type that an index requires of an attribute, because it is a key there. `bytes`: its maximum size."""

    index: str
    type: str
    bytes: int


@dataclass(frozen=True)
class Assignment:
    """One attribute to set."""

    name: str
    value: Concatenation
    roles: tuple[KeyRole, ...] = ()

    def render(self, item: Item) -> AttributeValue | Unmade:
        """Return the value that an item should have for this attribute."""
        value = self.value.render(item)
        if isinstance(value, Unmade):
            return value
        kind, size = next(iter(value)), value_bytes(value)
        for role in self.roles:
            if kind != role.type:
                return Unmade(
                    Problem.REFUSED,
                    f"{self.name} would have type {kind}, but index {role.index} needs type {role.type}",
                )
            if kind != "N" and not 1 <= size <= role.bytes:
                words = "be empty" if not size else f"have more than {role.bytes} bytes"
                return Unmade(Problem.REFUSED, f"{self.name} would {words}, and it is a key of index {role.index}")
        return value


@dataclass(frozen=True)
class Update:
    """The change that an item needs.

    `values`: to set. `read`: the values it rests on; `None` for an absent attribute. `removes`: attributes.
    """

    values: Mapping[str, AttributeValue]
    read: Mapping[str, AttributeValue | None]
    removes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Assignments:
    """All attributes of one retrofit, and those that it `removes`. An item gets the whole change or none of it.

    A removed attribute may be a source: so an attribute is renamed in one write.
    """

    assignments: tuple[Assignment, ...]
    removes: tuple[str, ...] = ()

    @classmethod
    @_printable_errors()
    def parse(cls, document: object, separator: Separator, removes: Sequence[str] = ()) -> Self:
        """Return the targets of a JSON object of names to templates; raise `InputError`."""
        if not isinstance(document, Mapping) or not (document or removes):
            raise InputError(
                "set",
                document,
                "it must be an object of attributes and their templates",
                'write it like {"customer-year": "{customer}-{year}"}',
            )
        assignments = tuple(
            Assignment(name, Concatenation.parse(text, separator, f"set.{name}")) for name, text in document.items()
        )
        made = cls(assignments, tuple(removes))
        for text in (*made.names, *(str(template) for template in document.values())):
            if has_lone_surrogate(text):
                raise InputError(
                    "set", OMITTED, f"has a lone surrogate in {quoted(text)}; DynamoDB allows only UTF-8", "correct it"
                )
        if "" in made.names:
            raise InputError("set", OMITTED, "has an attribute without a name; DynamoDB requires one", "name it")
        if len(assignments) > MOST_ASSIGNMENTS or len(made.sources) > MOST_SOURCES:
            raise InputError(
                "set",
                OMITTED,
                f"has {len(assignments)} attributes made of {len(made.sources)}; a retrofit can set "
                f"{MOST_ASSIGNMENTS} made of {MOST_SOURCES}",
                "set the rest with another retrofit",
            )
        for assignment in made.assignments:
            others = {source for one in made.assignments if one is not assignment for source in one.value.sources}
            own = assignment.name in assignment.value.sources and not assignment.value.is_its_own
            name = assignment.name
            if own or name in others:
                raise InputError(
                    f"set.{name}",
                    OMITTED,
                    "is also a source of an attribute, so an item would not show which value is meant",
                    "give the new attribute another name",
                )
            if name in removes:
                raise InputError("remove", name, "it is also set", "leave it out of one of them", others={"set": name})
        return made

    @_printable_errors()
    def described(self, description: TableDescription) -> Self:
        """Return the targets with the types that the table's indexes require.

        Raises `InputError` for a target that no item could have.
        """
        types = description.attribute_types
        own = {attribute.name for attribute in description.key}
        roles = list(_roles(description))
        bound = []
        for assignment in self.assignments:
            if assignment.name in own:
                raise InputError(
                    f"set.{assignment.name}",
                    OMITTED,
                    "is a key attribute of the table; an item's key cannot be changed",
                    "use another attribute",
                )
            mine = tuple(role for name, role in roles if name == assignment.name)
            for role in mine:
                kind = assignment.value.type(types) or role.type
                if kind != role.type:
                    raise InputError(
                        f"set.{assignment.name}",
                        OMITTED,
                        f"makes values of type {kind}; in index {role.index} it is a key of type {role.type}",
                        "correct the template or the index",
                    )
            bound.append(replace(assignment, roles=mine))
        indexes = {name: role.index for name, role in roles}
        for name in self.removes:
            if name in own:
                rule = "it is a key attribute of the table, which every item has"
                raise InputError("remove", name, rule, "leave it out")
            if name in indexes:
                rule = f"it is a key of index {indexes[name]}, which would lose the items"
                raise InputError("remove", name, rule, "delete the index first")
        return replace(self, assignments=tuple(bound))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(assignment.name for assignment in self.assignments)

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the attributes that the targets are made of, each once."""
        return tuple(dict.fromkeys(name for assignment in self.assignments for name in assignment.value.sources))

    @property
    def attributes(self) -> tuple[str, ...]:
        """Return what must be read of an item, each once: the sources, the targets and what is removed."""
        return tuple(dict.fromkeys((*self.sources, *self.names, *self.removes)))

    @property
    def indexes(self) -> tuple[str, ...]:
        """The indexes that have a target as a key."""
        return tuple(dict.fromkeys(role.index for assignment in self.assignments for role in assignment.roles))

    def judge(self, item: Item) -> Update | Unmade | None:
        """Return the change that an item needs, or why it cannot be made; `None` if it is right."""
        values: dict[str, AttributeValue] = {}
        removes = tuple(name for name in self.removes if name in item)
        read: dict[str, AttributeValue | None] = {name: item[name] for name in removes}
        for assignment in self.assignments:
            name, sources = assignment.name, assignment.value.sources
            existing, moved = item.get(name), {*sources} & {*self.removes}
            if existing is not None and moved and not moved & item.keys():
                continue  # an earlier update made it, and removed what it was made of
            value = assignment.render(item)
            if isinstance(value, Unmade):
                return value
            is_right = existing is not None and is_same_value(existing, value)
            if existing is not None and not is_right:
                if existing.keys() - READABLE - value.keys():
                    return Unmade(Problem.REFUSED, f"{name} exists with type {next(iter(existing))}")
                if moved:  # which of the two is newer does not show, and one of them would be lost for good
                    return Unmade(Problem.REFUSED, f"{name} exists with another value than its template makes")
            if not is_right:
                values[name] = value
            if moved or not is_right:  # if a right value changes now, what it was made of must stay
                read |= {name: existing, **{source: item[source] for source in sources}}
        return Update(values, read, removes) if values or removes else None


def _roles(description: TableDescription) -> Iterator[tuple[str, KeyRole]]:
    for index in description.indexes:
        for keys, most_bytes in (
            (index.partition_key, MOST_PARTITION_KEY_BYTES),
            (index.sort_key, MOST_SORT_KEY_BYTES),
        ):
            for key in keys:
                yield key.name, KeyRole(index.name, key.type, most_bytes)
