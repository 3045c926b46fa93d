"""One schedule: a writer of the product, and applications that write to the same items, in an order drawn at random.

Every call of the product is held until the schedule lets it be made. Meanwhile others write, invocations come twice or
anew from an older state, die before, during and after their calls, or are given up and go on much later; answers are
lost, and requests arrive after their sender is dead.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from botocore.exceptions import ClientError, ReadTimeoutError

from skipscan.errors import SkipscanError
from tests.histories.attempt import PREPARED, Attempt, Request, Writer, throttled
from tests.histories.client import DynamoDB, Queue, Storage
from tests.histories.versions import Clock, Key, Table, Write
from tests.world.fibre import Fibre, Killed

REQUEST_SECONDS = 290.0
"""AWS takes no request that was signed five minutes ago."""

LAMBDA_SECONDS = 890.0
PASSES = (ClientError, ReadTimeoutError, SkipscanError, RuntimeError)
"""What ends an invocation that is made again."""

MOST_STEPS = 4_000
"""No schedule comes near: one that does goes round in a circle."""


class World:
    """`tables`: by name. `faults`, `wrote`: how often what happened."""

    def __init__(self, seed: int, tables: tuple[str, ...] = ("Old",)) -> None:
        self.random = Random(seed)
        self.moments = Clock()
        self.tables = {name: Table(self.moments) for name in tables}
        self.storage = Storage(self)
        self.dynamodb: Any = DynamoDB(self.tables, self, tells=self.random.random() < 0.7)
        self.messages: list[tuple[float, str]] = []
        """Of the queue: when each may be delivered, and its body."""

        self.sqs: Any = Queue(self, lambda body, delay: self.messages.append((self.now + delay, body)))
        self.commits: dict[str, int] = {}
        self.attempts: list[Attempt] = []
        self.late: list[Request] = []
        self.faults: Counter[str] = Counter()
        self.now = 0.0
        self._running: Attempt | None = None
        self._looked: Key | None = None
        self._is_calm = False
        self._is_troubled = True
        self._writes_left = self.random.choice([0, 10, 30])
        """When nothing goes wrong any more."""

        self._share = self.random.choice([0.05, 0.15, 0.3])

    # What the product sees.

    def call(self, perform: Callable[[], Any], *, writes: bool = False) -> Any:
        fibre = Fibre.running
        if fibre is None:  # what is prepared before the schedule begins
            return perform()
        attempt = self._current
        if writes:
            attempt.held[fibre] = Request(perform, self.now)
        fibre.pause()
        request = attempt.held.pop(fibre, None)
        self.now += 1.0
        if not self._is_troubled or self.random.random() >= self._share:
            return perform()
        fault = self.random.choice(["crash before", "crash after", "lost", "never came", "late", "throttled"])
        self.faults[fault] += 1
        if fault == "throttled":
            raise throttled()
        if fault in {"crash after", "lost"}:
            with suppress(ClientError):
                perform()
        elif fault == "late" and request:
            self.late.append(request)
        if fault.startswith("crash"):
            attempt.is_dying = True
            raise Killed
        raise ReadTimeoutError(endpoint_url="https://endpoint.invalid")

    def look(self, key: Key) -> None:
        self._looked = key
        if self._running:
            self._running.looks[key] = self.moments.moment()

    def age(self, versions: int) -> int:
        """Return how many versions old one of so many is that a read shows which is not strongly consistent."""
        return min(versions - 1, self.random.choice([0, 0, 0, 0, 1, 2]))

    def author(self, key: Key) -> Write:
        attempt = self._running or PREPARED
        looks = getattr(attempt, "looks", {})
        return Write(attempt, looks.get(key), looks.get((key[0], "")))

    def committed(self, name: str) -> None:
        self.commits[name] = self.moments.moment()

    def sleep(self, seconds: float) -> None:
        self.now += max(seconds, 1.0)  # so that few calls wait
        if Fibre.running:
            Fibre.running.pause()

    @property
    def _current(self) -> Attempt:
        assert self._running
        return self._running

    # The schedule.

    def calm(self) -> None:
        """Inject no faults: no invocation dies and no answer is lost; requests only overtake one another."""
        self._is_calm, self._is_troubled = True, False

    def begin(self, work: Callable[[Attempt], Any], serves: Any = None) -> Attempt:
        attempt = Attempt(work, self.moments.moment(), self.now, serves)
        self.attempts.append(attempt)
        return attempt

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
        live = self._live()
        if drawn < 0.25:  # often to what was just looked at: between look and write is where fences matter
            writer.application.write(self._looked if self.random.random() < 0.3 else None)
        elif self._is_calm:
            self._go_on(writer, live)
        elif drawn < 0.32 and self.late:
            self._land()
        elif drawn < 0.335 and live:
            self._kill(self.random.choice(live))
            self.faults["killed"] += 1
            self._reap(writer)
        elif drawn < 0.39 and live:
            attempt = self.random.choice(live)
            if not attempt.given_up:
                self.faults["zombie"] += 1
                attempt.given_up = True
                writer.ended(attempt)
        elif drawn < 0.44 and len(live) < 4:
            self.faults["again"] += writer.invoke(again=True) is not None
        elif drawn < 0.46:
            self.pass_time(self.now + self.random.choice([REQUEST_SECONDS, LAMBDA_SECONDS, 900.0]))
            self._reap(writer)
        else:
            self._go_on(writer, live)

    def _go_on(self, writer: Writer, live: list[Attempt]) -> bool:
        """Let an invocation continue to its next call, or start one; return whether there was anything to do."""
        if writer.awaits and (not live or self.random.random() < 0.3) and writer.invoke(again=False):
            return True
        if not live:
            return False
        old = [attempt for attempt in live if any(self._is_old(held) for held in attempt.held.values())]
        attempt = self.random.choice(old or live)
        if self.now - attempt.started > LAMBDA_SECONDS and not self._is_calm:
            self._kill(attempt)
        else:
            self._advance(attempt)
            if attempt.is_dying:
                self._kill(attempt)
        self._reap(writer)
        return True

    def _advance(self, attempt: Attempt) -> None:
        """Let an invocation continue to its next call."""
        self._running = attempt
        fibres = [fibre for fibre in attempt.fibre.family if not fibre.done and fibre.waits_for()]
        self.random.choice(fibres).go_on()
        self._running = None

    def carry_out(self, work: Callable[[], Any]) -> Any:
        """Return what work comes to that nothing happens to any more."""
        attempt = self.begin(lambda _: work())
        while not attempt.fibre.done:
            self._advance(attempt)
        self.attempts.remove(attempt)
        if attempt.fibre.error:
            raise attempt.fibre.error
        return attempt.fibre.value

    def _settle(self, writer: Writer) -> bool:
        """Do the remaining work, abandoned invocations last; return whether there was any."""
        if self._writes_left and self.random.random() < 0.15:
            self._writes_left -= 1
            writer.application.write()
        awaited = [attempt for attempt in self._live() if not attempt.given_up]
        if awaited or writer.awaits:
            return self._go_on(writer, awaited)
        if self.late and (self.random.random() < 0.5 or not self._live()):
            self._land()
            return True
        if live := self._live():
            return self._go_on(writer, live)
        due = writer.due(self.now)
        if due is not None:
            self.pass_time(due)
        return writer.awaits

    def pass_time(self, until: float) -> None:
        """Let time go by. What is on its way has arrived by then or never does, and no invocation outlives its time."""
        self.faults["time passes"] += 1
        while self.late:
            self._land()
        self.now = max(self.now, until)
        for attempt in self._live():
            if attempt.held or self.now - attempt.started > LAMBDA_SECONDS:
                self._kill(attempt)
        self.late.clear()

    def _is_old(self, request: Request) -> bool:
        return self.now - request.sent > REQUEST_SECONDS - 60.0

    def _land(self) -> None:
        """Let a late request arrive, unless it is too old."""
        request = self.late.pop(self.random.randrange(len(self.late)))
        if self.now - request.sent < REQUEST_SECONDS:
            self.faults["landed"] += 1
            with suppress(ClientError):
                request.perform()

    def _live(self) -> list[Attempt]:
        return [attempt for attempt in self.attempts if not attempt.fibre.done]

    def _kill(self, attempt: Attempt) -> None:
        """End an invocation at its current call; its writes may still arrive."""
        self._running = attempt
        if self._is_troubled:
            self.late += [request for request in attempt.held.values() if self.random.random() < 0.5]
        attempt.held.clear()
        for fibre in reversed(attempt.fibre.family):
            fibre.kill()
        self._running = None

    def _reap(self, writer: Writer) -> None:
        for attempt in [attempt for attempt in self.attempts if attempt.fibre.done]:
            self.attempts.remove(attempt)
            error = attempt.fibre.error
            if error is not None and not isinstance(error, (Killed, *PASSES)):
                raise error
            if not attempt.given_up:
                writer.ended(attempt)
