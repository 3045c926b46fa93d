"""The sample of a plan: walks as those of the run, which pages they read, and when to stop.

A plan never costs more than reading the whole table: a table that takes no more than the least sample is read whole,
and known exactly. Any other table is walked as a whole for a few pages, in case it has few keys and ends there, and
then in smaller and larger segments, until these end after a few pages and hold a group. From there on the sample walks
segments in random order, each large enough that its end costs little, until the interval is narrow, a twentieth of the
run is spent, or every segment is walked. The page "Plan" of the documentation has the mathematics.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from random import Random
from typing import NamedTuple

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.page import STEP_BYTES, Page
from skipscan.inputs.fields import MAX_SEGMENTS
from skipscan.lines.formats import encoder
from skipscan.sample.clusters import LEAST_SEGMENTS
from skipscan.sample.sample import Sample, Walked
from skipscan.sample.sampler import MOST_SECONDS, UNKNOWN_SEGMENTS, Steps
from skipscan.scan.batch import Request
from skipscan.scan.counting import GroupCounter
from skipscan.scan.cursor import Cursor
from skipscan.scan.item_reader import ItemReader
from skipscan.scan.limit import LimitPolicy
from skipscan.scan.plan import Plan
from skipscan.scan.take import KEYS
from skipscan.scan.taken import COUNT
from skipscan.scan.walk import Walk

LEAST_UNITS = 20.0
"""Read units that every sample may take: a quarter of a thousandth of a cent."""

BUDGET_PART = 0.035
"""The part of a run's expected read units that a sample may take. A run takes fewer units once it has learnt, and the
expectation comes from the sample's own beginning. So a sample takes at most a twentieth of the run."""

TIGHT = 0.05
"""A sample ends when the interval is within this part of the estimate, which takes about 1,540 keys."""

MOST_PAGES = 4000  # one after the other; about 5 ms each, unless the table is throttled

PILOT_PART, PILOTS, PILOT_GROUPS = 0.15, 2, 3
"""The part of its budget above which a segment that is tried is too long; and how many are tried of a size, until they
have so many groups together."""

SMALLER, LARGER = 16, 4
"""By how much smaller segments are tried after one that is too long, and by how much larger ones after empty ones."""

SEARCH_PART = 0.4
"""The part of its budget that a sample spends before the segments that count, to which it leaves the larger part."""

LEAST_SEGMENT_UNITS, MOST_SEGMENT_UNITS = 1.5, 10.0
"""The read units that a segment should take: at least the first, because its end costs a page; at most the second,
which is enough even for a budget that allows more."""

FIRST_ITEMS = 4  # of the very first page, whose items may have any size
KNOWN_PAGES = 8  # after which pages tell what they take, and no longer the average of a few long collections
SHORT_UNITS = 1.0  # that a page takes at most while a longer one would be a large part of the sample
WHOLE_UNITS = 2 * LEAST_UNITS  # that one of a small table may take, which has grown since DescribeTable counted it
MOST_ITEMS = 1 << 18  # more than a page of 1 MB holds


class PageRequest(NamedTuple):
    """A page to scan: a request and its TotalSegments."""

    segments: int
    request: Request


