"""When a replicator may be switched off for good: nothing is under way that could still write to the new table.

While the stream brings no change, all that can still write is a late look, or a put of a copy that has ended. The queue
of late looks says how many there are. A look that ended has sent its last request, and AWS takes none that was signed
more than five minutes ago. So nothing is left when the queue was empty for five minutes.
"""

from dataclasses import dataclass

QUIET_SECONDS = 300.0
"""As long as AWS takes a request after it was signed. SQS's counts are approximate for about a minute."""

COPY_SECONDS = 600.0
"""A batch of a copy that was stopped hands out requests for 300 s, and each may arrive 300 s after it was signed."""

GAP_SECONDS = 60.0
"""Two looks that are further apart do not say what was between them."""


@dataclass(frozen=True)
class Look:
    """What there was at one moment. `changes`: that the stream brought since the look before.

    `available`, `in_flight`, `delayed`: messages of the queue of late looks. `copying`: whether a copy is at work.
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
    """Since when nothing has happened. Times are seconds on one clock.

    `now`: when the stream began to be watched. `copy_ended`: when the last copy ended, as far as that is known.
    """

    def __init__(self, now: float, copy_ended: float | None) -> None:
        self.stream_since = self.queue_since = now
        self._copy_ended = copy_ended
        self._last: float | None = None
        self._was_empty = False

    def take(self, look: Look, now: float) -> None:
        """Take in a look."""
        is_gap = self._last is None or now - self._last > GAP_SECONDS
        if look.changes:
            self.stream_since = now
        if look.late_looks or is_gap or not self._was_empty:  # between two looks it may have held its last message
            self.queue_since = now
        if look.copying:
            self._copy_ended = now
        self._last, self._was_empty = now, not look.late_looks

    def wait_seconds(self, now: float) -> float:
        """Return how long it takes at least until all has been quiet for long enough; 0 if it has."""
        waits = [self.stream_since + QUIET_SECONDS, self.queue_since + QUIET_SECONDS]
        if self._copy_ended is not None:
            waits.append(self._copy_ended + COPY_SECONDS)
        return max(0.0, max(waits) - now)


def difference(counts: dict[str, int]) -> str:
    """Return in words how the tables differ, by the counts of a comparison; an empty text where they are equal."""
    found = [f"{counts[name]:,} {name}" for name in ("missing", "surplus", "different") if counts[name]]
    if counts["source_items"] != counts["target_items"]:
        found.append(f"{counts['source_items']:,} items in the old table and {counts['target_items']:,} in the new one")
    return ", ".join(found)
