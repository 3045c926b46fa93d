"""When a replicator may be switched off for good: no request can still write to the new table.

While the stream brings no change, only a late look, or a put of a copy that has ended, can still write. The queue says
how many late looks there are. A look that has ended sends no more requests, and AWS accepts no request that was signed
more than five minutes ago. So nothing can write once the queue was empty for five minutes.
"""

from dataclasses import dataclass

QUIET_SECONDS = 300.0
"""How long AWS accepts a request after it was signed. SQS's counts are approximate for about a minute."""

COPY_SECONDS = 600.0
"""A batch of a stopped copy sends requests for 300 s, and each may arrive 300 s after it was signed."""

GAP_SECONDS = 60.0
"""Two observations that are further apart than this miss what happened between them."""


@dataclass(frozen=True)
class Look:
    """One observation. `changes`: of the stream since the observation before.

    `available`, `in_flight`, `delayed`: messages of the queue of late looks. `copying`: whether a copy is running.
    """

    changes: int
    available: int
    in_flight: int
    delayed: int
    copying: bool

    @property
    def late_looks(self) -> int:
        return self.available + self.in_flight + self.delayed


class Quiet:
    """Since when nothing has happened. Times are seconds of one clock.

    `now`: when watching the stream began. `copy_ended`: when the last copy ended, if known.
    """

    def __init__(self, now: float, copy_ended: float | None) -> None:
        self.stream_since = self.queue_since = now
        self._copy_ended = copy_ended
        self._last: float | None = None
        self._was_empty = False

    def take(self, look: Look, now: float) -> None:
        """Record an observation."""
        is_gap = self._last is None or now - self._last > GAP_SECONDS
        if look.changes:
            self.stream_since = now
        if look.late_looks or is_gap or not self._was_empty:  # in between, the queue may have held its last message
            self.queue_since = now
        if look.copying:
            self._copy_ended = now
        self._last, self._was_empty = now, not look.late_looks

    def wait_seconds(self, now: float) -> float:
        """Return the least time until everything has been quiet for long enough; 0 if it has."""
        waits = [self.stream_since + QUIET_SECONDS, self.queue_since + QUIET_SECONDS]
        if self._copy_ended is not None:
            waits.append(self._copy_ended + COPY_SECONDS)
        return max(0.0, max(waits) - now)


def difference(counts: dict[str, int]) -> str:
    """Return in words how the tables differ, by the counts of a comparison; an empty text if they are equal."""
    found = [f"{counts[name]:,} {name}" for name in ("missing", "surplus", "different") if counts[name]]
    if counts["source_items"] != counts["target_items"]:
        found.append(f"{counts['source_items']:,} items in the old table and {counts['target_items']:,} in the new one")
    return ", ".join(found)
