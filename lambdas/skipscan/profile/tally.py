"""The counts of one segment that is read whole, in memory that does not grow with the segment.

A figure has a name, which is a tuple: ("items",), ("attribute bytes", "status"). The counts have no value of an
attribute: only names, types, and the prefixes of sort keys.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.item_bytes import value_bytes
from skipscan.dynamodb.page import STEP_BYTES
from skipscan.dynamodb.source import Item, PartitionKey
from skipscan.profile.bins import bin_of
from skipscan.profile.expiry import expiry
from skipscan.profile.form import depth, form, prefix

WRITE_STEP_BYTES = 1024
"""The bytes that a write unit writes (developer guide, "DynamoDB on-demand capacity mode")."""

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

    def holds(self, item: Item) -> bool:
        """Return whether an item has every key attribute, in the right type: others are not in the index."""
        return all(kind in item.get(name, ()) for name, kind in self.key)


@dataclass(frozen=True)
class TallyRules:
    """What is counted. `sort_key`: its name, if it is a string. `ttl`: the attribute that expires items.

    `now`: seconds since 1970.
    """

    partition_key: tuple[str, ...]
    sort_key: str | None
    indexes: tuple[IndexRule, ...]
    ttl: str | None
    now: float


class SegmentTally:
    """The counts of one segment. Its items are added in the order of the scan, collection after collection."""

    def __init__(self, rules: TallyRules) -> None:
        self._rules = rules
        self._key: tuple[AttributeValue, ...] | PartitionKey = None
        self._items = self._bytes = 0
        self._prefixes: set[str] = set()
        self._names: dict[str, int] = {}
        self._told: set[str] = set()
        self.counts: Counter[Figure] = Counter()
        self.largest_items = self.largest_bytes = self.deepest = 0
        self.item_bytes = 0

    def add(self, items: Sequence[Item]) -> None:
        """Count a page's items."""
        for item in items:
            key = tuple(item[name] for name in self._rules.partition_key)
            if key != self._key:
                self.end()
                self._key = key
            self._add(item)

    def end(self) -> None:
        """Count the collection that ends here; the key is forgotten."""
        if self._items:
            self.collection(self._items, self._bytes, self._prefixes)
        self._key, self._items, self._bytes, self._prefixes = None, 0, 0, set()

    def collection(self, items: int, size: int, prefixes: Iterable[str] = ()) -> None:
        """Count a collection of so many items and bytes."""
        counts = self.counts
        counts["keys",] += 1
        for measure, amount in (("items", items), ("bytes", size)):
            place = bin_of(amount)
            counts["keys by " + measure, place] += 1
            counts[measure + " by " + measure, place] += amount
        for name in prefixes:
            counts["prefix keys", name] += 1
        self.largest_items, self.largest_bytes = max(self.largest_items, items), max(self.largest_bytes, size)

    def size(self, size: int) -> None:
        """Count the size of one item, and what reading and writing it takes."""
        counts = self.counts
        counts["items",] += 1
        counts["bytes",] += size
        counts["read steps",] += -(-size // STEP_BYTES)
        counts["write units",] += -(-size // WRITE_STEP_BYTES)
        counts["items of size", next((edge for edge in ITEM_EDGES if size <= edge), ITEM_EDGES[-1])] += 1
        self.item_bytes += size

    def _add(self, item: Item) -> None:
        counts, rules = self.counts, self._rules
        kind = self._prefix(item)
        sizes: dict[str, int] = {}
        for name, value in item.items():
            known = self._known(name)
            ((type_, content),) = value.items()
            of_name = self._names[known] if known is not OTHER else len(name.encode("utf-8", "surrogatepass"))
            size = of_name + value_bytes(value)
            sizes[name] = size
            counts["attribute items", known] += 1
            counts["attribute bytes", known] += size
            counts["name bytes", known] += of_name
            counts["type", known, type_] += 1
            if found := form(type_, content):
                counts["form", known, found] += 1
            if type_ in "ML":
                self.deepest = max(self.deepest, depth(value))
            if kind is not None:
                counts["prefix attribute", kind, known] += size
        size = sum(sizes.values())
        self.size(size)
        self._items += 1
        self._bytes += size
        if kind is not None:
            counts["prefix items", kind] += 1
            counts["prefix bytes", kind] += size
            self._prefixes.add(kind)
        for index in rules.indexes:
            if index.holds(item):
                held = sum(sizes[n] for n in sizes if index.projected is None or n in index.projected)
                counts["index items", index.name] += 1
                counts["index bytes", index.name] += held
                counts["index write units", index.name] += ceil(held / WRITE_STEP_BYTES)
        if rules.ttl is not None and (found := expiry(item.get(rules.ttl), rules.now)):
            counts["ttl", found] += 1

    def _prefix(self, item: Item) -> str | None:
        """Return the prefix of an item's sort key; `None` without one, or if there are too many."""
        name = self._rules.sort_key
        found = None if name is None else prefix(item[name]["S"])
        if found is None or found in self._told:
            return found
        if len(self._told) >= MOST_PREFIXES:
            return None
        self._told.add(found)
        return found

    def _known(self, name: str) -> str:
        """Return the name under which an attribute is counted, and remember its bytes."""
        if name not in self._names:
            if len(self._names) >= MOST_NAMES:
                return OTHER
            self._names[name] = len(name.encode("utf-8", "surrogatepass"))
        return name
