"""The counts of one segment that is read whole, in memory that does not grow with the segment.

A figure has a name, which is a tuple: ("items",), ("attribute bytes", "status"). The counts have no value of an
attribute: only names, types, and the prefixes of sort keys.

Items are counted by columns: those of a page that have the same attributes and the same prefix are taken together, and
each attribute is counted over all of them at once. Counting them one by one takes six times as long.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, compress, islice
from operator import ne
from typing import Any

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.page import STEP_BYTES
from skipscan.dynamodb.source import Item, PartitionKey
from skipscan.dynamodb.write_units import contents_bytes, text_bytes
from skipscan.profile.form import bin_of, depth, expiries, forms, prefix

WRITE_STEP_BYTES = 1024
"""The bytes that a write unit writes (developer guide, "DynamoDB on-demand capacity mode")."""

WRITES_OF_A_READ = STEP_BYTES // WRITE_STEP_BYTES

ITEM_EDGES = tuple(1024 * kilobytes for kilobytes in (1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 400))
"""The upper ends of the classes of item sizes: the steps that are billed, then doubling up to the largest item."""

MOST_NAMES = 300
"""The attributes that are told apart; the rest counts as one."""

MOST_PREFIXES = 200
"""The prefixes of sort keys that are told apart in a segment."""

OTHER = "(other)"
"""What is not told apart. An attribute of this name would count here, too."""

Figure = tuple[str | int, ...]


@dataclass(frozen=True)
class IndexRule:
    """Which items an index holds, and which attributes of these. `projected`: `None` for all."""

    name: str
    key: tuple[tuple[str, str], ...]
    projected: frozenset[str] | None


@dataclass(frozen=True)
class TallyRules:
    """What is counted. `partition_key`: empty if it is not known. `sort_key`: its name, if it is a string.

    `ttl`: the attribute that expires items. `now`: seconds since 1970.
    """

    partition_key: tuple[str, ...]
    sort_key: str | None
    indexes: tuple[IndexRule, ...]
    ttl: str | None
    now: float


class Names:
    """The attributes and prefixes that are told apart, in all segments alike."""

    def __init__(self) -> None:
        self._bytes: dict[str, int] = {}
        self._prefixes: set[str] = set()

    def known(self, name: str) -> str:
        """Return the name under which an attribute is counted."""
        if name in self._bytes:
            return name
        if len(self._bytes) >= MOST_NAMES:
            return OTHER
        self._bytes[name] = text_bytes(name)
        return name

    def bytes(self, name: str) -> int:
        return self._bytes[name] if name in self._bytes else text_bytes(name)

    def prefix(self, sort_key: str) -> str | None:
        """Return the prefix of a sort key; `None` without one, or if there are too many."""
        found = prefix(sort_key)
        if found is None or found in self._prefixes:
            return found
        if len(self._prefixes) >= MOST_PREFIXES:
            return None
        self._prefixes.add(found)
        return found


Column = tuple[list[int], Sequence[str]]
"""The sizes and the types of the values of one attribute of several items."""

Run = tuple[int, int, set[str | None]]
"""Items of one collection that follow each other: their number, their bytes, and the prefixes of their sort keys."""

NOTHING: Run = (0, 0, set())


class SegmentTally:
    """The counts of one segment. Its items are added in the order of the scan, collection after collection.

    `counts`: what varies between segments. `details`: what is only needed of all segments together.
    """

    def __init__(self, rules: TallyRules, names: Names | None = None, segment: int = 0) -> None:
        self._rules, self._names, self.segment = rules, names or Names(), segment
        self._key: tuple[AttributeValue, ...] | PartitionKey = None
        self._open = NOTHING
        self.counts: Counter[Figure] = Counter()
        self.details: Counter[Figure] = Counter()
        self.largest_items = self.largest_bytes = self.deepest = 0

    def add(self, items: Sequence[Item]) -> None:
        """Count a page's items."""
        sizes = [0] * len(items)
        kinds: list[str | None] = [None] * len(items)
        if (sort_key := self._rules.sort_key) is not None:
            kinds = [self._names.prefix(item[sort_key]["S"]) for item in items]
        alike: dict[tuple[Any, str | None], list[int]] = {}
        for place, (item, kind) in enumerate(zip(items, kinds, strict=True)):
            alike.setdefault((tuple(item), kind), []).append(place)
        for (names, kind), places in alike.items():
            for place, size in zip(places, self._alike(names, kind, [items[place] for place in places]), strict=True):
                sizes[place] = size
        self._sizes(sizes)
        if self._rules.partition_key and items:
            self._collections(items, sizes, kinds)

    def end(self) -> None:
        """Count the collection that ends here; the key is forgotten."""
        if self._open[0]:
            self.ended([self._open])
        self._key, self._open = None, NOTHING

    def ended(self, collections: Sequence[Run]) -> None:
        """Count whole collections."""
        counts = self.counts
        counts["keys",] += len(collections)
        items, sizes, kinds = zip(*collections, strict=True)
        for measure, amounts in (("items", items), ("bytes", sizes)):
            for amount, number in Counter(amounts).items():
                place = bin_of(amount)
                counts[f"keys by {measure}", place] += number
                counts[f"{measure} by {measure}", place] += amount * number
        self.largest_items, self.largest_bytes = max(self.largest_items, *items), max(self.largest_bytes, *sizes)
        for kind, number in Counter(chain.from_iterable(kinds)).items():
            if kind is not None:
                counts["prefix keys", kind] += number

    def _collections(self, items: Sequence[Item], sizes: Sequence[int], kinds: Sequence[str | None]) -> None:
        """Count the collections that end within a page; the last one stays open."""
        names = self._rules.partition_key
        keys: list[Any] = [item[names[0]] for item in items]
        if len(names) > 1:
            keys = [tuple(item[name] for name in names) for item in items]
        begins = [0, *compress(range(1, len(keys)), map(ne, islice(keys, 1, None), keys))]
        runs: list[Run] = [
            (end - begin, sum(sizes[begin:end]), {*kinds[begin:end]})
            for begin, end in zip(begins, [*begins[1:], len(keys)], strict=True)
        ]
        is_new = keys[0] != self._key
        self.counts["first steps",] += sum(-(-sizes[place] // STEP_BYTES) for place in begins if place or is_new)
        if is_new:
            self.end()
        count, size, before = self._open
        runs[0] = (count + runs[0][0], size + runs[0][1], before | runs[0][2])
        if whole := runs[:-1]:
            self.ended(whole)
        self._key, self._open = keys[-1], runs[-1]

    def _sizes(self, sizes: Sequence[int]) -> None:
        """Count the sizes of items, and what reading and writing them takes. All edges are multiples of a step."""
        counts = self.counts
        counts["items",] += len(sizes)
        counts["bytes",] += sum(sizes)
        for steps, number in Counter([-(-size // WRITE_STEP_BYTES) for size in sizes]).items():
            counts["read steps",] += -(-steps // WRITES_OF_A_READ) * number
            counts["write units",] += steps * number
            size = steps * WRITE_STEP_BYTES
            counts["items of size", next((edge for edge in ITEM_EDGES if size <= edge), ITEM_EDGES[-1])] += number

    def _alike(self, names: Sequence[str], kind: str | None, items: Sequence[Item]) -> list[int]:
        """Count items with the same attributes and the same prefix; return their sizes."""
        counts, number = self.counts, len(items)
        columns: dict[str, Column] = {}
        for name in names:
            known, of_name = self._names.known(name), self._names.bytes(name)
            columns[name] = self._column(known, [item[name] for item in items])
            size = sum(columns[name][0]) + of_name * number
            counts["attribute items", known] += number
            counts["attribute bytes", known] += size
            self.details["name bytes", known] += of_name * number
            if kind is not None:
                self.details["prefix attribute", kind, known] += size
        sizes = self._summed(columns, names)
        if kind is not None:
            counts["prefix items", kind] += number
            counts["prefix bytes", kind] += sum(sizes)
        if self._rules.indexes:
            self._indexed(columns, sizes)
        if self._rules.ttl in columns:
            values = [item[self._rules.ttl] for item in items]
            for state, found in expiries(values, self._rules.now).items():
                counts["ttl", state] += found
        return sizes

    def _summed(self, columns: Mapping[str, Column], names: Iterable[str]) -> list[int]:
        """Return the sizes of items, of these attributes only."""
        of_names = sum(map(self._names.bytes, names))
        return [of_names + sum(row) for row in zip(*(columns[name][0] for name in names), strict=True)]

    def _column(self, known: str, values: Sequence[AttributeValue]) -> Column:
        """Count the types and forms of an attribute; return the sizes of its values, without its name."""
        kind = next(iter(values[0]))
        try:
            return self._contents(known, kind, [value[kind] for value in values]), [kind] * len(values)
        except KeyError:
            kinds = [*map(next, map(iter, values))]
        sizes = [0] * len(values)
        for kind in dict.fromkeys(kinds):
            places = [place for place, one in enumerate(kinds) if one == kind]
            found = self._contents(known, kind, [values[place][kind] for place in places])
            for place, size in zip(places, found, strict=True):
                sizes[place] = size
        return sizes, kinds

    def _contents(self, known: str, kind: str, contents: Sequence[Any]) -> list[int]:
        """Count the contents of values of one type; return their sizes."""
        details = self.details
        details["type", known, kind] += len(contents)
        for found, number in forms(kind, contents).items():
            details["form", known, found] += number
        if kind in "ML":
            self.deepest = max(self.deepest, depth(kind, contents))
        return contents_bytes(kind, contents)

    def _indexed(self, columns: Mapping[str, Column], sizes: Sequence[int]) -> None:
        """Count the items of a group that are in each index: they have its key attributes, in the right types."""
        indexes, details = self._rules.indexes, self.details
        holders = [_held(index, columns, len(sizes)) for index in indexes]
        for index, held in zip(indexes, holders, strict=True):
            if any(held):
                projected = [name for name in columns if index.projected is None or name in index.projected]
                whole = sizes if len(projected) == len(columns) else self._summed(columns, projected)
                chosen = [*compress(whole, held)]
                self.counts["index items", index.name] += len(chosen)
                details["index bytes", index.name] += sum(chosen)
                details["index write units", index.name] += sum(-(-size // WRITE_STEP_BYTES) for size in chosen)
        for one, other in combinations(range(len(indexes)), 2):
            if indexes[one].projected == indexes[other].projected:
                differing = sum(map(ne, holders[one], holders[other]))
                details["in one index", indexes[one].name, indexes[other].name] += differing


def _held(index: IndexRule, columns: Mapping[str, Column], number: int) -> Sequence[bool]:
    """Return which items an index holds."""
    if any(name not in columns for name, _ in index.key):
        return [False] * number
    each = ([one == kind for one in columns[name][1]] for name, kind in index.key)
    return [*map(all, zip(*each, strict=True))]
