"""One bounded batch of a worker: which walk goes on next, and when it is time to stop.

The batch decides and never waits: whoever drives it takes a walk, scans its next page, and gives the page back.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from skipscan.counts import Counts
from skipscan.cursor import Cursor
from skipscan.limit import LimitPolicy
from skipscan.page import Page
from skipscan.plan import Plan
from skipscan.progress import Progress
from skipscan.segments import segment_at, share
from skipscan.source import Item, PartitionKey
from skipscan.walk import Walk


@dataclass(frozen=True)
class Bounds:
    """What ends a batch, whichever comes first; `None` is no bound.

    Each is looked at before a page is asked for, so that a batch overruns by one page per walk at most.
    """

    seconds: float | None = None
    pages: int | None = None
    keys: int | None = None
    bytes: int | None = None


@dataclass(frozen=True)
class Request:
    """The next page of one walk. `limit`: the most items to evaluate; `None` asks for a full page of 1 MB."""

    walk: Walk
    segment: int
    start_key: Item | None
    limit: int | None


class Batch:
    """A worker's progress in the making.

    `take` and `give` are called by one thread at a time (whoever drives holds a lock around each); the scans
    between them may overlap. `write` receives the keys a page brought and returns the bytes they take up.
    """

    def __init__(
        self,
        plan: Plan,
        progress: Progress,
        *,
        bounds: Bounds,
        clock: Callable[[], float],
        write: Callable[[Sequence[PartitionKey]], int],
    ) -> None:
        self._plan = plan
        self._progress = progress
        self._bounds = bounds
        self._clock = clock
        self._write = write
        self._limit = LimitPolicy.from_json(progress.limit.to_json())
        self._opened = progress.opened
        self._walks = [Walk(plan.source, cursor) for cursor in progress.cursors]
        self._idle = deque(self._walks)
        self._begun = clock()
        self._pages_taken = 0
        self._bytes = 0
        self._stopped = False
        self.counts = Counts()
        """What this batch alone found and consumed."""

    def take(self) -> Request | None:
        """Return the next page to scan, or `None` if no walk is free or the batch is over."""
        if self._stopped or self._is_full():
            return None
        if len(self._walks) < self._plan.walks and self._opened < self._share:
            self._open()
        if not self._idle:
            return None
        self._pages_taken += 1
        walk = self._idle.popleft()
        return Request(walk, walk.segment, walk.start_key, self._limit.limit() if walk.skipping else None)

    def refuse(self, request: Request) -> bool:
        """Take back a request the engine calls invalid; return whether its walk can go on without the skip."""
        can_go_on = request.walk.refuse_skip()
        if can_go_on:
            self.counts += Counts(skips_ignored=1)
            self._idle.appendleft(request.walk)
        return can_go_on

    def give(self, request: Request, page: Page) -> None:
        """Take in the page that was asked for."""
        walk = request.walk
        ignored_before = walk.skip_ignored
        found = walk.receive(page)
        if found.keys:
            self._bytes += self._write(found.keys)
        self.counts += Counts(
            keys=len(found.keys),
            items=len(page.items),
            requests=1,
            read_units=page.read_units,
            skips_ignored=walk.skip_ignored - ignored_before,
        )
        if request.limit is not None:
            self._limit.observe(len(page.items), found.places, page.read_units)
        if walk.finished:
            self._walks.remove(walk)
        else:
            self._idle.append(walk)

    def stop(self) -> None:
        """End the batch: nothing more is handed out, and a walk whose page never came stays where it was."""
        self._stopped = True

    @property
    def progress(self) -> Progress:
        """Where the worker stands now. The batch number is the one the batch began with."""
        return replace(
            self._progress,
            opened=self._opened,
            cursors=tuple(walk.cursor for walk in self._walks),
            counts=self._progress.counts + self.counts,
            limit=self._limit,
        )

    @property
    def _share(self) -> int:
        return share(self._progress.worker, self._plan.workers, self._plan.segments)

    def _open(self) -> None:
        visit = self._progress.worker + self._opened * self._plan.workers
        walk = Walk(self._plan.source, Cursor(segment_at(visit, self._plan.segments), skipping=self._plan.skips))
        self._opened += 1
        self._walks.append(walk)
        self._idle.append(walk)

    def _is_full(self) -> bool:
        bounds = self._bounds
        return (
            (bounds.pages is not None and self._pages_taken >= bounds.pages)
            or (bounds.keys is not None and self.counts.keys >= bounds.keys)
            or (bounds.bytes is not None and self._bytes >= bounds.bytes)
            or (bounds.seconds is not None and self._clock() - self._begun >= bounds.seconds)
        )
