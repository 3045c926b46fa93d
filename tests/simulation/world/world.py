"""A world in which the product runs: its services, executions of every kind, their attempts and zombies.

What happens and when is decided from outside; nothing happens by chance but what follows from `seed`.
"""

import builtins
from collections.abc import Callable, Mapping
from contextlib import suppress
from random import Random
from typing import Any, NoReturn

from botocore.exceptions import ClientError

from skipscan.pace.bounds import BATCH_SECONDS
from tests.simulation.world.attempt import Attempt, Request
from tests.simulation.world.clock import Clock
from tests.simulation.world.execution import TURNS, Execution, State, Task
from tests.simulation.world.fault import Call, Fault, FaultCounts
from tests.simulation.world.fibre import Fibre
from tests.simulation.world.functions import Emitted, functions

LAMBDA_SECONDS = 900.0
CALL_SECONDS = 0.01

BUGS = {each.__name__ for each in vars(builtins).values() if isinstance(each, type) and issubclass(each, Exception)}
BUGS -= {each for each in BUGS if issubclass(getattr(builtins, each), OSError | RuntimeError)}
"""Errors of Python that no service raises. A handler that ends with one names it, and would only be called again."""


class BrokenRunError(AssertionError):
    """A run that is not what was promised."""


class World:
    """`services`: what answers the clients, by name. `late`: calls that take effect later.

    `complaint`: an error on the way, in addition to those that the end shows. `trouble`: makes a call, or does not.
    """

    most_attempts = 300
    """No schedule over the small tables comes near."""

    most_calls = 400
    """Of an invocation over the small tables: one that makes more is in an endless loop."""

    threads = 2
    batch_seconds = BATCH_SECONDS
    """Requests that a worker of another kind than the listing makes at once."""

    def __init__(
        self,
        s3: Any,
        services: Mapping[str, Callable[[], Any]],
        *,
        seed: int = 0,
        counts: FaultCounts | None = None,
        lambda_seconds: float = LAMBDA_SECONDS,
        call_seconds: float = CALL_SECONDS,
    ) -> None:
        self.s3, self.services = s3, services
        self.counts = counts or FaultCounts()
        self.lambda_seconds, self.call_seconds = lambda_seconds, call_seconds
        self.random = Random(seed)
        self.clock, self.emitted = Clock(), Emitted()
        self.attempts: list[Attempt] = []
        self.executions: list[Execution] = []
        self.late: list[Request] = []
        self.complaint = ""
        self.trouble: Callable[[Call], Any] = lambda call: call.perform()
        self.running: Attempt | None = None

    # What the handlers see.

    def call(self, call: Call) -> Any:
        assert self.running
        return self.running.call(call)

    def take_turns(self, fibre: Fibre) -> None:
        """Let the walks of an attempt take turns, in any order."""
        if len(fibre.family) > 2:
            fibre.pause()

    def random_share(self) -> float:
        return self.random.random()

    def attempt_name(self) -> str:
        assert self.running
        return f"attempt{self.running.number}"

    def batch_pages(self) -> int | None:
        """Return how many pages end a batch."""
        return 2

    def opened(self, worker: int, batch: int) -> None:
        """Take notice of the batch that the running attempt begins."""
        assert self.running
        self.running.place = worker, batch
        if self.running.was_committed:
            self.complaint = "a batch is done again after its commit"

    def chance(self, call: Call) -> Fault | None:
        """Return what goes wrong with a call that the schedule lets pass."""
        return None

    # What a schedule may do.

    @property
    def live(self) -> list[Attempt]:
        return [attempt for attempt in self.attempts if not attempt.ended]

    @property
    def awaited(self) -> list[tuple[Task, Attempt]]:
        """The attempts whose answer counts."""
        return [(task, attempt) for each in self.executions for task in each.tasks for attempt in task.attempts]

    def later(self, at: float, act: Callable[[], None]) -> None:
        """Do something at a time; here at once, because a schedule chooses what comes first."""
        act()

    def start(self, kind: str, name: str, document: State, *, is_whole: bool = False) -> Execution:
        execution = Execution(self, kind, name, document, is_whole=is_whole)
        self.executions.append(execution)
        return execution

    def invoke(self, function: str, event: State, on_end: Callable[[Attempt], None] = lambda _: None) -> Attempt:
        if len(self.attempts) > self.most_attempts:
            self.complain("the run comes to no end")
        attempt = Attempt(self, function, functions().modules[function].handler, event, on_end)
        self.attempts.append(attempt)
        return attempt

    def go_on(self, attempt: Attempt, calls: int | None = None, fault: Fault | None = None, times: int = 1) -> None:
        is_turn = attempt.function in TURNS
        if is_turn and not attempt.calls:
            work, worker = f"/{attempt.event['work']['name']}/", f"/worker-{attempt.event['worker']:04d}/part-"
            attempt.parts_before = frozenset(name for name in self.s3.objects if work in name and worker in name)
        self._run(attempt)
        attempt.go_on(calls, fault, times)
        if attempt.goes_round:
            self.complain("an invocation goes round in a circle")
        if attempt.error is not None and {type(attempt.error).__name__, str(attempt.error).split(" ")[-1]} & BUGS:
            self.complain(f"an invocation ended with {attempt.error}")
        before = 0 if "progress" in attempt.event else len(attempt.parts_before or ())
        if is_turn and attempt.answer and attempt.answer.get("batch", before) < before:
            self.complain("a first turn did not go on from what lay on S3")

    def kill(self, attempt: Attempt) -> None:
        """End an attempt at its current call."""
        self._run(attempt)
        attempt.kill()

    def _run(self, attempt: Attempt) -> None:
        self.running = attempt
        if functions().world is not self:
            functions().put_into(self)

    def land(self, request: Request) -> None:
        """Let a late call take effect; nobody receives its answer."""
        self.late.remove(request)
        with suppress(ClientError, NotImplementedError):  # a fake reads no condition that no writer makes
            request.perform()

    def answer(self, function: str, event: State) -> Any:
        """Return what a function returns that runs to its end; raise what it raises."""
        attempt = self.invoke(function, event)
        self.go_on(attempt)
        if attempt.error:
            raise attempt.error
        return attempt.answer

    def complain(self, what: str) -> NoReturn:
        """End the schedule here: something was wrong on the way."""
        self.complaint = what
        raise BrokenRunError(what)
