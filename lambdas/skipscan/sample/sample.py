"""What a sample has read of a table's hash space: random segments, walked in one of several ways.

A hash distributes partition keys, so a segment chosen at random out of many is an unbiased sample of the keys.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from operator import add, attrgetter

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.sample.clusters import LEAST_SEGMENTS, count_in_all, unevenness, unseen
from skipscan.sample.interval import Interval
from skipscan.scan.limit import LimitPolicy
from skipscan.scan.plan import Plan
from skipscan.scan.take import EachItem

FEW_GROUPS = 30
"""With fewer, a sample says nothing of the longest groups, which may hold most of the items to count."""


@dataclass
class Walked:
    """A walk of a `part` of the hash space. `ended`: it reached its end, so that what it met is all.

    `collections`: with groups that have lines or without. `keys`: of groups that have lines. `groups`: all that a walk
    skips, also those outside a range. `lines`: of the groups, more than one of each if a run takes each item. `end`:
    the part of a page that its end took. `rest`: what may be left of the group in which it was broken off, as a part of
    the longest; 0 where none is the longest.
    """

    collections: int = 0
    ended: bool = False
    keys: int = 0
    groups: int = 0
    lines: int = 0
    requests: int = 0
    read_units: float = 0.0
    end: float = 0.0
    rest: float = 0.0
    part: float = 0.0


@dataclass
class Sample:
    """What was read for a plan: `walked` segments of so many `segments`, each equally likely, and all that were `seen`.

    `is_of_all`: every item of the segments was read; else they were skipped through. `policy`: what it learnt from the
    pages. `requests` and `read_units`: the consumption of everything, including the search for the number of segments.
    `lines`, `line_bytes`: of some of the keys, as a run writes them.
    """

    plan: Plan
    seed: int
    segments: int = 1
    walked: list[Walked] = field(default_factory=list)
    seen: list[Walked] = field(default_factory=list)
    is_of_all: bool = False
    policy: LimitPolicy = field(default_factory=LimitPolicy)
    requests: int = 0
    read_units: float = 0.0
    lines: int = 0
    line_bytes: int = 0

    @property
    def reads_on(self) -> bool:
        """Whether the walks read on in their groups, as the run does, up to `most_items`."""
        return self.plan.take.reads_on and self.plan.skips

    @property
    def most_items(self) -> float:
        return self.plan.take.most_items or inf

    @property
    def ended(self) -> list[Walked]:
        return [segment for segment in self.walked if segment.ended]

    @property
    def item_bytes(self) -> float:
        """The average item."""
        return self.policy.item * STEP_BYTES

    @property
    def part(self) -> float:
        """The walked part of the hash space."""
        return len(self.ended) / self.segments

    @property
    def keys(self) -> Interval:
        """Return the number of distinct partition keys in the whole table, or of all groups that have lines."""
        keys = attrgetter("keys")
        # Without a level a collection has one or none.
        found = self._counted(keys) if self.plan.source.level is None else self._in_all([*map(keys, self.walked)])
        return found.at_least(self._most(keys))

    @property
    def groups(self) -> Interval:
        """Return the number of groups that a walk skips."""
        if not self.plan.groups.has_several:
            return self.collections
        groups = attrgetter("groups")
        return self._in_all([*map(groups, self.walked)]).at_least(self._most(groups))

    @property
    def collections(self) -> Interval:
        """Return the number of item collections in the whole table, never below those of the walk that met the most."""
        return self._collections()

    def _collections(self, uneven: float = 0.0) -> Interval:
        collections = attrgetter("collections")
        return self._counted(collections, uneven).at_least(self._most(collections))

    def _most(self, count_of: Callable[[Walked], int]) -> int:
        """Return how many the walk met that met the most."""
        return max(map(count_of, self.seen), default=0)

    @property
    def lines_written(self) -> Interval:
        """Return the number of lines that a run writes."""
        take = self.plan.take
        if not isinstance(take, EachItem):
            return self.keys
        most = inf if take.most_items is None else take.lines_of(take.most_items)
        return self.of_groups([walked.lines for walked in self.walked], most)

    def of_groups(self, values: Sequence[float], most: float) -> Interval:
        """Return what the groups of all segments have, from what those of each walk have. `most`: of a group."""
        # Half of what may be left of its last group.
        cut = [most * walked.rest / 2 if walked.rest else 0.0 for walked in self.walked]
        found = self._in_all([*map(add, values, cut)])
        if self.part == 1:
            return found
        met = sum(walked.collections for walked in self.walked)
        if most == inf or len(self.ended) < LEAST_SEGMENTS or met < FEW_GROUPS:
            return Interval(found.estimate, found.low, inf)
        # Groups of a kind that the sample has not met may be as long as can be.
        others = self.groups.high * unseen(sum(walked.groups for walked in self.walked))
        return Interval(found.estimate, found.low, found.high + others * most)

    def _counted(self, count_of: Callable[[Walked], int], uneven: float = 0.0) -> Interval:
        """Return how many the whole table has of what a collection has one or none of.

        Pages of the search decided how large the segments are, so its walks count only where no segment has any.
        """
        ended, part = self.ended, self.part
        if not any(walked.collections for walked in ended):
            largest = max((walked for walked in self.seen if walked.ended), key=attrgetter("part"), default=Walked())
            ended, part = [largest], max(part, largest.part)
        return count_in_all(sum(map(count_of, ended)), part, uneven)

    def _in_all(self, values: Sequence[float]) -> Interval:
        """Return what the whole table has, from what each walk has.

        A hash deals item collections, not groups: all groups of a collection are in one segment. So the number of
        collections is multiplied by what each has. A walk that the budget broke off counts, too: long collections use
        the budget up, so it is mostly in one of them, and without it the figure would be too low.
        """
        if self.part == 1:
            return Interval.exactly(float(sum(values)))
        counts = [walked.collections for walked in self.walked]
        if not any(counts):  # though some engines bill an empty page otherwise than a step
            return Interval(0.0, 0.0, inf)
        if not any(values):  # of the collections that were not met some may have any
            return count_in_all(0, self.part)
        return self._collections(unevenness(values, counts)).times(sum(values) / sum(counts))
