"""The counts of one segment that is read whole, in memory that does not grow with the segment.

A count has a name, which is a tuple: ("items",), ("attribute bytes", "status"). The counts have no value of an
attribute: only names, types, and the prefixes of sort keys.

Items are counted by columns: those of a page that have the same attributes, of the same types, and the same prefix are
taken together, and each attribute is counted over all of them at once. One by one takes six times as long.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, combinations, compress, islice, pairwise
from operator import ne
from typing import Any

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.page import STEP_BYTES
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import UNIT_BYTES, WrittenIndex, WrittenTable, contents_bytes, text_bytes
from skipscan.profile.form import bin_of, depth, expiries, forms, prefix

WRITES_OF_A_READ = STEP_BYTES // UNIT_BYTES

ITEM_EDGES = tuple(1024 * kilobytes for kilobytes in (1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 400))
"""The upper ends of the classes of item sizes: the steps that are billed, then doubling up to the largest item."""

MOST_NAMES = 300
"""The attributes that are told apart; the rest counts as one."""

MOST_PREFIXES = 200
"""The prefixes of sort keys that are told apart in a segment."""

OTHER = "(other)"
"""What is not told apart. An attribute of this name would count here, too."""

CountName = tuple[str | int, ...]


class TallyRules:
    """What is counted of a table's items, and the names that are told apart, in all segments alike.

    `description`: `None` if it is not known. `ttl`: the attribute that expires items. `now`: seconds since 1970.
    """

    def __init__(self, description: TableDescription | None, ttl: str | None = None, now: float = 0.0) -> None:
        self.ttl, self.now = ttl, now
        self.partition_key: str | None = None
        self.sort_key: str | None = None  # if it is a string
        self.indexes: Sequence[WrittenIndex] = ()
        self.types: Mapping[str, str] = {}
        if description is not None:
            self.partition_key = description.partition_key[0].name
            self.sort_key = next((key.name for key in description.sort_key if key.type == "S"), None)
            self.indexes, self.types = WrittenTable.described(description).indexes, description.attribute_types
        self._names: set[str] = set()
        self._prefixes: set[str] = set()

    def name(self, attribute: str) -> str:
        """Return the name under which an attribute is counted."""
        return attribute if _is_told_apart(attribute, self._names, MOST_NAMES) else OTHER

    def prefix(self, sort_key: str) -> str | None:
        """Return the prefix of a sort key; `None` without one, or if there are too many."""
        found = prefix(sort_key)
        return found if found and _is_told_apart(found, self._prefixes, MOST_PREFIXES) else None


def _is_told_apart(name: str, told: set[str], most: int) -> bool:
    """Return whether a name is one of the first so many."""
    if len(told) < most:
        told.add(name)
    return name in told


Run = tuple[int, int, set[str | None]]
"""Items of one collection that follow each other: their number, their bytes, and the prefixes of their sort keys."""

NOTHING: Run = (0, 0, set())


class SegmentTally:
    """The counts of one segment. Its items are added in the order of the scan, collection after collection.

    `counts`: what varies between segments. `details`: what is only needed of all segments together. `largest`: the most
    items and bytes of a collection, and the most levels of maps and lists.
    """

    def __init__(self, rules: TallyRules, segment: int = 0) -> None:
        self._rules, self.segment = rules, segment
        self._key: AttributeValue | None = None
        self._open = NOTHING
        self.counts: Counter[CountName] = Counter()
        self.details: Counter[CountName] = Counter()
        self.largest: Counter[str] = Counter()

    def add(self, items: Sequence[Item]) -> None:
        """Count a page's items."""
        sizes = [0] * len(items)
        prefixes: list[str | None] = [None] * len(items)
        if (sort_key := self._rules.sort_key) is not None:
            prefixes = [self._rules.prefix(item[sort_key]["S"]) for item in items]
        alike: dict[tuple[Any, ...], dict[tuple[str, ...], list[int]]] = {}
        for place, (item, prefixed) in enumerate(zip(items, prefixes, strict=True)):
            types = tuple(chain.from_iterable(item.values()))
            alike.setdefault((tuple(item), prefixed), {}).setdefault(types, []).append(place)
        for (names, prefixed), by_types in alike.items():
            for types, places in by_types.items():  # in the order of the scan, as the page names them
                type_of, group = dict(zip(names, types, strict=True)), [items[place] for place in places]
                for place, size in zip(places, self._alike(type_of, prefixed, group), strict=True):
                    sizes[place] = size
        self._sizes(sizes)
        if (partition_key := self._rules.partition_key) is not None and items:
            self._collections([item[partition_key] for item in items], sizes, prefixes)

    def end(self) -> None:
        """Count the collection that ends here; the key is forgotten."""
        if self._open[0]:
            self.ended([self._open])
        self._key, self._open = None, NOTHING

    def ended(self, collections: Sequence[Run]) -> None:
        """Count whole collections."""
        counts = self.counts
        counts["keys",] += len(collections)
        items, sizes, prefixes = zip(*collections, strict=True)
        for measure, amounts in (("items", items), ("bytes", sizes)):
            for amount, number in Counter(amounts).items():
                place = bin_of(amount)
                counts[f"keys by {measure}", place] += number
                counts[f"{measure} by {measure}", place] += amount * number
            self.largest[measure] = max(self.largest[measure], *amounts)
        for prefixed, number in Counter(chain.from_iterable(prefixes)).items():
            if prefixed is not None:
                counts["prefix keys", prefixed] += number

    def _collections(
        self, keys: Sequence[AttributeValue], sizes: Sequence[int], prefixes: Sequence[str | None]
    ) -> None:
        """Count the collections that end within a page; the last one stays open. `keys`: the items' partition keys."""
        begins = [0, *compress(range(1, len(keys)), map(ne, islice(keys, 1, None), keys))]
        runs: list[Run] = [
            (end - begin, sum(sizes[begin:end]), {*prefixes[begin:end]})
            for begin, end in pairwise([*begins, len(keys)])
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
        for steps, number in Counter([-(-size // UNIT_BYTES) for size in sizes]).items():
            counts["read steps",] += -(-steps // WRITES_OF_A_READ) * number
            counts["write units",] += steps * number
            size = steps * UNIT_BYTES
            counts["items of size", next((edge for edge in ITEM_EDGES if size <= edge), ITEM_EDGES[-1])] += number

    def _alike(self, types: Mapping[str, str], prefixed: str | None, items: Sequence[Item]) -> Sequence[int]:
        """Count items with the same attributes of the same types, and the same prefix; return their sizes."""
        counts, details, number = self.counts, self.details, len(items)
        columns: dict[str, Sequence[int]] = {}
        for name, kind in types.items():
            contents = [item[name][kind] for item in items]
            columns[name] = contents_bytes(kind, contents)
            known, of_name = self._rules.name(name), text_bytes(name) * number
            size = sum(columns[name]) + of_name
            counts["attribute items", known] += number
            counts["attribute bytes", known] += size
            details["name bytes", known] += of_name
            details["type", known, kind] += number
            for form, found in forms(kind, contents).items():
                details["form", known, form] += found
            if kind in "ML":
                self.largest["levels"] = max(self.largest["levels"], depth(kind, contents))
            if prefixed is not None:
                details["prefix attribute", prefixed, known] += size
        sizes = _summed(columns, types)
        if prefixed is not None:
            counts["prefix items", prefixed] += number
            counts["prefix bytes", prefixed] += sum(sizes)
        self._indexed(types, columns, sizes)
        if (ttl := self._rules.ttl) in columns:
            for state, found in expiries([item[ttl] for item in items], self._rules.now).items():
                counts["ttl", state] += found
        return sizes

    def _indexed(self, types: Mapping[str, str], columns: Mapping[str, Sequence[int]], sizes: Sequence[int]) -> None:
        """Count such items in each index that holds them: they have its key attributes, in the right types."""
        details, right = self.details, self._rules.types
        found = [(index, all(types.get(name) == right[name] for name in index.keys)) for index in self._rules.indexes]
        for index, is_held in found:
            if is_held:
                projected = [name for name in columns if index.projected is None or name in index.projected]
                entries = sizes if len(projected) == len(columns) else _summed(columns, projected)
                self.counts["index items", index.name] += len(entries)
                details["index bytes", index.name] += sum(entries)
                details["index write units", index.name] += sum(-(-size // UNIT_BYTES) for size in entries)
        for (one, in_one), (other, in_other) in combinations(found, 2):
            if one.projected == other.projected and in_one == in_other:
                details["alike in indexes", *sorted((one.name, other.name))] += len(sizes)


def _summed(columns: Mapping[str, Sequence[int]], names: Collection[str]) -> Sequence[int]:
    """Return the sizes of items, of these attributes only, from the sizes of their values."""
    of_names = sum(map(text_bytes, names))
    return [of_names + sum(row) for row in zip(*(columns[name] for name in names), strict=True)]
