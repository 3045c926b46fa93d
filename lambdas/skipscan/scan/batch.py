"""One bounded batch of a worker: it decides which walk continues, and when to stop.

The batch only decides. The caller takes a walk, scans its next page, and gives the page back.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from math import inf
from typing import Any, NamedTuple

from skipscan.dynamodb.page import Page, most_page_units
from skipscan.dynamodb.source import Item
from skipscan.pace.bill import affordable_reads, amounts
from skipscan.pace.bounds import LOOK_SECONDS, Bounds, Clock, Pause
from skipscan.pace.ledger import Booking, Ledger, Reserved
from skipscan.pace.pace import THROTTLED, Fault
from skipscan.pace.profile import BatchProfile
from skipscan.scan.counting import GroupCounter, ItemCollector
from skipscan.scan.cursor import Cursor, cursors_that_fit
from skipscan.scan.item_reader import LOOKUP_SECONDS, ItemReader
from skipscan.scan.limit import LimitPolicy
from skipscan.scan.plan import Plan, segments_of_worker
from skipscan.scan.progress import ScanCounts, ScanPosition, ScanProgress
from skipscan.scan.take import Count, EachItem
from skipscan.scan.taken import Lookup
from skipscan.scan.walk import Walk
from skipscan.scan.width import MOST_WALKS, Width

POLL_SECONDS = 0.005
"""How long to wait for a page whose answer decides whether another one may begin."""

# Of the plan's sample, which counts its pages against a budget of its own.
NO_BOOKING = Booking(0)


class Request(NamedTuple):
    """The next page of one walk, or the Query that it waits for.

    `limit`: the most items to evaluate, of a page; `None` requests a full one of 1 MB.
    """

    walk: Walk
    segment: int
    start_key: Item | None
    limit: int | None
    booking: Booking = NO_BOOKING
    lookup: Lookup | None = None


class Batch:
    """A worker's progress in the making.

    `take` and `give` are called by one thread at a time (the caller holds a lock around each); the scans
    between them may overlap. `write` receives the keys a page brought, or what a plan with `take` takes of each, and
    returns the bytes they take up. `random`: the jitter of waits after refusals, from 0 to 1.
    """

    def __init__(
        self,
        plan: Plan,
        progress: ScanProgress,
        *,
        bounds: Bounds,
        clock: Clock,
        random: Callable[[], float] = lambda: 1.0,
        write: Callable[[Sequence[Any]], int],
    ) -> None:
        self._plan = plan
        self._progress = progress
        self._bounds = bounds
        self._clock = clock.now
        self._write = write
        self._ledger = Ledger(plan.limits, progress, bounds=bounds, clock=clock, random=random)
        self._reads = self._ledger.reads()
        self._least = plan.limits.least
        # A copy: a batch that fails must leave the progress as it was.
        self._limit = LimitPolicy.from_json(progress.position.limit.to_json())
        self._opened = progress.position.opened
        self._share = segments_of_worker(progress.worker, plan.workers, plan.segments)
        # Called twice for every page, with few different units.
        self._amounts = lru_cache(1024)(lambda read_units: amounts(plan.prices, read_units))
        self._groups = plan.groups
        self._walks = [Walk(self._groups, cursor) for cursor in progress.position.cursors]
        reader = {Count: GroupCounter, EachItem: ItemCollector}.get(type(plan.take), ItemReader)
        self._taking = reader(plan, clock.unix)
        self._idle = deque(self._walks)
        self._start = clock.now()
        self._pages_taken = 0
        # A page of items is held until its Query is answered, and takes some ten times its bytes.
        ceiling = plan.walks if plan.take.attributes else MOST_WALKS
        self._width = Width.after(
            progress.counts.requests, learns=plan.skips and not plan.has_group_pages, ceiling=ceiling
        )
        self._is_scarce = False
        self._bytes = 0
        self._put_off: Request | None = None
        self._stopped = False
        self.counts = ScanCounts()
        """What this batch alone found and consumed."""
        self._profile = BatchProfile("keys")

    def take(self) -> Request | Pause | None:
        """Return the next page to scan, or how long to wait for it; `None` if no walk is free or the batch is over."""
        if self._stopped or self._width.is_used_up:
            return None
        now, is_full = self._clock(), self._is_full()
        if is_full and not self._has_lookups():
            return None
        if wait := self._reads.wait_seconds(now):
            return Pause(min(wait, LOOK_SECONDS))
        if not is_full and self._openable(self._width.walks):
            self._open()
        return self._ask(now, only_lookups=is_full) if self._idle else None

    @property
    def concurrency(self) -> int:
        """How many pages should be under way now: as many as pay, as there are walks for, and as the budget allows."""
        # No more threads are started, and each ends when `take` has nothing for it.
        if self._stopped or self._is_scarce or self._is_full():
            return self._width.under_way
        return min(self._width.walks, len(self._walks) + self._openable(self._width.walks))

    def _ask(self, now: float, *, only_lookups: bool) -> Request | Pause | None:
        """Return the next page of a walk that is idle, or how long to wait for it."""
        if wait := self._turn_to_one_that_may_go(now, only_lookups=only_lookups):
            # `plan.walks`, not the width: a walk that waits for its key range has no page under way.
            if only_lookups or not self._openable(self._plan.walks):
                return Pause(min(wait, LOOK_SECONDS))
            self._open()  # a hot key range delays no other walk
            self._idle.rotate()  # the walk that was opened comes first
        request = self._next(self._idle[0])
        reserved = self._reads.reserve(request.booking, now)
        if reserved is Reserved.OVER_BUDGET:
            # For the rest of the batch: room that requests give back goes to the threads that are left.
            self._is_scarce = True
            return None  # a thread whose page is under way continues alone
        if reserved is Reserved.OVER_RATE:
            self._put_off = request
            return Pause(POLL_SECONDS)
        self._idle.popleft()
        # A Query for one item belongs to its page; one that reads on is a page of its own.
        if request.lookup is None or request.lookup.reads_on:
            self._pages_taken += 1  # also if it fails: the bound is on requests
        self._width.begin(now)
        return request

    def fail(self, request: Request, fault: Fault) -> bool:
        """Record a failed request; return whether its walk may continue. If not, the batch is over."""
        walk = request.walk
        self._width.drop(self._clock())
        goes_on = self._reads.fail(request.booking, fault)
        # An engine may refuse a made-up start key, which the script of the AWS Database Blog relies on, too.
        if fault is Fault.INVALID and request.lookup is None and walk.refuse_skip():
            self.counts += ScanCounts(skips_ignored=1)
            goes_on = True
        if fault in THROTTLED:
            self.counts += ScanCounts(throttles=1)
            self._profile.reached(self._seconds, self.counts)
        if goes_on:
            self._idle.append(walk)
        else:
            self.stop()
        return goes_on

    def give(self, request: Request, page: Page) -> None:
        """Record the requested page."""
        walk = request.walk
        self._width.receive(self._clock())
        # First: the units are consumed even if the walk raises an error for the page.
        self._reads.release(request.booking, self._amounts(page.read_units), page.read_units)
        self._reads.recovered(walk.segment)
        before, ignored_before = walk.cursor, walk.skip_ignored
        if request.lookup is not None:
            lines = self._taking.answer(walk, page)
        else:
            found = walk.receive(page)
            lines = self._taking.receive(walk, before, found, page)
            # A page without a Limit is cut at 1 MB, which says nothing about a Limit.
            if request.limit is not None:
                self._taking.observe(page, found, self._limit)
        walk.finished |= self._is_over(walk)
        self._count(
            request,
            page,
            lines,
            lookups=int(request.lookup is not None),
            # A Query for an item finds none if the collection was emptied after the page.
            ended=0 if request.lookup is None else sum(None in line.items.values() for line in lines),
            skips_ignored=walk.skip_ignored - ignored_before,  # of two booleans: 1 for the page that showed it
        )
        self._go_on(walk)

    def _is_over(self, walk: Walk) -> bool:
        """Return whether the walk of a given key has all that it takes of it, and skips only what is behind that."""
        plan, start_key = self._plan, walk.start_key
        if plan.only is None or start_key is None or not walk.cursor.reported or walk.counted is not None:
            return False
        return self._taking.lookup(walk) is None and (plan.has_group_pages or self._groups.is_past(start_key))

    def _go_on(self, walk: Walk) -> None:
        if walk.finished:
            self._walks.remove(walk)
        elif self._taking.lookup(walk) is None:
            self._idle.append(walk)
        else:  # what a page waits for comes before other pages
            self._idle.appendleft(walk)

    def _count(self, request: Request, page: Page, lines: Sequence[Any], **others: int) -> None:
        """Write what an answer completed, and count what it brought."""
        if lines:
            self._bytes += self._write(lines)
        found = len(lines)
        brought = ScanCounts(keys=found, items=page.evaluated, requests=1, read_units=page.read_units, **others)
        self.counts += brought
        self._profile.reached(self._seconds, self.counts)
        self._profile.worked(
            self._seconds,
            request.segment,
            done=found,
            requests=1,
            units=page.read_units,
            ended=request.walk.finished,
        )

    def stop(self) -> None:
        """End the batch: no more requests, and a walk without its page stays where it was."""
        self._stopped = True

    @property
    def progress(self) -> ScanProgress:
        """Return the worker's place now. The batch number is the one that the batch started with."""
        cursors = tuple(self._taking.cursor(walk) for walk in self._walks)
        position = ScanPosition(self._opened, cursors, self._limit)
        counts = self._progress.counts + self.counts
        return replace(self._progress, position=position, counts=counts, spending=self._ledger.spending)

    @property
    def profile(self) -> dict[str, Any]:
        """Return how the batch went so far, as JSON."""
        lengths = {"lengths": self._taking.lengths.to_json()} if isinstance(self._taking, GroupCounter) else {}
        return {**self._profile.to_json(), **lengths}

    @property
    def _seconds(self) -> float:
        return self._clock() - self._start

    def _openable(self, walks: int) -> int:
        """How many walks may be started until so many are open: as there are segments for, and as cursors have room."""
        most = min(walks, len(self._walks) + self._share - self._opened)
        # So many cursors always fit; more only if the keys seen so far are short.
        if most > max(self._plan.walks, len(self._walks)):
            fit = cursors_that_fit(self._plan.source, map(self._taking.cursor, self._walks))
            most = min(most, max(self._plan.walks, fit))
        return max(0, most - len(self._walks))

    def _has_lookups(self) -> bool:
        """Tell whether a batch that is over still has Queries to make, for pages that were read."""
        if self._bounds.seconds is not None and self._seconds >= self._bounds.seconds + LOOKUP_SECONDS:
            return False
        has_room = self._ledger.has_room(self._amounts(self._plan.step_units))  # for the smallest Query
        return has_room and any(map(self._taking.is_held, self._idle))

    def _turn_to_one_that_may_go(self, now: float, *, only_lookups: bool) -> float:
        """Bring a walk that has not to wait to the front; return 0, or how long the first of them has to wait."""
        waits: list[float] = []
        for walk in self._idle:
            wait = self._reads.walk_wait_seconds(walk.segment, now)
            if only_lookups and self._taking.lookup(walk) is None:
                wait = inf  # a batch that is over asks for no more pages
            if not wait:
                # A deque must not change in a loop over it: safe here, because the loop ends.
                self._idle.rotate(-len(waits))
                return 0.0
            waits.append(wait)
        return min(waits)

    def _next(self, walk: Walk) -> Request:
        """Return a walk's next page, or the postponed one, because a Limit is chosen once."""
        put_off, self._put_off = self._put_off, None
        # While the budget is scarce, each page is sized by what is left now.
        if put_off is not None and put_off.walk is walk and self._scarce is None:
            return put_off
        if (lookup := self._taking.lookup(walk)) is not None:
            limit, read_units = self._size(lookup.limit)
            # `None` twice: the start key and the Limit of a Query are in its `lookup`.
            return Request(
                walk, walk.segment, None, None, self._booking(walk, read_units, limit), lookup._replace(limit=limit)
            )
        # A walk that does not skip reads every item, unless it reads one group: fewest requests take full pages.
        has_limit = walk.skipping or self._plan.has_group_pages
        limit, read_units = self._size(self._taking.limit(walk, self._limit) if has_limit else None)
        return Request(walk, walk.segment, walk.start_key, limit, self._booking(walk, read_units, limit))

    def _booking(self, walk: Walk, read_units: float, limit: int | None) -> Booking:
        """Return the booking of a page that evaluates at most `limit` items."""
        most = most_page_units(self._plan.step_units, limit)
        return Booking(walk.segment, read_units, self._amounts(most), most)

    def _size(self, limit: int | None) -> tuple[int | None, float]:
        """Return the Limit of a page that wants this one, and the read units it is expected to consume."""
        bounds = [bound for bound in (self._reads.page_units, self._scarce) if bound is not None]
        if not bounds:
            # 0.0: only a rate asks what a page is expected to consume, and a rate is always among `bounds`.
            return limit, 0.0
        affordable = self._limit.affordable(min(bounds))
        limit = affordable if limit is None else min(limit, affordable)
        return limit, self._limit.expected_read_units(limit)

    @property
    def _scarce(self) -> float | None:
        """Return the most that a page should consume: half of what is left, because it may turn out larger."""
        units = affordable_reads(self._plan.prices, self._ledger.left)
        return units / 2 if units < self._plan.page_units else None

    def _open(self) -> None:
        visit = self._progress.worker + self._opened * self._plan.workers
        walk = Walk(self._groups, Cursor(self._plan.segment_of(visit), skipping=self._plan.skips))
        self._opened += 1
        self._walks.append(walk)
        self._idle.append(walk)

    def _is_full(self) -> bool:
        """Tell whether the batch has reached a bound, or will when its pages under way come."""
        bounds = self._bounds
        # Each as much as the mean of those before: 128 full pages may have more keys than all of a batch should.
        coming = 1 + self._width.under_way / max(1, self.counts.requests)
        return (
            (bounds.pages is not None and self._pages_taken >= bounds.pages)
            or (bounds.keys is not None and coming * self.counts.keys >= bounds.keys)
            or (bounds.bytes is not None and coming * self._bytes >= bounds.bytes)
            or (bounds.seconds is not None and self._seconds >= bounds.seconds)
            or not self._ledger.has_room(self._least)
        )
