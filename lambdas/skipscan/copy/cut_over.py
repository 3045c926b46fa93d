"""When a replicator may be switched off for good: no request can still write to the new table.

While the stream brings no change, only a late look, or a put of a copy that has ended, can still write. The queue says
how many late looks there are. A look that has ended sends no more requests, and AWS accepts no request that was signed
more than five minutes ago. So nothing can write once the queue was empty for five minutes.

That holds for a replicator that has read the stream to its end. One that is refused has promised no late look at what
it has not read. So it must not have been given records, or been refused, for long enough either.
"""

from math import inf

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
    """`until`: the time until which a request may still arrive, in seconds of one clock. `now`: when it begins."""

    def __init__(self, now: float) -> None:
        self.until = now + QUIET_SECONDS
        self._last_empty = -inf

    def take(self, now: float, *, has_changes: bool, late_looks: int, copied: float, read: float) -> None:
        """Record an observation: changes of the stream since the one before, and messages of the late looks' queue.

        `copied`: when a copy last ran. `read`: when the replicator was last given records or refused. Both may be long
        ago.
        """
        # Since an older look at an empty queue, it may have held its last message.
        if has_changes or late_looks or now - self._last_empty > GAP_SECONDS:
            self.until = max(self.until, now + QUIET_SECONDS)
        self.until = max(self.until, copied + COPY_SECONDS, read + READER_SECONDS)
        self._last_empty = -inf if late_looks else now
