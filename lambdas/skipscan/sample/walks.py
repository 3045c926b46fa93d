"""The sample of a plan: walks as those of the run, which pages they read, and when to stop.

A plan never costs more than reading the whole table: a table that takes no more than the least sample is read whole,
and known exactly. Any other table is walked as a whole for a few pages, in case it has few keys and ends there.
Otherwise the sample looks for a number of segments of which it can afford a dozen or two, and walks segments in random
order until the interval is narrow, a twentieth of the run is spent, or every segment is walked. The page "Plan" of the
documentation has the mathematics.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import inf
from random import Random
from typing import NamedTuple

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.page import STEP_BYTES, Page
from skipscan.inputs.fields import MAX_SEGMENTS
from skipscan.lines.formats import encoder
from skipscan.sample.sample import Sample, Walked
from skipscan.sample.sampler import MOST_SECONDS, UNKNOWN_SEGMENTS, Steps
from skipscan.scan.batch import Request
from skipscan.scan.counting import GroupCounter
from skipscan.scan.cursor import Cursor
from skipscan.scan.limit import LimitPolicy
from skipscan.scan.plan import Plan
from skipscan.scan.take import Count, EachItem
from skipscan.scan.taken import COUNT, Lookup
from skipscan.scan.walk import Found, Walk

LEAST_UNITS = 20.0
"""Read units that every sample may take: a quarter of a thousandth of a cent."""

BUDGET_PART, LARGE_UNITS, LARGE_PART = 0.035, 500.0, 0.02
"""The part of a run's expected read units that a sample may take; above `LARGE_UNITS` the smaller `LARGE_PART`. A run
takes fewer units once it has learnt, and the expectation comes from the sample's own beginning. So a sample takes at
most a twentieth of the run, and one page that is larger than any before."""

VAGUE_PART, VAGUE_KEYS = 0.045, 35
"""The part until the sample has `VAGUE_KEYS` keys, which give the number of keys within a third: (1.96 * 3)^2. It is
about a twentieth of what the run takes once it has learnt."""

TIGHT = 0.05
"""A sample ends when the interval is within this part of the estimate, which takes about 1,540 keys."""

MOST_PAGES = 4000  # one after the other; about 5 ms each, unless the table is throttled

REQUEST_UNITS = 0.25
"""The least read units that a request of a sample counts: more than a run's, because its pages come one by one."""

LARGE_ITEMS = 10_000_000
"""From this number of items on, every run takes a sample: it costs little of the run, and decides its segments."""

PROBE_PAGES, PROBE_UNITS = 10, 4.0
"""The pages and read units for which the sample first walks the table as one segment, in case it is that small."""

PILOT_SEGMENTS, PILOT_PAGES, PILOT_UNITS, PILOT_KEYS = 2, 8, 3.0, 3
"""The segments to try for each number of segments. Above these pages or units they are too long; below these keys, of
all tried segments together, too short."""

LEAST_SEGMENT_UNITS, MOST_SEGMENT_UNITS = 1.5, 10.0
"""The read units that a segment should take: at least the first, because its end costs a page; at most the second,
which is enough even for a budget that allows more."""

LEAST_SEGMENTS = 10  # walked before the spread between them is reliable
TARGET_SEGMENTS = 8  # for which the budget should suffice
PAGE_ITEMS = 1000  # the Limit without skips: a page without a Limit costs 128 read units at once
MOST_ITEMS = 1 << 18  # more than a page of 1 MB holds
GROWN = 2  # by which a small table may have grown since DescribeTable counted its items, to be read in one page
SEARCH_BYTES = 1 << 14  # the maximum size of a page as long as the sample is small: two units
SEARCH_ITEMS, FIRST_SEARCH_ITEMS = 32, 4  # the maximum that it evaluates; the very first page's items may have any size
SEARCH_PART = 0.5
"""The part of its budget that a sample spends before the segments that count."""


def budget(run_units: float, *, is_vague: bool = False) -> float:
    """Return the read units that a sample may take. `run_units`: the expected read units of the run.

    `is_vague`: the sample has too few keys to know their number within a third.
    """
    part = VAGUE_PART if is_vague else BUDGET_PART
    return max(LEAST_UNITS, min(part * run_units, max(LARGE_UNITS, LARGE_PART * run_units)))


class PageRequest(NamedTuple):
    """A page to scan: a request and its TotalSegments."""

    segments: int
    request: Request


