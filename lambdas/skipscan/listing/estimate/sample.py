"""What a sample has read of a table's hash space: random segments, walked in one of several ways.

A hash distributes partition keys, so a segment chosen at random out of many is an unbiased sample of the keys.

A page cuts off its last collection, which therefore has *at least* the observed length. Kaplan and Meier's estimate of
lengths uses such censored ones, and assumes no distribution.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate, pairwise
from random import Random
from typing import NamedTuple

from skipscan.listing.estimate.interval import Interval, Seen, keys_in_all, ratio
from skipscan.scan.limit.item_size import ItemSize
from skipscan.scan.take import Taken

BLOCK = 256
ENDLESS = 1 << 40
"""Longer than any page that begins in it."""


@dataclass
class Lengths:
    """`ended`: how many collections of each length were seen whole; `cut`: how many with at least that length."""

    ended: Counter[int] = field(default_factory=Counter)
    cut: Counter[int] = field(default_factory=Counter)

    def observe(self, evaluated: int, places: Sequence[int], *, is_last: bool) -> None:
        """Learn from a page of so many items, with new keys at these places; a segment's last collection is whole."""
        if not places:
            return
        self.ended.update(after - before for before, after in pairwise(places))
        (self.ended if is_last else self.cut)[evaluated - places[-1]] += 1

    def count(self, lines: Iterable[Taken]) -> None:
        """Learn from groups whose items were counted, up to a number or to the end."""
        for counted in (line.counted for line in lines if line.counted):
            (self.cut if counted.more else self.ended)[counted.items] += 1

    def drawn(self, random: Random) -> Iterator[int]:
        """Yield random lengths, without end, from one of the distributions that fit the observations.

        A collection longer than any page is as likely to double its length as to end before, at every scale.
        """
        lengths, sums = self._distribution(random)
        longest = max([1, *self.ended, *self.cut])
        while True:
            for length in random.choices([*lengths, 0], cum_weights=[*sums, 1.0 + 1e-9], k=BLOCK):
                yield length or int(min(longest / (1 - random.random()), ENDLESS))

    def _distribution(self, random: Random) -> tuple[list[int], list[float]]:
        """Return lengths and their cumulative chances, with weights drawn by Rubin's Bayesian bootstrap."""
        ended = {length: random.gammavariate(count, 1.0) for length, count in self.ended.items()}
        cut = {length: random.gammavariate(count, 1.0) for length, count in self.cut.items()}
        at_risk = sum(ended.values()) + sum(cut.values())
        lengths, chances = [], []
        left = 1.0
        for length in sorted(ended.keys() | cut.keys()):
            at_risk -= cut.get(length, 0.0)  # the pages do not show where these would have ended
            if ending := ended.get(length):
                lengths.append(length)
                chances.append(left * min(1.0, ending / at_risk))
                left -= chances[-1]
                at_risk -= ending
        return lengths, list(accumulate(chances))


class Way(StrEnum):
    """How a sampled segment is walked, which decides the strategy that it shows."""

    ADAPTIVE = "adaptive"  # with the Limit that a run chooses
    FIRST = "first item"  # Limit=1
    PAGE = "page"  # every item


class Walked(NamedTuple):
    """A sampled segment. `ended`: the walk reached its end. `keys`: of groups; `collections`: that hold these."""

    way: Way
    ended: bool
    keys: int
    items: int
    requests: int
    read_units: float
    collections: int


@dataclass
class Sample:
    """What was read: `walked` segments of so many `segments`, each equally likely.

    `skips`: whether a run would skip. `aside`: segments that were read whole, or started, only for the size. `requests`
    and `read_units`: the consumption of everything, including the search for the number of segments. `first_steps`: how
    many first items took so many steps of 4 KB, read one by one. `more_steps`: further steps of all other pages after
    their first. `lengths`, `size`: of item collections and of items, as the pages showed them. `lines`, `line_bytes`:
    of some of the keys, as a run writes them. `has_level`: keys are those of groups within item collections. `counts`:
    so many items of each group are counted at most, and the walks read on to them; 0: the run does not count, or all.
    `most_keys`: of the walk that met the most.
    """

    seed: int
    segments: int = 1
    walked: list[Walked] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    requests: int = 0
    read_units: float = 0.0
    first_steps: Counter[int] = field(default_factory=Counter)
    more_steps: int = 0
    skips: bool = True
    aside: list[Walked] = field(default_factory=list)
    lengths: Lengths = field(default_factory=Lengths)
    size: ItemSize = field(default_factory=ItemSize)
    lines: int = 0
    line_bytes: int = 0
    has_level: bool = False
    counts: int = 0
    most_keys: int = 0

    @property
    def ended(self) -> list[Walked]:
        return [segment for segment in self.walked if segment.ended]

    @property
    def part(self) -> float:
        """The walked part of the hash space."""
        return len(self.ended) / self.segments

    @property
    def keys(self) -> Interval:
        """Return the number of distinct partition keys in the whole table, or of all groups.

        A hash deals item collections, not groups: all groups of a collection are in one segment. So the number of
        collections is multiplied by the groups of each.
        """
        if self.part == 1:
            return Interval.exactly(float(sum(segment.keys for segment in self.ended)))
        collections = keys_in_all(self.seen)
        if not self.has_level:
            return collections
        groups = ratio(
            [segment.keys for segment in self.ended], [segment.collections for segment in self.ended], self.part
        )
        return collections.times(groups).at_least(self.most_keys)
