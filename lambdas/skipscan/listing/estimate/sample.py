"""What a sample has read of a table's hash space: random segments, walked in one of several ways.

A hash distributes partition keys, so a segment chosen at random out of many is an unbiased sample of the keys.
"""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from skipscan.listing.estimate.interval import Interval, Seen, keys_in_all, ratio
from skipscan.listing.estimate.lengths import Lengths
from skipscan.scan.limit.item_size import ItemSize


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
