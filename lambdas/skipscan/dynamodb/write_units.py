"""The exact size of an item, and the cost of writing it: a unit for each started KB, in the table and in its indexes.

Developer guide, "DynamoDB item sizes and formats". An index is written if it contains the item.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Self

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.equality import is_same_item, is_same_value
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription


def item_bytes(item: Item) -> int:
    """Return the bytes of all names and values."""
    return sum(text_bytes(name) + value_bytes(value) for name, value in item.items())


def value_bytes(value: AttributeValue) -> int:
    ((kind, content),) = value.items()
    return _BYTES[kind](content)


def contents_bytes(kind: str, contents: Sequence[Any]) -> list[int]:
    """Return the bytes of the contents of many values of one type."""
    if kind == "S" and all(map(str.isascii, contents)):
        return [*map(len, contents)]
    return [*map(_BYTES[kind], contents)]


def text_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _number(text: str) -> int:
    """Return the bytes of a number: one, one for each pair of digits around the decimal point, one for a sign.

    Most numbers have a plain form, which takes a third of the time of an exponent.
    """
    sign = text[:1] == "-"
    whole, _, fraction = text[sign:].partition(".")
    if not (whole.isdecimal() and (not fraction or fraction.isdecimal()) and (whole[0] != "0" or whole == "0")):
        return _any_number(text)
    if whole != "0":
        first_pair = 2 - len(whole) % 2
        significant = len((whole + fraction).rstrip("0")) if fraction else len(whole.rstrip("0"))
    elif digits := fraction.lstrip("0"):
        first_pair = 2 - (len(fraction) - len(digits)) % 2
        significant = len(digits.rstrip("0"))
    else:
        return 1
    return 2 + (max(significant - first_pair, 0) + 1) // 2 + sign


def _any_number(text: str) -> int:
    number = Decimal(text)
    if not number:
        return 1
    sign, digits, _ = number.as_tuple()
    significant = len("".join(map(str, digits)).strip("0"))
    first_pair = 1 if number.adjusted() % 2 == 0 else 2
    return 2 + (max(significant - first_pair, 0) + 1) // 2 + sign


_BYTES: dict[str, Callable[[Any], int]] = {
    "S": text_bytes,
    "N": _number,
    "B": len,
    "BOOL": lambda _: 1,
    "NULL": lambda _: 1,
    "SS": lambda members: sum(map(text_bytes, members)),
    "NS": lambda members: sum(map(_number, members)),
    "BS": lambda members: sum(map(len, members)),
    "L": lambda members: 3 + sum(1 + value_bytes(member) for member in members),
    "M": lambda members: 3 + len(members) + item_bytes(members),
}


UNIT_BYTES = 1024

MOST_ITEM_UNITS = 400.0
"""The write units of the largest item, of 400 KB (service quotas, "Item size")."""

MOST_KEY_UNITS = 8.0
"""The write units of an index entry that is nothing but keys: two partition keys of 2 KB, two sort keys of 1 KB, and
their names."""


@dataclass(frozen=True)
class WrittenIndex:
    """An index, for writes. `projected`: the attributes it holds; `None` means all."""

    name: str
    keys: frozenset[str]
    projected: frozenset[str] | None

    @property
    def most_units(self) -> float:
        """Return the write units of the largest entry."""
        return MOST_KEY_UNITS if self.projected is not None and self.projected <= self.keys else MOST_ITEM_UNITS

    def entry(self, item: Item) -> Item | None:
        """Return an item's entry in the index; `None` if the item lacks a key attribute, and so has no entry."""
        if not self.keys <= item.keys():
            return None
        return item if self.projected is None else {n: value for n, value in item.items() if n in self.projected}


@dataclass(frozen=True)
class WrittenTable:
    """A table and all its indexes, local and global."""

    indexes: tuple[WrittenIndex, ...]

    @classmethod
    def described(cls, description: TableDescription) -> Self:
        """Return the described table, for writes."""
        base = {attribute.name for attribute in description.key}
        found = []
        for index in description.indexes:
            keys = frozenset(base | {attribute.name for attribute in index.key})
            projected = None if index.projection == "ALL" else keys | frozenset(index.non_key_attributes)
            found.append(WrittenIndex(index.name, keys, projected))
        return cls(tuple(found))

    @property
    def most_delete_units(self) -> float:
        """Return the write units of deleting the largest item that is in all indexes."""
        return MOST_ITEM_UNITS + sum(index.most_units for index in self.indexes)

    def units(self, before: Item, after: Item) -> dict[str | None, int]:
        """Return the write units of a write: of the table at `None`, of each written index by name.

        `before`, `after`: the item; empty if there is none, as before the put of a new one or after a delete.
        The table is billed by the larger of both (developer guide, "Write operation units"). An index is billed for an
        entry that is added, removed or changed, and twice (delete and put) if its key changes (developer guide, "Global
        secondary indexes", "Write capacity units").
        """
        units: dict[str | None, int] = {None: max(write_units(before), write_units(after))}
        for index in self.indexes:
            if count := _entry_units(index, before, after):
                units[index.name] = count
        return units


def write_units(item: Item) -> int:
    """Return the units of one write of an item; a write that changes nothing costs one unit, too."""
    return max(1, -(-item_bytes(item) // UNIT_BYTES))


def _entry_units(index: WrittenIndex, before: Item, after: Item) -> int:
    old, new = index.entry(before), index.entry(after)
    if is_same_item(old, new):
        return 0
    if old is None or new is None:
        return write_units(old or new or {})
    if any(not is_same_value(old[name], new[name]) for name in index.keys):
        return write_units(old) + write_units(new)
    return max(write_units(old), write_units(new))


@dataclass(frozen=True)
class WriteUnits:
    """Write units of the writes of a sample: their mean by index, and `largest`, those of the most expensive write."""

    mean: Mapping[str, float]
    largest: float

    @classmethod
    def of(cls, writes: Sequence[Mapping[str | None, int]]) -> Self:
        """Return the units of a sample. `writes`: the units of each write, by index."""
        total: Counter[str | None] = Counter()
        for units in writes:
            total.update(units)
        mean = {index or "table": units / len(writes) for index, units in total.items()}
        return cls(mean, float(max((sum(units.values()) for units in writes), default=0) or 1))

    @property
    def each(self) -> float:
        """Return the units of one write, all indexes included; 1 if the sample has no write."""
        return sum(self.mean.values()) or 1.0

    def to_json(self) -> dict[str, float]:
        return {index: round(units, 3) for index, units in self.mean.items()}
