"""When a replicator may be switched off for good: no request can still write to the new table, see `skipscan.copy`.

While the stream brings no change, only a late look, or a put of a copy that has ended, can still write. The queue says
how many late looks there are; one that has ended sends no more requests.

That holds for a replicator that has read the stream to its end. One that is refused has promised no late look at what
it has not read. So it must not have been given records, or been refused, for long enough either.
"""

from datetime import datetime, timedelta

QUIET = timedelta(minutes=5)
"""How long AWS accepts a request after it was signed. SQS's counts are approximate for about a minute."""

AFTER_COPY = timedelta(minutes=10)
"""A batch of a stopped copy sends requests for 300 s, and each may arrive 300 s after it was signed."""

AFTER_READ = timedelta(minutes=10)
"""CloudWatch shows Lambda's figures some minutes late, and Lambda repeats a refused batch after growing waits."""

GAP = timedelta(minutes=1)
"""Two observations that are further apart than this miss what happened between them, or the clock was set."""


class QuietTime:
    """`until`: the time until which a request may still arrive. `now`: when it begins."""

    def __init__(self, now: datetime) -> None:
        self.until = now + QUIET
        self._last_empty: datetime | None = None

    def take(
        self, now: datetime, *, has_changes: bool, late_looks: int, copied: datetime | None, read: datetime | None
    ) -> None:
        """Record an observation: changes of the stream since the one before, and messages of the late looks' queue.

        `copied`: when a copy last ran. `read`: when the replicator was last given records or refused. `None`: long ago.
        """
        # Since an older look at an empty queue, it may have held its last message.
        was_empty = self._last_empty is not None and now - self._last_empty <= GAP
        signs = [now + QUIET] if has_changes or late_looks or not was_empty else []
        signs += [copied + AFTER_COPY] if copied else []
        signs += [read + AFTER_READ] if read else []
        self.until = max([self.until, *signs])
        self._last_empty = None if late_looks else now
