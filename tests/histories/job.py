"""A job in the hands of a schedule: the turns of its workers, by the product's own loop."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, ClassVar

from skipscan.aws.faults import fault, scrub
from skipscan.loop.event import gathered_of, turn_of
from skipscan.loop.finish import finish
from skipscan.loop.kind import Kind
from skipscan.loop.part import Part
from skipscan.loop.results import Results
from skipscan.loop.shell import Shell
from skipscan.loop.turn import Opened, run_turn
from skipscan.loop.work import ExecutionId, Work
from skipscan.pace.amounts import Amounts
from tests.histories.application import Application
from tests.histories.attempt import Attempt
from tests.histories.world import World

THREADS = 2
EXECUTION = ExecutionId("job-1", "arn:job-1", "2026-01-01T00:00:00+00:00")
SILENT: Any = SimpleNamespace(append_keys=lambda **_: None, info=lambda *_, **__: None, warning=lambda *_, **__: None)


@dataclass
class Worker:
    """`states`: its progress after each turn. `attempt`: whose answer is awaited."""

    number: int
    states: list[Any] = field(default_factory=list)
    attempt: Attempt | None = None

    @property
    def is_done(self) -> bool:
        return bool(self.states and self.states[-1]["done"])


class Job:
    """`open`: returns the batch of a turn, as the kind's handler does. `counted`: a count, and what it is the sum of.

    `output`: what Finish returned.
    """

    threads: ClassVar[int] = THREADS
    counted: ClassVar[tuple[str, tuple[str, ...]]]
    application: Application

    def __init__(self, world: World, kind: Kind[Any, Any], plan: Any) -> None:
        self.world, self.kind, self.plan = world, kind, plan
        self.work: Work[Any] = kind.begun(EXECUTION, plan)
        self.results = Results(world.storage, kind.layout("skipscan", "Old", EXECUTION.name))
        self.workers = [Worker(number) for number in range(plan.workers)]
        self.output: Mapping[str, Any] = {}
        self._names = iter(range(10**9))
        self._shell = Shell(
            SILENT,
            lambda *_, **__: None,
            fault,
            scrub,
            clock=lambda: world.now,
            wall=lambda: world.now,
            sleep=world.sleep,
            random=world.random.random,
            attempt_name=lambda: f"attempt{next(self._names)}",
        )

    def open(self, progress: Any, part: Part[Any]) -> Opened:
        raise NotImplementedError

    @property
    def awaits(self) -> bool:
        return any(not worker.is_done for worker in self.workers)

    def due(self, now: float) -> float | None:
        return None

    def invoke(self, *, again: bool) -> Attempt | None:
        random = self.world.random
        if again:  # the same turn, one from an older state, or the first one: of who resumes or redrives
            worker = random.choice(self.workers)
            return self._turn(worker, random.choice([None, None, *worker.states]))
        idle = [worker for worker in self.workers if worker.attempt is None and not worker.is_done]
        if not idle:
            return None
        worker = random.choice(idle)
        worker.attempt = self._turn(worker, worker.states[-1] if worker.states else None)
        return worker.attempt

    def ended(self, attempt: Attempt) -> None:
        worker = next((worker for worker in self.workers if worker.attempt is attempt), None)
        if worker is None:
            return
        worker.attempt = None
        if attempt.fibre.done and attempt.fibre.error is None:
            worker.states.append(attempt.fibre.value)

    def _turn(self, worker: Worker, state: Any) -> Attempt:
        event = {"work": self.work.to_json(), "worker": worker.number, **({"progress": state} if state else {})}

        def turn(attempt: Attempt) -> Any:
            def open_batch(progress: Any, part: Part[Any], _budget: Amounts | None) -> Opened:
                attempt.place = (progress.worker, progress.batch)
                assert not self.was_committed(attempt), "a batch is done again after its commit"
                return self.open(progress, part)

            committed = self._committed(worker.number)
            reached = run_turn(self.kind, turn_of(self.kind, event), self.results, open_batch, self._shell)
            assert state or reached["batch"] >= committed, "a first turn did not go on from what lay in the results"
            return reached

        return self.world.begin(turn)

    def finished(self) -> str:
        """Complain of work that Finish does not find whole, and of counts that do not add up."""
        event = {"work": self.work.to_json(), "reports": [worker.states[-1]["report"] for worker in self.workers]}
        self.output = output = self.world.carry_out(
            lambda: finish(
                self.kind, gathered_of(self.kind, event), self.results, self._shell, check_tables=lambda _: None
            )
        )
        if "error" in output:
            return f"{output['error']}: {output['cause']}"
        whole, parts = self.counted
        if output[whole] != sum(output[name] for name in parts):
            return f"{whole} are not the sum of {parts}: {output}"
        return ""

    def _committed(self, worker: int) -> int:
        """Return how many batches of a worker are committed."""
        return sum(
            self.results.layout.part(worker, batch) in self.world.commits for batch in range(len(self.world.commits))
        )

    def was_committed(self, attempt: Any) -> bool:
        """Tell whether an invocation's batch was committed before the invocation began."""
        at = self.world.commits.get(self.results.layout.part(*attempt.place)) if attempt.place else None
        return at is not None and at < attempt.begun


Begin = Callable[[World], Job]