class Walks:
    """Reads segments as a run walks them, and what it reads becomes the `sample`.

    A page whose start key the engine calls invalid is answered with `None`, after its walk stopped skipping. `items`:
    DescribeTable's count, hours old or zero: it decides where the search begins, never the result. A sample ends early
    if it takes too long by the `clock`.
    """

    def __init__(self, plan: Plan, items: int, seed: int, clock: Callable[[], float] = lambda: 0.0) -> None:
        self._plan, self._items, self._groups = plan, items, plan.groups
        self._clock = clock
        self._start = clock()
        self.chance = Random(seed)
        policy = LimitPolicy.of(plan)
        request_units = max(policy.request_units, REQUEST_UNITS)
        self.policy = replace(policy, request_units=request_units)
        # A run that counts reads on in its groups, and so does its sample.
        self._counter = GroupCounter(plan, clock) if plan.take.reads_on and plan.skips else None
        self._whole = GroupCounter(replace(plan, take=Count()), clock) if plan.take.reads_on else None
        self.sample = Sample(
            seed,
            skips=plan.skips,
            has_groups=plan.source.level is not None or plan.sort_range is not None,
            reads_on=self._counter is not None,
            most_items=plan.take.most_items or inf,
            most_lines=plan.take.lines_of(most) if (most := plan.take.most_items) else inf,
            collects=isinstance(plan.take, EachItem),
            policy=self.policy,
        )
        self._skips = plan.skips
        self._encode = encoder(plan.source, plan.format)
        self._whole_units = items * plan.item_bytes / STEP_BYTES * plan.step_units
        self._run_units = 0.0 if plan.skips else self._whole_units
        self._units: list[float] = []
        self._part = SEARCH_PART
        self._spent_before = 0.0
        self._met, self._ended_part = 0, 0.0  # of walks that ended; looked at for every page
        self._page_items = PAGE_ITEMS

    def begin(self) -> Steps[PageRequest, tuple[int, int] | None]:
        """Read a table whole that DescribeTable shows as small, or that ends after a few pages of one walk."""
        if 0 < self._whole_units <= LEAST_UNITS and (yield from self._read_every_item()):
            return None
        probe = yield from self._walk(1, 0, PROBE_PAGES, PROBE_UNITS)
        if probe.ended:
            self.sample.walked.append(probe)
            return None
        self.sample.segments = yield from self._search(self._guessed(probe))
        self._part = 1.0
        return self.sample.segments, MOST_PAGES

    def _read_every_item(self) -> Steps[PageRequest, bool]:
        # In one page if possible: a second page would be rounded up again, and the sample would cost more than a scan.
        self._part, self._page_items, self._skips = 1.0, GROWN * self._items, False
        whole = yield from self._walk(1, 0, MOST_PAGES, LEAST_UNITS)
        self._page_items, self._skips = PAGE_ITEMS, self._plan.skips
        if whole.ended:
            self.sample.walked.append(whole)
        self._spent_before, self._part = self.sample.read_units, SEARCH_PART
        return whole.ended

    def _walk(self, segments: int, segment: int, pages: int, units: float) -> Steps[PageRequest, Walked]:
        """Walk a segment to its end, or until it exceeds so many pages or units; return its contents."""
        walk = Walk(self._groups, Cursor(segment, skipping=self._skips))
        sample, found = self.sample, Walked(1 / segments, skips=self._skips)
        collection: tuple[AttributeValue, ...] | None = None
        is_filled = False
        while not walk.finished and found.requests < pages and found.read_units < units and self._may_go_on():
            counter = self._counter if walk.skipping else None
            lookup = self._lookup(walk) if counter else None
            limit = None if lookup else self._limit(walk)
            request = Request(walk, segment, None if lookup else walk.start_key, limit, lookup=lookup)
            page: Page | None = yield PageRequest(segments, request)
            if page is None:
                continue
            stood = walk.cursor
            taken = Found([], []) if lookup else walk.receive(page)
            found.lines += sum(
                self._plan.take.lines_of(each) for each in self._counts(walk, lookup, stood, taken, page)
            )
            if counter is None:
                self.policy.observe(len(page.items), taken.places, page.own_units)
            elif lookup is None:
                counter.observe(page, taken, self.policy)
            listed = self._groups.listed(taken.keys)
            found.keys += len(listed)
            found.groups += len(taken.keys)
            for key in taken.keys:
                before, collection = collection, self._groups.collection_of(key)
                found.collections += collection != before
            for key in listed[:1]:  # of each page, which is enough for a mean
                sample.lines += 1
                sample.line_bytes += len(self._encode(key))
            is_filled = bool(page.items)
            found.items += page.evaluated
            found.requests += 1
            found.read_units += page.read_units
            sample.requests += 1
            sample.read_units += page.read_units
        sample.seen.append(found)
        found.ended = walk.finished
        if walk.finished:  # with a page that shows nothing more, or within one that brings its last items
            found.end = 0.5 if is_filled else 1.0
            self._met, self._ended_part = self._met + found.collections, self._ended_part + 1 / segments
        elif walk.counted:
            found.rest = 1.0 - walk.counted.items / sample.most_items
        return found

    def _lookup(self, walk: Walk) -> Lookup | None:
        """Return the Query by which a run reads on, at most as long as a page of the sample."""
        lookup = self._counter.lookup(walk) if self._counter else None
        if lookup is None:
            return None
        limit = self._affordable(lookup.limit or MOST_ITEMS)
        # Onward from the page also for a run that reads from the end: it counts the same items for the same units.
        return lookup._replace(member=COUNT, limit=limit, start_key=walk.cursor.start_key, descends=False)

    def _counts(self, walk: Walk, lookup: Lookup | None, stood: Cursor, found: Found, page: Page) -> Iterable[int]:
        """Return the items of each group that ended with a page, of a run that reads on."""
        counter = self._counter if walk.skipping else self._whole
        if counter is None:
            return ()
        taken = counter.receive(walk, stood, found, page) if lookup is None else counter.answer(walk, page)
        return (line.counted.items if line.counted else 0 for line in taken)

    def _affordable(self, limit: int) -> int:
        """Return the Limit, or as many items as there is room for."""
        mean_bytes = max(self._plan.item_bytes, self.policy.item * STEP_BYTES if self.sample.requests else 0.0)
        if not mean_bytes:
            return min(limit, FIRST_SEARCH_ITEMS)
        room = max(self._budget() - self.sample.read_units, self._plan.step_units)
        return max(1, min(limit, int(room / self._plan.step_units * STEP_BYTES / mean_bytes)))

    def _limit(self, walk: Walk) -> int:
        """Return the Limit of a walk's next page: small as long as little is known, so that no page takes much."""
        sample = self.sample
        limit = self._page_items
        if walk.skipping:
            limit = self._counter.limit(walk, self.policy) or limit if self._counter else self.policy.limit()
        mean_bytes = max(self._plan.item_bytes, self.policy.item * STEP_BYTES if sample.requests else 0.0)
        if not mean_bytes:
            return FIRST_SEARCH_ITEMS
        limit = self._affordable(limit)
        if sample.read_units - self._spent_before < LEAST_UNITS and self._skips:
            is_short = walk.skipping and self._counter is None
            limit = min(limit, SEARCH_ITEMS if is_short else limit, int(SEARCH_BYTES / mean_bytes))
        return max(1, limit)

    def _guessed(self, probe: Walked) -> int:
        """Return a number of segments that should each take the intended amount, from what the probe saw.

        Each of its pages cut its last group off.
        """
        keys = self._items * max(1, probe.groups - probe.requests) / max(1, probe.items)
        units = keys * probe.read_units / max(1, probe.groups)
        return max(LEAST_SEGMENTS, min(round(units / self._segment_units(units)), MAX_SEGMENTS) or UNKNOWN_SEGMENTS)

    def _segment_units(self, run_units: float) -> float:
        """Return how much a segment should take, for a run that takes so much."""
        room = budget(run_units) - self.sample.read_units
        return min(max(room / TARGET_SEGMENTS, LEAST_SEGMENT_UNITS), MOST_SEGMENT_UNITS)

    def _search(self, segments: int) -> Steps[PageRequest, int]:
        """Return a number of segments of which the budget allows a dozen or two.

        Pages that are read here do not count as sample, so that the choice cannot favour the pages that decided it.
        """
        shrunk = grown = False
        while True:
            tried: list[Walked] = []
            for segment in self.chance.sample(range(segments), min(PILOT_SEGMENTS, segments)):
                tried.append((yield from self._walk(segments, segment, PILOT_PAGES, PILOT_UNITS)))
                if not tried[-1].ended:
                    break
            keys = sum(walked.keys for walked in tried)
            units = segments * sum(walked.read_units for walked in tried) / len(tried)
            if keys >= PILOT_KEYS or not tried[-1].ended:
                self._run_units = max(self._run_units, units - segments * self._plan.step_units)
            if not tried[-1].ended and not shrunk and segments < MAX_SEGMENTS:
                segments, grown = min(segments * 16, MAX_SEGMENTS), True
            elif keys < PILOT_KEYS and tried[-1].ended and not grown and segments > LEAST_SEGMENTS:
                segments, shrunk = max(segments // (4 if keys else 32), LEAST_SEGMENTS), True
            else:
                break
            if not self._may_go_on():
                break
        return round(min(max(units / self._segment_units(units), LEAST_SEGMENTS), MAX_SEGMENTS))

    def read(self, segments: int, segment: int) -> Steps[PageRequest, bool]:
        """Walk a segment; return whether more is to be known, and may be read."""
        sample, units = self.sample, self._units
        walked = yield from self._walk(segments, segment, MOST_PAGES, self._budget() - sample.read_units)
        sample.walked.append(walked)
        if walked.ended:
            units.append(walked.read_units)
        if len(units) > PILOT_SEGMENTS:
            # A run has fewer segments, and the end of each costs a short page.
            self._run_units = (sum(units) / len(units) - self._plan.step_units) * segments
        is_known = len(sample.walked) >= LEAST_SEGMENTS and sample.keys.relative_error <= TIGHT
        return self._may_go_on() and not is_known

    def _may_go_on(self) -> bool:
        sample = self.sample
        in_time = self._clock() - self._start < MOST_SECONDS
        return in_time and sample.read_units < self._budget() and sample.requests < MOST_PAGES

    def _budget(self) -> float:
        """Return the read units that the sample may consume, given what it already shows about a run of this table."""
        is_vague = self._met < VAGUE_KEYS * (1 - self._ended_part)
        return self._spent_before + self._part * budget(self._run_units, is_vague=is_vague)
