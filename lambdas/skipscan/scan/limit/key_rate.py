"""How many new keys a page brings, by how many items it may evaluate: learnt from the pages that came.

A page begins at a fresh item collection, so pages are a renewal process, and all that matters of it is the rate
at which collections begin at the k-th item of a page. A page of n items is a sample of that rate at every place up to
n, so nothing has to be assumed about the lengths of collections: a giant that swallows a page shows as a rate that
falls with k, one item per key as a rate of one.
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
"""The rate at the second item before anything is known: high enough to try two items, low enough to give it up."""

NEAR_ITEMS, FAR_ITEMS = 2.0, 16.0
"""What the rate of the stretch before counts for, in items seen, near the page's beginning and further on."""


STRETCHES_BEFORE = 4
"""A stretch without pages is taken to be like so many stretches before it, two doublings. A single stretch may hold no
beginning, or all of them, if collections have equal lengths."""

EXACT_PLACES = 64
"""So many places at a page's beginning are also counted one by one. If collections have equal lengths, all keys of a
stretch stand at one place of it."""

STRETCH_ITEMS = 10.0
"""The weight of a stretch's rate in the rate of a single place, in items seen at that place."""


@dataclass
class StretchRate:
    """Per stretch of places in a page: the items seen there, and how many of them began an item collection.

    Enough for a sample of a few dozen pages, and calm: its first pages do not depend on single places.
    """

    items: list[float] = field(default_factory=list)
    keys: list[float] = field(default_factory=list)
    farthest: int = 0
    """The most items a page has had."""

    def observe(self, evaluated: int, places: Sequence[int]) -> None:
        """Learn from a page of so many items, in which new keys stood at these places (0 is the first)."""
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
        """Return the keys that a page of each limit will bring; `limits` ascend from 1."""
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
        """Return the rate in each stretch, and where it ends. What is unknown is like the stretch before it."""
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
class KeyRate(StretchRate):
    """The rate of each stretch, and of each of the first `EXACT_PLACES` places.

    `place_pages`: pages that ended right behind each of these places. `place_keys`: keys that began there.
    """

    place_pages: list[float] = field(default_factory=list)
    place_keys: list[float] = field(default_factory=list)

    def observe(self, evaluated: int, places: Sequence[int]) -> None:
        """Learn from a page of so many items, in which new keys stood at these places (0 is the first)."""
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
        """Return the rate of each place or stretch, and where it ends. Unseen stretches are like those before them."""
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
        """Return the rate of a single place. `pages`: how many saw each place; `rate`: of the place's stretch."""
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
