"""Estimate the number of new keys on a page of so many items, from the pages so far.

Every page begins at a new item collection, so pages are a renewal process. It depends only on the rate at which
collections begin at the k-th item of a page. A page of n items is a sample of that rate at every place up to n. So this
module assumes nothing about the lengths of collections. If giant collections fill pages, the rate falls with k. If
every item has its own key, the rate is 1.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Self


def _edges() -> Iterator[int]:
    """Places 0, 1, 2, 3, then two stretches to every doubling: 4-5, 6-7, 8-11, 12-15 and so on."""
    yield from (0, 1, 2, 3)
    edge = 4
    while edge < 1 << 17:  # more items than a page of 1 MB can hold
        yield edge
        yield edge * 3 // 2
        edge *= 2


EDGES = tuple(_edges())
FIRST_GUESS = 0.6
"""The rate at the second item before the first page. High enough to try two items, low enough to stop soon."""

NEAR_ITEMS, FAR_ITEMS = 2.0, 16.0
"""The weight of the rate of the stretch before, in items seen: near the beginning of the page, and further on."""


STRETCHES_BEFORE = 4
"""The number of earlier stretches whose rate a stretch without pages has: two doublings. One stretch is not enough: if
collections have equal lengths, it can have no beginning of a collection or all of them."""

EXACT_PLACES = 128
"""The number of places at the beginning of a page that are also counted one by one. If collections have equal lengths,
all keys of a stretch are at one of its places."""

STRETCH_ITEMS = 10.0
"""The weight of a stretch's rate in the rate of a single place, in items seen at that place."""


@dataclass
class BucketedKeyRate:
    """For each stretch of places in a page: the items seen, and the number of them that began an item collection.

    This is enough for a sample of a few dozen pages, and stable: its first pages do not depend on single places.
    """

    items: list[float] = field(default_factory=list)
    keys: list[float] = field(default_factory=list)
    farthest: int = 0
    """The number of items of the longest page."""

    def observe(self, evaluated: int, places: Sequence[int]) -> None:
        """Learn from a page of `evaluated` items. `places`: where a collection began (0 is the first item)."""
        last = bisect_right(EDGES, evaluated - 1)
        while len(self.items) < last:
            self.items.append(0.0)
            self.keys.append(0.0)
        for stretch in range(last - 1):
            self.items[stretch] += EDGES[stretch + 1] - EDGES[stretch]
        self.items[last - 1] += evaluated - EDGES[last - 1]
        for place in places:
            self.keys[bisect_right(EDGES, place) - 1] += 1
        self.farthest = max(self.farthest, evaluated)

    def expected(self, limits: Sequence[int]) -> list[float]:
        """Return the expected number of keys on a page of each limit. `limits` ascend from 1."""
        expected = []
        rates = self._rates()
        rate, end = next(rates)
        keys, place = 0.0, 0
        for limit in limits:
            while limit > end:
                keys += rate * (end - place)
                place = end
                rate, end = next(rates)
            keys += rate * (limit - place)
            place = limit
            expected.append(keys)
        return expected

    def _rates(self) -> Iterator[tuple[float, int]]:
        """Return the rate of each stretch, and its end. An unseen stretch has the rate of the one before."""
        yield 1.0, 1
        rate = FIRST_GUESS
        for stretch in range(1, len(EDGES)):
            weight = NEAR_ITEMS if stretch < 4 else min(FAR_ITEMS, EDGES[stretch] - EDGES[stretch - 1])
            if stretch < len(self.items):
                rate = (self.keys[stretch] + weight * rate) / (self.items[stretch] + weight)
            yield rate, EDGES[stretch + 1] if stretch + 1 < len(EDGES) else 1 << 62

    def forget(self) -> None:
        """Forget all pages."""
        self.items, self.keys = [], []

    def to_json(self) -> dict[str, Any]:
        return {
            "items": [round(count, 1) for count in self.items],
            "keys": [round(count, 1) for count in self.keys],
            "farthest": self.farthest,
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(list(document["items"]), list(document["keys"]), document["farthest"])


@dataclass
class KeyRate(BucketedKeyRate):
    """The rate of each stretch, and of each of the first `EXACT_PLACES` places.

    `place_pages`: the number of pages whose last counted item is at each of these places. `place_keys`: the number of
    new keys at each.
    """

    place_pages: list[float] = field(default_factory=list)
    place_keys: list[float] = field(default_factory=list)

    def observe(self, evaluated: int, places: Sequence[int]) -> None:
        """Learn from a page of `evaluated` items. `places`: where a collection began (0 is the first item)."""
        super().observe(evaluated, places)
        near = min(evaluated, EXACT_PLACES)
        unseen = [0.0] * (near - len(self.place_pages))
        self.place_pages += unseen
        self.place_keys += unseen
        self.place_pages[near - 1] += 1
        for place in places:
            if place < EXACT_PLACES:
                self.place_keys[place] += 1

    def _rates(self) -> Iterator[tuple[float, int]]:
        """Return the rate of each place or stretch, and its end. An unseen stretch has the rate of those before it."""
        yield 1.0, 1
        rate = FIRST_GUESS
        pages = list(accumulate(reversed(self.place_pages)))[::-1]
        before: deque[tuple[float, int]] = deque(maxlen=STRETCHES_BEFORE)
        for stretch in range(1, len(EDGES)):
            end = EDGES[stretch + 1] if stretch + 1 < len(EDGES) else 1 << 62
            width = end - EDGES[stretch]
            if before:
                rate = sum(one * items for one, items in before) / sum(items for _, items in before)
            if stretch < len(self.items):
                weight = NEAR_ITEMS if stretch < 4 else min(FAR_ITEMS, width)
                rate = (self.keys[stretch] + weight * rate) / (self.items[stretch] + weight)
            before.append((rate, width))
            if end <= EXACT_PLACES:
                for place in range(EDGES[stretch], end):
                    yield self._at(place, pages, rate), place + 1
            else:
                yield rate, end

    def _at(self, place: int, pages: Sequence[float], rate: float) -> float:
        """Return the rate of one place. `pages`: how many pages reach each place. `rate`: the stretch's rate."""
        if place >= len(pages):
            return rate
        return (self.place_keys[place] + STRETCH_ITEMS * rate) / (pages[place] + STRETCH_ITEMS)

    def forget(self) -> None:
        """Forget all pages."""
        super().forget()
        self.place_pages, self.place_keys = [], []

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "place_pages": self.place_pages, "place_keys": self.place_keys}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        stretches = super().from_json(document)
        stretches.place_pages, stretches.place_keys = list(document["place_pages"]), list(document["place_keys"])
        return stretches
