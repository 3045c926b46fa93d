"""How a sample is taken: which pages to read, and when enough is known.

First the table is walked as a whole for a few pages: a small one ends there, and is known exactly. Else a number of
segments is looked for of which each takes some ten read units, and segments are walked in random order until the
interval is tight, the budget spent, or every segment walked. docs/plan.md has the mathematics.

No boto3 here: `sampling` yields the pages it wants, and takes them as they come.
"""

from collections.abc import Callable, Generator
from random import Random
from typing import NamedTuple

from skipscan.dynamodb.page import Page
from skipscan.estimate.sample import Sample, Walked, Way
from skipscan.scan.batch import Request
from skipscan.scan.cursor import Cursor
from skipscan.scan.limit.policy import LimitPolicy
from skipscan.scan.plan import Optimize, Plan
from skipscan.scan.segments import MAX_SEGMENTS
from skipscan.scan.walk import Walk

BUDGET_UNITS = 500.0
BUDGET_PART = 0.02
"""What a sample may consume: so many read units, or so much of the cheapest way to read the whole table."""

TIGHT = 0.05
"""A sample ends when the interval is within so much of the estimate: about 1,540 keys."""

MOST_PAGES, MOST_SECONDS = 4000, 90.0  # one after the other; some 5 ms each, unless the table is throttled

LARGE_ITEMS = 10_000_000
"""From here on a sample is taken without being asked for: it costs a run little, and the run is split up by it."""

PROBE_PAGES, PROBE_UNITS, PROBE_KEYS = 32, 64.0, 64
"""How far the table is walked as a whole, in case it ends there; so few keys are then walked with Limit=1 as well."""

PILOT_SEGMENTS, PILOT_PAGES, PILOT_UNITS, PILOT_KEYS = 4, 64, 32.0, 8
"""Segments that are tried of a number of segments; they are too long beyond so many pages, too short below so many
keys together."""

SEGMENT_UNITS, LONG_SEGMENT_UNITS = 10.0, 25.0
"""So few that some dozens of segments can be walked, so many that their ends cost little; where requests are dear, and
pages long, more."""
LEAST_SEGMENTS = 16  # walked before the spread between them is trusted
SEGMENT_ITEMS = 300  # of the first number tried, if DescribeTable knows how many items there are
UNKNOWN_SEGMENTS = 1000
PAGE_ITEMS = 1000  # the Limit where nothing is skipped: a page without one costs 128 read units before one can stop
SEARCH_ITEMS, SEARCH_BYTES = 32, 1 << 17  # what a page may hold as long as segments may turn out far too long
PAGED_UNITS = 125.0  # for segments that are read whole, whose item collections may have any length


class Ask(NamedTuple):
    """A page to scan: a request, and the TotalSegments it belongs to."""

    segments: int
    request: Request


Steps = Generator[Ask, Page | None, Walked]


