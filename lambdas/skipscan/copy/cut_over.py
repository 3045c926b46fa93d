"""When a replicator may be switched off for good: no request can still write to the new table.

While the stream brings no change, only a late look, or a put of a copy that has ended, can still write. The queue says
how many late looks there are. A look that has ended sends no more requests, and AWS accepts no request that was signed
more than five minutes ago. So nothing can write once the queue was empty for five minutes.

That holds for a replicator that has read the stream to its end. One that is refused has promised no late look at what
it has not read. So the replicator must not have been given records, or been refused, for long enough either.
"""

QUIET_SECONDS = 300.0
"""How long AWS accepts a request after it was signed. SQS's counts are approximate for about a minute."""

COPY_SECONDS = 600.0
"""A batch of a stopped copy sends requests for 300 s, and each may arrive 300 s after it was signed."""

READER_SECONDS = 600.0
"""How long the replicator was neither given records nor refused. CloudWatch shows Lambda's figures some minutes late,
and Lambda repeats a refused batch after growing waits."""

GAP_SECONDS = 60.0
"""Two observations that are further apart than this miss what happened between them."""


class QuietTime:
    """`until`: the time until which a request may still arrive, in seconds of one clock.

    `now`: when watching the stream started. `copy_ended`: when the last copy ended, if known.
    """

    def __init__(self, now: float, copy_ended: float | None) -> None:
        self.until = now + QUIET_SECONDS
        if copy_ended is not None:
            self.until = max(self.until, copy_ended + COPY_SECONDS)
        self._last: float | None = None
        self._was_empty = False

    def take(self, now: float, *, changes: int, late_looks: int, is_copying: bool, read_seconds: float | None) -> None:
        """Record an observation.

        `changes`: of the stream since the observation before. `late_looks`: messages of their queue. `read_seconds`:
        how long ago the replicator was last given records or refused; `None` if that is not known to be so recently.
        """
        is_gap = self._last is None or now - self._last > GAP_SECONDS
        # In between, the queue may have held its last message.
        if changes or late_looks or is_gap or not self._was_empty:
            self.until = max(self.until, now + QUIET_SECONDS)
        if is_copying:
            self.until = max(self.until, now + COPY_SECONDS)
        if read_seconds is not None:
            self.until = max(self.until, now - read_seconds + READER_SECONDS)
        self._last, self._was_empty = now, not late_looks
