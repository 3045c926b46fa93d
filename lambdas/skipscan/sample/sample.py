"""What a sample has read of a table's hash space: random segments, walked in one of several ways.

A hash distributes partition keys, so a segment chosen at random out of many is an unbiased sample of the keys.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from operator import add

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.sample.clusters import LEAST_SEGMENTS, count_in_all, ratio, unseen
from skipscan.sample.interval import Interval
from skipscan.scan.limit import LimitPolicy

FEW_GROUPS = 30
"""With fewer, a sample says nothing of the longest groups, which may hold most of the items to count."""


@dataclass
class Walked:
    """A walk of a `part` of the hash space. `ended`: it reached its end, so that what it met is all.

    `collections`: with groups that have lines or without. `skips`: it was walked as by a run that skips, else read
    whole. `keys`: of groups that have lines. `groups`: all that a walk skips, also those outside a range. `lines`: of
    the groups, more than one of each if a run takes each item. `end`: the part of a page that its end took. `rest`:
    what may be left of the group in which it was broken off, as a part of the longest; 0 where none is the longest.
    """

    part: float
    collections: int = 0
    ended: bool = False
    skips: bool = True
    keys: int = 0
    items: int = 0
    requests: int = 0
    read_units: float = 0.0
    groups: int = 0
    lines: int = 0
    end: float = 0.0
    rest: float = 0.0


@dataclass
class Sample:
    """What was read: `walked` segments of so many `segments`, each equally likely, and all walks that were `seen`.

    `skips`: whether a run would skip. `requests` and `read_units`: the consumption of everything, including the search
    for the number of segments. `policy`: what it learnt from the pages. `lines`, `line_bytes`: of some of the keys, as
    a run writes them. `has_groups`: an item collection can have several groups, or none in the range. `reads_on`: the
    walks read on in their groups, as the run does, up to `most_items`, of which `most_lines` become lines. `collects`:
    a run writes a line for each item.
    """

    seed: int
    segments: int = 1
    walked: list[Walked] = field(default_factory=list)
    seen: list[Walked] = field(default_factory=list)
    requests: int = 0
    read_units: float = 0.0
    skips: bool = True
    policy: LimitPolicy = field(default_factory=LimitPolicy)
    lines: int = 0
    line_bytes: int = 0
    has_groups: bool = False
    reads_on: bool = False
    most_items: float = inf
    most_lines: float = inf
    collects: bool = False

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
        return self._counted(lambda walked: walked.keys) if self.has_groups else self.collections

    @property
    def groups(self) -> Interval:
        """Return the number of groups that a walk skips."""
        return self._counted(lambda walked: walked.groups) if self.has_groups else self.collections

    @property
    def collections(self) -> Interval:
        """Return the number of item collections in the whole table, never below those of the walk that met the most.

        Pages of the search decided how large the segments are, so its walks count only where no segment has any.
        """
        part, found = self.part, sum(walked.collections for walked in self.ended)
        if not found:
            part, found = max([(part, found), *((walk.part, walk.collections) for walk in self.seen if walk.ended)])
        return count_in_all(found, part).at_least(max((walk.collections for walk in self.seen), default=0))

    @property
    def lines_written(self) -> Interval:
        """Return the number of lines that a run writes."""
        if not self.collects:
            return self.keys
        return self.of_groups([walked.lines for walked in self.walked], self.most_lines)

    def of_groups(self, values: Sequence[float], most: float) -> Interval:
        """Return what the groups of all segments have, from what those of each walk have. `most`: of a group, at most.

        The walk in which the budget ended counts, too. Long groups use the budget up, so it is mostly in one of them,
        and without it the figure would be too low.
        """
        # Half of what may be left of its last group.
        cut = [most * walked.rest / 2 if walked.rest else 0.0 for walked in self.walked]
        found = self._in_all([*map(add, values, cut)], self.walked)
        if self.part == 1:
            return found
        met = sum(walked.collections for walked in self.walked)
        if most == inf or len(self.ended) < LEAST_SEGMENTS or met < FEW_GROUPS:
            return Interval(found.estimate, found.low, inf)
        # Groups of a kind that the sample has not met may be as long as can be.
        others = self.groups.high * unseen(sum(walked.groups for walked in self.walked))
        return Interval(found.estimate, found.low, found.high + others * most)

    def _counted(self, count_of: Callable[[Walked], int]) -> Interval:
        """Return how many keys or groups the whole table has, never below those of the walk that met the most."""
        met = sum(walked.collections for walked in self.ended)
        found = self._in_all([*map(count_of, self.ended)], self.ended)
        if met and not found.high and self.part < 1:  # of the collections that were not met some may have any
            found = Interval(0.0, 0.0, self.collections.high * unseen(met))
        return found.at_least(max(map(count_of, self.seen), default=0))

    def _in_all(self, values: Sequence[float], walks: Sequence[Walked]) -> Interval:
        """Return what the whole table has, from what each of some walks has.

        A hash deals item collections, not groups: all groups of a collection are in one segment. So the number of
        collections is multiplied by what each has.
        """
        if self.part == 1:
            return Interval.exactly(float(sum(values)))
        each = ratio(values, [walked.collections for walked in walks], self.part)
        return self.collections.times(each)