def sampling(
    plan: Plan, items: int, seed: int, *, size_is_known: bool = True, clock: Callable[[], float] = lambda: 0.0
) -> Generator[Ask, Page | None, Sample]:
    """Yield the pages to read; return the sample.

    Send each page back, or `None` where the engine calls the request's start key invalid. `items`: as DescribeTable
    counts them, hours old or zero: it decides where the search begins, never what is found. Unless `size_is_known`,
    some segments are read whole, to learn what a full scan would take. A sample ends early when the `clock` says it
    takes too long.
    """
    sampler = _Sampler(plan, seed, clock)
    whole = yield from sampler.walk(1, 0, sampler.way, PROBE_PAGES, PROBE_UNITS)
    if whole.ended:
        sampler.sample.walked.append(whole)
        if sampler.way is Way.ADAPTIVE and 0 < whole.keys <= PROBE_KEYS:
            yield from sampler.walk(1, 0, Way.FIRST, PROBE_KEYS + 1, PROBE_UNITS)
    else:
        segments = yield from sampler.search(min(max(items // SEGMENT_ITEMS, 1), MAX_SEGMENTS) or UNKNOWN_SEGMENTS)
        yield from sampler.take(segments, size_is_known)
    sampler.policy.size.fit()
    sampler.sample.size = sampler.policy.size
    return sampler.sample


class _Sampler:
    """A sample in the making."""

    def __init__(self, plan: Plan, seed: int, clock: Callable[[], float]) -> None:
        self._plan = plan
        self._clock = clock
        self._begun = clock()
        self._random = Random(seed)
        self.policy = LimitPolicy.of(plan)
        self.sample = Sample(seed)
        self.way = Way.ADAPTIVE if plan.skips else Way.PAGE
        self._searching = True
        self._search_items = min(SEARCH_ITEMS, max(1, int(SEARCH_BYTES // (plan.item_bytes or 1))))
        self._paged_units = PAGED_UNITS
        self._whole_units = 0.0

    def walk(self, segments: int, segment: int, way: Way, pages: int, units: float) -> Steps:
        """Walk a segment to its end, or until so many pages or units are exceeded; return what it held."""
        skips = self._plan.skips and way is not Way.PAGE
        walk = Walk(self._plan.source, Cursor(segment, skipping=skips))
        sample = self.sample
        keys = items = requests = 0
        read_units = 0.0
        while not walk.finished and requests < pages and read_units < units and self._may_go_on():
            limit = PAGE_ITEMS if not walk.skipping else 1 if way is Way.FIRST else self.policy.limit()
            if self._searching:
                limit = min(limit, self._search_items)
            page = yield Ask(segments, Request(walk, segment, walk.start_key, limit))
            if page is None:
                walk.refuse_skip()
                continue
            found = walk.receive(page)
            if way is Way.ADAPTIVE and walk.skipping:
                sample.lengths.observe(len(page.items), found.places, is_last=walk.finished)
                self.policy.observe(len(page.items), found.places, page.read_units)
            steps = round(page.read_units / self._plan.step_units)
            if way is Way.FIRST and found.keys:
                sample.first_steps[steps] += 1
            elif way is Way.ADAPTIVE:
                sample.more_steps += max(0, steps - 1)
            keys += len(found.keys)
            items += len(page.items)
            requests += 1
            read_units += page.read_units
            sample.requests += 1
            sample.read_units += page.read_units
        return Walked(way, walk.finished, keys, items, requests, read_units)

    def search(self, segments: int) -> Generator[Ask, Page | None, int]:
        """Return a number of segments that each take about `SEGMENT_UNITS` to walk.

        Nothing that is read here counts as sample, so that the choice cannot favour what it was made by.
        """
        shrunk = grown = False
        while True:
            tried: list[Walked] = []
            for segment in self._random.sample(range(segments), min(PILOT_SEGMENTS, segments)):
                tried.append((yield from self.walk(segments, segment, self.way, PILOT_PAGES, PILOT_UNITS)))
                if not tried[-1].ended:
                    break
            keys = sum(walked.keys for walked in tried)
            if not tried[-1].ended and not shrunk and segments < MAX_SEGMENTS:
                segments, grown = min(segments * 8, MAX_SEGMENTS), True
            elif keys < PILOT_KEYS and tried[-1].ended and not grown and segments > LEAST_SEGMENTS:
                segments, shrunk = max(segments // (4 if keys else 32), LEAST_SEGMENTS), True
            else:
                break
            if not self._may_go_on():
                break
        units = sum(walked.read_units for walked in tried)
        units_each = LONG_SEGMENT_UNITS if self._plan.optimize is Optimize.SPEED else SEGMENT_UNITS
        wanted = segments * units / len(tried) / units_each
        return round(min(max(wanted, LEAST_SEGMENTS), MAX_SEGMENTS))

    def take(self, segments: int, size_is_known: bool) -> Generator[Ask, Page | None, None]:
        """Walk random segments until enough is known."""
        sample = self.sample
        sample.segments = segments
        self._searching = False
        longest = 0.0
        units: list[float] = []
        for place, segment in enumerate(self._random.sample(range(segments), min(segments, MOST_PAGES))):
            room = self._budget() - sample.read_units
            if place >= LEAST_SEGMENTS and (sample.keys.relative_error <= TIGHT or longest > room):
                return
            way = self._way(place, size_is_known)
            is_aside = way is not self.way and way is Way.PAGE
            walked = yield from self.walk(segments, segment, way, MOST_PAGES, self._paged_units if is_aside else room)
            if is_aside:
                self._paged_units -= walked.read_units
            else:
                longest = max(longest, walked.read_units)
            if walked.ended or is_aside:
                sample.walked.append(walked)
            if walked.ended and way is self.way:
                units.append(walked.read_units)
                self._whole_units = sum(units) / len(units) * segments
            if not self._may_go_on():
                return

    def _way(self, place: int, size_is_known: bool) -> Way:
        """Every fourth segment is walked as the blog does, and every fourth read whole if need be."""
        if self.way is Way.ADAPTIVE and place % 4 == 2:
            return Way.FIRST
        if self.way is Way.ADAPTIVE and place % 4 == 3 and not size_is_known and self._paged_units > 0:
            return Way.PAGE
        return self.way

    def _may_go_on(self) -> bool:
        sample = self.sample
        in_time = self._clock() - self._begun < MOST_SECONDS
        return in_time and sample.read_units < self._budget() and sample.requests < MOST_PAGES

    def _budget(self) -> float:
        """Return what the sample may consume, by what it already tells of the way a run would read the table."""
        return max(BUDGET_UNITS, BUDGET_PART * self._whole_units)