class Walks:
    """Reads segments as a run walks them, and what it reads becomes the `sample`.

    A page whose start key the engine calls invalid is answered with `None`, after its walk stopped skipping. `items`:
    DescribeTable's count, hours old or zero: it decides whether the table is read whole, never the result. A sample
    ends early if it takes too long by the `clock`.
    """

    def __init__(self, plan: Plan, items: int, seed: int, clock: Callable[[], float] = lambda: 0.0) -> None:
        self._plan, self._groups = plan, plan.groups
        self._clock = clock
        self._start = clock()
        self.chance = Random(seed)
        self.policy = LimitPolicy.of(plan)
        self.sample = Sample(plan, seed, is_of_all=not plan.skips, policy=self.policy)
        # A run that counts reads on in its groups, and so does its sample. Of others the keys are enough.
        reads_on = plan.take.reads_on
        self._reader = GroupCounter(plan, clock) if reads_on else ItemReader(replace(plan, take=KEYS), clock)
        self._encode = encoder(plan.source, plan.format)
        self._whole_units = items * plan.item_bytes / STEP_BYTES * plan.step_units
        self._run_units = 0.0 if plan.skips else self._whole_units
        self._lost_units, self._reads_whole = 0.0, False

    def begin(self) -> Steps[PageRequest, tuple[int, int] | None]:
        """Read a table whole that DescribeTable shows as small, or that ends after a few pages of one walk."""
        if 0 < self._whole_units <= LEAST_UNITS:
            # In one page if possible: a second page would be rounded up again, and cost more than a scan.
            self.sample.is_of_all = self._reads_whole = True
            whole = yield from self._walk(1, 0)
            if whole.ended:
                self.sample.walked.append(whole)
                return None
            self.sample.is_of_all, self._reads_whole = not self._plan.skips, False
            self._lost_units = self.sample.read_units  # of a table that has grown
        units = yield from self._search()
        if units is None:
            return None
        # A segment takes the budget's part of it, within bounds.
        part = (self._budget() - self.sample.read_units) / LEAST_SEGMENTS
        each = min(max(part, LEAST_SEGMENT_UNITS), MOST_SEGMENT_UNITS)
        segments = max(units, self._run_units) / each
        self.sample.segments = round(min(max(segments, LEAST_SEGMENTS), MAX_SEGMENTS))
        return self.sample.segments, MOST_PAGES

    def _search(self) -> Steps[PageRequest, float | None]:
        """Walk the table, and then segments of several sizes; return what all segments of the last size take together.

        `None` if the table ended. Else these walks do not count as sample, so that the choice of a size cannot favour
        the pages that decided it.
        """
        segments, tried, pilots = 1, list[Walked](), list[Walked]()
        described = units = self._run_units  # all that is known if the time was up before the search
        while self._may_go_on(SEARCH_PART) and not _says_enough(tried):
            most = min(self._allowance(PILOT_PART), MOST_SEGMENT_UNITS)
            walked = yield from self._walk(segments, self.chance.randrange(segments), most)
            if walked.ended and segments == 1:
                self.sample.walked.append(walked)
                return None
            tried.append(walked)
            units = segments * sum(each.read_units for each in tried) / len(tried)
            if segments > 1:  # of a walk that did not end, at least so many; and the end of each costs a page
                pilots.append(walked)
                net = sum(max(0.0, each.read_units - self._plan.step_units) for each in pilots)
                self._run_units = max(described, net / sum(each.part for each in pilots))
            if not walked.ended and segments < MAX_SEGMENTS:
                segments, tried = min(max(SMALLER * segments, UNKNOWN_SEGMENTS), MAX_SEGMENTS), []
            elif len(tried) == PILOTS and not any(each.groups for each in tried):
                segments, tried = max(segments // LARGER, 1), []
        return units

    def read(self, segments: int, segment: int) -> Steps[PageRequest, bool]:
        """Walk a segment; return whether more is to be known, and may be read."""
        sample = self.sample
        sample.walked.append((yield from self._walk(segments, segment)))
        if is_enough := len(sample.walked) >= LEAST_SEGMENTS:
            # A run has fewer segments, and the end of each costs a short page.
            mean = sum(walked.read_units for walked in sample.walked) / len(sample.walked)
            self._run_units = (mean - self._plan.step_units) * segments
        return self._may_go_on() and not (is_enough and sample.keys.relative_error <= TIGHT)

    def _walk(self, segments: int, segment: int, units: float = inf) -> Steps[PageRequest, Walked]:
        """Walk a segment to its end, or until it exceeds so many units; return its contents."""
        sample, groups, reader = self.sample, self._groups, self._reader
        walk = Walk(groups, Cursor(segment, skipping=not sample.is_of_all))
        found = Walked(part=1 / segments)
        collection: tuple[AttributeValue, ...] | None = None
        is_filled = False
        while not walk.finished and found.read_units < units and self._may_go_on():
            request = self._request(walk, units - found.read_units)
            page: Page | None = yield PageRequest(segments, request)
            if page is None:
                continue
            if request.lookup is None:
                stood, new = walk.cursor, walk.receive(page)
                reader.observe(page, new, self.policy)
                lines = reader.receive(walk, stood, new, page)
                for key in new.keys:
                    before, collection = collection, groups.collection_of(key)
                    found.collections += collection != before
                listed = groups.listed(new.keys)
                found.keys += len(listed)
                found.groups += len(new.keys)
                for key in listed[:1]:  # of each page, which is enough for a mean
                    sample.lines += 1
                    sample.line_bytes += len(self._encode(key))
            else:
                lines = reader.answer(walk, page)
            if self._plan.take.reads_on:
                found.lines += sum(self._plan.take.lines_of(line.counted.items) for line in lines)
            is_filled = bool(page.items)
            found.requests += 1
            found.read_units += page.read_units
            sample.requests += 1
            sample.read_units += page.read_units
        sample.seen.append(found)
        found.ended = walk.finished
        if walk.finished:  # with a page that shows nothing more, or within one that brings its last items
            found.end = 0.5 if is_filled else 1.0
        elif walk.counted and sample.most_items < inf:
            found.rest = 1.0 - walk.counted.items / sample.most_items
        return found

    def _request(self, walk: Walk, room: float) -> Request:
        """Return the next page of a walk, or the Query by which a run reads on; neither is long in a short sample.

        `room`: the read units that the walk may still take.
        """
        lookup = self._reader.lookup(walk) if walk.skipping else None
        if lookup is not None:
            # Onward from the page also for a run that reads from the end: it counts the same items for the same units.
            after, most = walk.cursor.start_key, self._affordable(lookup.limit or MOST_ITEMS, room)
            lookup = lookup._replace(member=COUNT, limit=most, start_key=after, descends=False)
            return Request(walk, walk.segment, None, None, lookup=lookup)
        limit = self._reader.limit(walk, self.policy) if walk.skipping else None
        return Request(walk, walk.segment, walk.start_key, self._affordable(limit or MOST_ITEMS, room))

    def _affordable(self, limit: int, room: float) -> int:
        """Return the Limit, or as many items as there is room for. Small while little is known: no page takes much."""
        sample, described = self.sample, self._plan.item_bytes
        room = min(room, self._budget() - sample.read_units)
        if not sample.requests and not described:
            return min(limit, FIRST_ITEMS)
        if sample.read_units - self._lost_units < LEAST_UNITS:
            room = WHOLE_UNITS if self._reads_whole else min(room, SHORT_UNITS)
        item = self.policy.item
        if sample.requests < KNOWN_PAGES:
            item = max(item, described / STEP_BYTES)
        steps = max(1.0, room / self._plan.step_units) / item
        return max(1, min(limit, int(steps)))

    def _may_go_on(self, part: float = 1.0) -> bool:
        sample = self.sample
        in_time = self._clock() - self._start < MOST_SECONDS
        return in_time and sample.read_units < self._budget(part) and sample.requests < MOST_PAGES

    def _budget(self, part: float = 1.0) -> float:
        """Return the read units that the sample may consume, with those lost on a table that has grown."""
        return self._lost_units + self._allowance(part)

    def _allowance(self, part: float) -> float:
        """Return a part of what a sample may take, given what it already shows about a run of this table."""
        return part * max(LEAST_UNITS, BUDGET_PART * self._run_units)


def _says_enough(tried: Sequence[Walked]) -> bool:
    return len(tried) >= PILOTS and sum(walked.groups for walked in tried) >= PILOT_GROUPS
