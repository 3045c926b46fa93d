"""When a replicator may be switched off for good: no request can still write to the new table.

While the stream brings no change, only a late look, or a put of a copy that has ended, can still write. The queue says
how many late looks there are. A look that has ended sends no more requests, and AWS accepts no request that was signed
more than five minutes ago. So nothing can write once the queue was empty for five minutes.

That holds for a replicator that has read the stream to its end. One that is refused has promised no late look at what
it has not read. So the replicator must not have been given records, or been refused, for long enough either.
"""

from dataclasses import dataclass

from skipscan.copy.replica import DELAY_SECONDS

QUIET_SECONDS = 300.0
"""How long AWS accepts a request after it was signed. SQS's counts are approximate for about a minute."""

COPY_SECONDS = 600.0
"""A batch of a stopped copy sends requests for 300 s, and each may arrive 300 s after it was signed."""

READER_SECONDS = 600.0
"""How long the replicator was neither given records nor refused. CloudWatch shows Lambda's figures some minutes late,
and Lambda repeats a refused batch after growing waits."""

GAP_SECONDS = 60.0
"""Two observations that are further apart than this miss what happened between them."""


@dataclass(frozen=True)
class CutOverState:
    """One observation. `changes`: of the stream since the observation before.

    `available`, `in_flight`, `delayed`: messages of the queue of late looks. `copying`: whether a copy is running.
    `read_seconds`: how long ago the replicator was last given records or refused; `None` if that is not known to be
    so recently.
    """

    changes: int
    available: int
    in_flight: int
    delayed: int
    copying: bool
    read_seconds: float | None = None

    @property
    def late_looks(self) -> int:
        return self.available + self.in_flight + self.delayed


class QuietTime:
    """Since when nothing has happened. Times are seconds of one clock.

    `now`: when watching the stream began. `copy_ended`: when the last copy ended, if known.
    """

    def __init__(self, now: float, copy_ended: float | None) -> None:
        self.stream_since = self.queue_since = now
        self._copy_ended = copy_ended
        self._read: float | None = None
        self._last: float | None = None
        self._was_empty = False

    def take(self, look: CutOverState, now: float) -> None:
        """Record an observation."""
        is_gap = self._last is None or now - self._last > GAP_SECONDS
        if look.changes:
            self.stream_since = now
        if look.late_looks or is_gap or not self._was_empty:  # in between, the queue may have held its last message
            self.queue_since = now
        if look.copying:
            self._copy_ended = now
        if look.read_seconds is not None:
            self._read = now - look.read_seconds
        self._last, self._was_empty = now, not look.late_looks

    def wait_seconds(self, now: float) -> float:
        """Return the least time until everything has been quiet for long enough; 0 if it has."""
        waits = [self.stream_since + QUIET_SECONDS, self.queue_since + QUIET_SECONDS]
        if self._copy_ended is not None:
            waits.append(self._copy_ended + COPY_SECONDS)
        if self._read is not None:
            waits.append(self._read + READER_SECONDS)
        return max(0.0, max(waits) - now)

    def expected_seconds(self, now: float) -> float:
        """Return the expected wait if nothing happens: the delayed rechecks in the queue are made when they are due."""
        wait = self.wait_seconds(now)
        if self._last is None or self._was_empty:
            return wait
        return max(wait, self.stream_since + DELAY_SECONDS + QUIET_SECONDS - now)


def found_difference(counts: dict[str, int]) -> str:
    """Return in words how the tables differ, by the counts of a comparison; an empty text if they are equal."""
    found = [f"{counts[name]:,} {name}" for name in ("missing", "surplus", "different") if counts[name]]
    if counts["source_items"] != counts["target_items"]:
        found.append(f"{counts['source_items']:,} items in the old table and {counts['target_items']:,} in the new one")
    return ", ".join(found)
