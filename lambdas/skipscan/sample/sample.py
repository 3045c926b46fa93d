"""What a sample has read of a table's hash space: random segments, walked in one of several ways.

A hash distributes partition keys, so a segment chosen at random out of many is an unbiased sample of the keys.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from operator import add

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.sample.clusters import LEAST_SEGMENTS, MISSED, count_in_all, ratio, unseen
from skipscan.sample.interval import Interval
from skipscan.scan.limit import LimitPolicy

FEW_GROUPS = 30
"""With fewer, a sample says nothing of the longest groups, which may hold most of the items to count."""


@dataclass
class Walked:
    """A walk of a `part` of the hash space. `ended`: it reached its end, so that what it met is all.

    `collections`: with groups that have lines or without. `skips`: it was walked as by a run that skips, else read
    whole. `keys`: of groups that have lines. `groups`: all that a walk skips, also those outside a range. `lines`: of
    the groups, more than one of each if a run takes each item. `end`: the part of a page that its end took. `rest`: the
    part of the longest possible read of a group in which it was broken off.
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
        if not self.has_groups:
            return self.collections
        return self._in_all(lambda walked: walked.keys)

    @property
    def groups(self) -> Interval:
        """Return the number of groups that a walk skips."""
        if not self.has_groups:
            return self.keys
        return self._in_all(lambda walked: walked.groups)

    @property
    def collections(self) -> Interval:
        """Return the number of item collections in the whole table, never below those of the walk that met the most.

        Pages of the search decided how large the segments are, so its walks count only where no segment has any.
        """
        part, found = self.part, sum(each.collections for each in self.ended)
        if not found:
            part, found = max([(part, found), *((each.part, each.collections) for each in self.seen if each.ended)])
        return count_in_all(found, part).at_least(max((each.collections for each in self.seen), default=0))

    @property
    def lines_written(self) -> Interval:
        """Return the number of lines that a run writes."""
        return (
            self.of_groups([segment.lines for segment in self.walked], self.most_lines) if self.collects else self.keys
        )

    def of_groups(self, values: Sequence[float], most: float) -> Interval:
        """Return what the groups of all segments have, from what those of each walk have. `most`: of a group, at most.

        The walk in which the budget ended counts, too. Long groups use the budget up, so it is mostly in one of them,
        and without it the figure would be too low.
        """
        if self.part == 1:
            return Interval.exactly(float(sum(values)))
        walked, is_bounded = self.walked, most < inf
        met = [segment.collections for segment in walked]
        cut = [most * segment.rest / 2 if is_bounded else 0.0 for segment in walked]
        each = ratio([*map(add, values, cut)], met, self.part).widened(sum(cut) / max(1, sum(met)))
        found = self.collections.times(each)
        if not is_bounded or len(self.ended) < LEAST_SEGMENTS or sum(met) < FEW_GROUPS:
            return Interval(found.estimate, found.low, inf)
        # Groups of a kind that the sample has not met may be as long as can be.
        others = self.groups.high * unseen(sum(segment.groups for segment in walked))
        return Interval(found.estimate, found.low, found.high + others * most)

    def _in_all(self, count_of: Callable[[Walked], int]) -> Interval:
        """Return how many keys or groups the whole table has, never below those of the walk that met the most.

        A hash deals item collections, not groups: all groups of a collection are in one segment. So the number of
        collections is multiplied by what each has.
        """
        found, met = [count_of(each) for each in self.ended], [each.collections for each in self.ended]
        if self.part == 1:
            return Interval.exactly(float(sum(found)))
        each = ratio(found, met, self.part)
        if sum(met) and not sum(found):  # as many as would have left these collections without any with a chance of 5 %
            each = Interval(0.0, 0.0, unseen(sum(met), 2 * MISSED))
        return self.collections.times(each).at_least(max(map(count_of, self.seen), default=0))
