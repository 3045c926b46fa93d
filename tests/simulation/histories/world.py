"""One schedule: a writer of the product, and applications that write to the same items, in an order drawn at random.

Every call of the product is held until the schedule lets it be made. Meanwhile others write, invocations come twice or
anew from an older state, die before, during and after their calls, or are given up and go on much later; answers are
lost, and requests arrive after their sender is dead.
"""

from dataclasses import replace
from itertools import count
from typing import Any

from botocore.exceptions import ClientError, ReadTimeoutError

from skipscan.errors import SkipscanError
from tests.fakes.s3 import FakeS3
from tests.simulation.histories.client import DynamoDB, LateLooks
from tests.simulation.histories.law import Writer
from tests.simulation.histories.versions import PREPARED, Key, Write, key_of
from tests.simulation.world.attempt import Attempt
from tests.simulation.world.client import written_key
from tests.simulation.world.fault import SENT, Call, Fault, Kind, refusal
from tests.simulation.world.fibre import Killed
from tests.simulation.world.functions import BUCKET
from tests.simulation.world.world import World

REQUEST_SECONDS = 290.0
"""AWS takes no request that was signed five minutes ago."""

LAMBDA_SECONDS = 890.0
FOLLOWER_SECONDS = 300.0
PASSES = (ClientError, ReadTimeoutError, SkipscanError, RuntimeError, OSError)
"""What ends an invocation that is made again."""

CHANCES = (
    *(Fault.CRASH_BEFORE, Fault.CRASH_AFTER, Fault.LOST, Fault.LATE),
    *(Fault.SCAN_TIMEOUT, Fault.KEY_RANGE, Fault.SEND_TIMEOUT, Fault.SEND_THROTTLED, Fault.S3_TIMEOUT, Fault.S3_503),
)
FOLLOWERS = {"keeper", "keep_attribute", "replicator"}
"""Functions on a stream: their SDK sends a request again by itself, and they may run for `FOLLOWER_SECONDS`."""

AT_ONCE = {"DescribeTable", "GetQueueUrl", "GetObject", "ListObjectsV2"}
"""Calls not worth a step: what they return does not change meanwhile. Those of S3 can fail."""

READ_FAULTS = [Fault.S3_500, Fault.S3_503, Fault.S3_TIMEOUT]

ANYWHERE: Key = ("", "")
MOST_STEPS = 4_000
"""No schedule comes near: one that does goes round in a circle."""


