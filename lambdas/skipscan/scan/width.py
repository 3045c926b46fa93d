"""How many pages a worker has under way at once: as many as pay.

A walk waits for its page, and more walks wait at the same time. From far away that pays for many of them. Beside the
table a few are enough: then the worker's processor time, or what the table gives, bounds the rate of pages.

So the width doubles as long as doubling brings more pages a second. It begins with one page, because pages that are
requested before the first answers come share the ignorance of the first: a wrong Limit is paid for by each of them.
"""

from dataclasses import dataclass
from math import inf
from typing import Self

MOST_WALKS = 128
"""The most walks of one worker. From 50 ms away they make some 2,400 requests a second, which takes a processor."""

START_PAGES = 4
"""A width is kept for this many pages of each walk. The first page of each was requested before and is not timed."""

TIMED_SECONDS = 0.04
"""From `START_WALKS` on, a width is also judged after this many seconds of timed pages: from far away one page of each
walk takes that long."""

START_WALKS = 16
"""The width of a worker that has nothing to learn about Limits, or has learnt it in batches before."""

JUDGED_WALKS = 4
"""From so many walks on, a doubling must pay: the rate of fewer says little."""

PAYS = 1.25
"""A doubling pays if it brings so many times the pages a second."""

FULL = 0.75
"""A rate says something about its width if so much of the width was under way, and no rate or refusal held it back."""

HOLDS = (4, 64)
"""How often a width is timed again before the next doubling is tried, after one that did not pay; and at most."""


@dataclass
class Width:
    """The number of concurrent walks of a worker, learnt from when pages come. Safe under the lock of its batch.

    `walks`: how many pages may be under way now. `ceiling`: the most that this can become. `under_way`: how many are.
    """

    walks: int
    ceiling: int = MOST_WALKS
    under_way: int = 0
    _pages: int = 0
    _since: float = 0.0
    _seen: float = 0.0
    _busy_seconds: float = 0.0
    _narrower_rate: float | None = None
    _hold: int = 0
    _next_hold: int = HOLDS[0]

    @classmethod
    def after(cls, received: int, *, learns: bool, ceiling: int = MOST_WALKS) -> Self:
        """Return the width to begin a batch with, after so many pages in batches before. `learns`: Limits."""
        walks = 1 if learns else START_WALKS
        while walks < START_WALKS and received >= START_PAGES * (2 * walks - 1):
            walks *= 2
        return cls(min(walks, ceiling), ceiling)

    @property
    def is_used_up(self) -> bool:
        return self.under_way >= self.walks

    def begin(self, now: float) -> None:
        """Count a requested page."""
        self._pass(now)
        self.under_way += 1

    def drop(self, now: float) -> None:
        """Take back a page that never came."""
        self._pass(now)
        self.under_way -= 1

    def receive(self, now: float) -> None:
        """Count in a page that came, and double the width or halve it if it is time to."""
        self._pass(now)
        self.under_way -= 1
        self._pages += 1
        if self._pages == self.walks:
            self._since, self._busy_seconds = now, 0.0
        elif self._pages >= START_PAGES * self.walks or self._is_timed(now):
            timed, self._pages = self._pages - self.walks, 0
            seconds = now - self._since
            if self._busy_seconds >= FULL * self.walks * seconds:
                self._judge(timed / seconds if seconds > 0 else inf)

    def _is_timed(self, now: float) -> bool:
        """Tell whether one more page of each walk took so long that no more of them are needed."""
        is_enough = self.walks >= START_WALKS and self._pages >= 2 * self.walks
        return is_enough and now - self._since >= TIMED_SECONDS

    def _judge(self, rate: float) -> None:
        """Take the next width, after one that brought so many pages a second."""
        narrower, self._narrower_rate = self._narrower_rate, None
        if narrower is not None and rate < PAYS * narrower:
            self.walks //= 2
            self._hold, self._next_hold = self._next_hold, min(2 * self._next_hold, HOLDS[1])
        elif self._hold:
            self._hold -= 1
        elif self.walks < self.ceiling:
            self._narrower_rate = rate if self.walks >= JUDGED_WALKS else None
            self.walks = min(2 * self.walks, self.ceiling)

    def _pass(self, now: float) -> None:
        self._busy_seconds += self.under_way * (now - self._seen)
        self._seen = now