class History(World):
    """`tables`: by name. `by`: whose write takes effect. `receiver`: the function or queue that gets keys."""

    most_attempts = 10_000

    def __init__(self, seed: int, tables: tuple[str, ...] = ("Old",)) -> None:
        self.moments = count(1)
        self.receiver: Any = LateLooks(self)
        services = {"dynamodb": lambda: self.dynamodb, **dict.fromkeys(("sqs", "lambda_"), lambda: self.receiver)}
        # The schedule itself ends what takes too long.
        super().__init__(FakeS3(BUCKET), services, seed=seed, lambda_seconds=1e9, call_seconds=1.0)
        self.dynamodb: Any = DynamoDB(tables, self, tells=self.random.random() < 0.7)
        self.tables = self.dynamodb.histories
        self.messages: list[tuple[float, str]] = []
        """Of the queue of late looks: when each may be delivered, and its body."""

        self.by = PREPARED
        self.faults = self.counts.faults
        self._looked: Key | None = None
        self._is_calm = False
        self._is_troubled = True
        self._writes_left = self.random.choice([0, 10, 30])
        """When nothing goes wrong any more."""

        self._share = self.random.choice([0.05, 0.15, 0.3])

    # What the product sees.

    def call(self, call: Call) -> Any:
        if call.operation in AT_ONCE:
            if self._is_troubled and call.kind is Kind.READ and self.random.random() < self._share / 4:
                fault = self.random.choice(READ_FAULTS)
                self.faults[fault.value] += 1
                raise refusal(fault, call) or AssertionError(fault)
            return call.perform()
        if call.kind not in SENT:
            return super().call(call)
        assert self.running
        key = key_of(written_key(call.parameters)) if call.kind is Kind.WRITE else ANYWHERE
        attempt, looks, perform = self.running, self.running.looks, call.perform
        by = Write(attempt, looks.get(key), looks.get((key[0], "")))

        def performed() -> Any:
            self.by = by
            return perform()

        try:
            answer = super().call(replace(call, perform=performed))
        except ReadTimeoutError:
            self.receiver.hear(attempt, call.parameters, None)
            raise
        self.receiver.hear(attempt, call.parameters, answer)
        return answer

    def chance(self, call: Call) -> Fault | None:
        if not self._is_troubled or self.random.random() >= self._share:
            return None
        assert self.running
        chances = (*CHANCES, *4 * [Fault.SENT_TWICE]) if self.running.function in FOLLOWERS else CHANCES
        return self.random.choice([fault for fault in chances if call.kind in fault.fits])

    def batch_pages(self) -> int:
        return self.random.choice([1, 2, 50])

    def look(self, key: Key) -> None:
        """Take notice that the running attempt looks at an item."""
        self._looked = key
        assert self.running
        self.running.looks[key] = next(self.moments)

    def age(self, versions: int) -> int:
        """Return how many versions old one of so many is that a read shows which is not strongly consistent."""
        return min(versions - 1, self.random.choice([0, 0, 0, 0, 1, 2]))

    # The schedule.

    @property
    def now(self) -> float:
        return self.clock.now()

    def calm(self) -> None:
        """Inject no faults: no invocation dies and no answer is lost; requests only overtake one another."""
        self._is_calm, self._is_troubled = True, False

    def run(self, writer: Writer) -> None:
        """Let everything happen in some order; end when nothing is under way any more."""
        for _ in range(self.random.randint(10, 90)):
            self._step(writer)
        self._is_troubled = False
        for _ in range(MOST_STEPS):
            if not self._settle(writer):
                return
        raise AssertionError("the writer comes to no end")

    def _step(self, writer: Writer) -> None:
        drawn = self.random.random()
        live = self.live
        if drawn < 0.25:  # often to what was just looked at: between look and write is where fences matter
            writer.application.write(self._looked if self.random.random() < 0.3 else None)
        elif self._is_calm:
            self._advance_one(writer, live)
        elif drawn < 0.32 and self._is_anything_late:
            self._land()
        elif drawn < 0.335 and live:
            self._end(self.random.choice(live))
            self.faults["killed"] += 1
        elif drawn < 0.39 and live:
            attempt = self.random.choice(live)
            if not attempt.given_up:
                self.faults["zombie"] += 1
                attempt.given_up = True
                writer.abandoned(attempt)
        elif drawn < 0.44 and len(live) < 4:
            self.faults["again"] += writer.invoke(again=True) is not None
        elif drawn < 0.46:
            self.pass_time(self.now + self.random.choice([REQUEST_SECONDS, LAMBDA_SECONDS, 900.0]))
        else:
            self._advance_one(writer, live)

    def _advance_one(self, writer: Writer, live: list[Attempt]) -> bool:
        """Let an invocation continue to its next call, or start one; return whether there was anything to do."""
        if writer.awaits and (not live or self.random.random() < 0.3) and writer.invoke(again=False):
            return True
        if not live:
            return False
        old = [attempt for attempt in live if any(self._is_old(held.sent) for held in attempt.held.values())]
        attempt = self.random.choice(old or live)
        if self._outlives(attempt) and not self._is_calm:
            self._end(attempt)
            return True
        self.go_on(attempt, 1)
        if self.complaint:
            raise AssertionError(self.complaint)
        if attempt.error is not None and not isinstance(attempt.error, (Killed, *PASSES)):
            raise attempt.error
        return True

    def _settle(self, writer: Writer) -> bool:
        """Do the remaining work, abandoned invocations last; return whether there was any."""
        if self._writes_left and self.random.random() < 0.15:
            self._writes_left -= 1
            writer.application.write()
        live = self.live
        awaited = [attempt for attempt in live if not attempt.given_up]
        if awaited or writer.awaits:
            return self._advance_one(writer, awaited)
        if self._is_anything_late and (self.random.random() < 0.5 or not live):
            self._land()
            return True
        if live:
            return self._advance_one(writer, live)
        due = writer.due(self.now)
        if due is not None:
            self.pass_time(due)
        return writer.awaits

    def pass_time(self, until: float) -> None:
        """Let time go by. What is on its way has arrived by then or never does, and no invocation outlives its time."""
        self.faults["time passes"] += 1
        while self._is_anything_late:
            self._land()
        self.clock.seconds = max(self.now, until)  # a sleep of the difference, rounded, could end just before
        for attempt in self.live:
            if attempt.held or self._outlives(attempt):
                self._end(attempt)
        self.late.clear()

    def _outlives(self, attempt: Attempt) -> bool:
        most = FOLLOWER_SECONDS if attempt.function in FOLLOWERS else LAMBDA_SECONDS
        return self.now - attempt.started > most

    def _is_old(self, sent: float) -> bool:
        return self.now - sent > REQUEST_SECONDS - 60.0

    @property
    def _is_anything_late(self) -> bool:
        return bool(self.late or self.s3.under_way)

    def _land(self) -> None:
        """Let a late request arrive, unless it is too old."""
        late = self.random.choice([*self.late, *self.s3.under_way])
        if late in self.s3.under_way:
            self.s3.land(late)
        elif self.now - late.sent < REQUEST_SECONDS:
            self.land(late)
        else:
            self.late.remove(late)
            return
        self.faults["landed"] += 1

    def _end(self, attempt: Attempt) -> None:
        """End an invocation at its current call; its writes may still arrive."""
        if self._is_troubled:
            self.late += [request for request in attempt.held.values() if self.random.random() < 0.5]
        attempt.held.clear()
        self.kill(attempt)
