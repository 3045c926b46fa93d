"""One execution as Step Functions carries it out: tasks that are tried again, workers that turn, a redrive."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from skipscan.errors import InputError, StateError, TableError
from skipscan.loop.kind import PAID_OFF, Kind
from skipscan.loop.work import ExecutionId
from tests.simulation.world.attempt import Attempt

PLAN_RETRIES, TURN_RETRIES, FINISH_RETRIES = 4, 8, 8  # infra/state_machine.py
HOPELESS = (InputError, StateError, TableError)  # never retried
STARTED = "2026-01-01T00:00:00+00:00"

STATES = {
    "listing": ("plan", "scan", "finish", "compare", "report"),
    "act": ("plan_act", "act", "finish_act", "report_act"),
    "retrofit": ("plan_retrofit", "retrofit", "finish_retrofit", "report_retrofit"),
    "copy": ("plan_copy", "copy_page", "finish_copy", "report_copy"),
}
"""By kind: the states of its machine, in their order."""

TURNS = {states[1] for states in STATES.values()}

State = Mapping[str, Any]
Invoke = Callable[[str, State, Callable[[Attempt], None]], Attempt]


class Task:
    """A state that invokes a function until one attempt answers, or its retries are used up."""

    def __init__(
        self,
        invoke: Invoke,
        function: str,
        event: State,
        *,
        retries: int,
        on_answer: Callable[[Any], None],
        on_failure: Callable[[], None],
    ) -> None:
        self._invoke, self._function, self._event, self._retries = invoke, function, event, retries
        self._on_answer, self._on_failure = on_answer, on_failure
        self.attempts: list[Attempt] = []
        """Those whose answer counts; any other attempt is a zombie."""
        self.again()

    def again(self) -> None:
        """Invoke the function with the same event, in addition to the current attempts."""
        self.attempts.append(self._invoke(self._function, self._event, self._ended))

    def give_up(self, attempt: Attempt) -> None:
        """Wait for that attempt no longer."""
        self.attempts.remove(attempt)
        self._failed()

    def abort(self) -> None:
        self.attempts.clear()

    def _ended(self, attempt: Attempt) -> None:
        if attempt not in self.attempts:
            return
        if isinstance(attempt.error, HOPELESS):
            self._retries = 0
        if attempt.error or attempt.answer_lost:
            self.give_up(attempt)
            return
        self.attempts.clear()
        self._on_answer(attempt.answer)

    def _failed(self) -> None:
        if self.attempts:
            return
        if not self._retries:
            self._on_failure()
            return
        self._retries -= 1
        self.again()


@dataclass
class Worker:
    """One item of the Map. `states`: its progress after every turn, the newest last."""

    number: int
    states: list[State] = field(default_factory=list)
    task: Task | None = None
    report: State | None = None


class Machine(Protocol):
    """What carries out its states."""

    def invoke(self, function: str, event: State, on_end: Callable[[Attempt], None]) -> Attempt: ...
    def later(self, at: float, act: Callable[[], None]) -> None: ...


def planned(kind: Kind[Any], plan: Any, name: str) -> State:
    """Return what Plan would answer."""
    work = kind.new_work(ExecutionId(name, f"arn:{name}", STARTED), plan)
    return {"work": work.to_json(), "workers": [*range(plan.workers)]}


class Execution:
    """`outcome`: its output, or its error and cause. `ended` without an outcome: it failed, and may be redriven.

    `is_whole`: whether the states after Finish are carried out. `planned`: the answer of Plan, if it is not to be made.
    `at_once`: how many workers run at the same time; `None` for all.
    """

    def __init__(
        self,
        machine: Machine,
        kind: str,
        name: str,
        document: State,
        *,
        is_whole: bool = False,
        planned: State | None = None,
        at_once: int | None = None,
    ) -> None:
        self._machine, self._at_once = machine, at_once
        self._waiting: deque[Worker] = deque()
        self.plan_state, self.turn_state, self.finish_state, *rest = STATES[kind]
        self._rest = [state for state in rest if state != "compare" or "compare" in document] if is_whole else []
        self.name = name
        self.document = document
        self.planned: State | None = None
        self.workers: list[Worker] = []
        self.finish: Task | None = None
        self.ended = False
        self.outcome: State | None = None
        self.plan = None if planned else self._planning()
        if planned:
            self._planning_done(planned)

    @property
    def plan_event(self) -> State:
        return {"input": self.document, "name": self.name, "execution": f"arn:{self.name}", "started": STARTED}

    @property
    def finish_event(self) -> State:
        assert self.planned
        return {"work": self.planned["work"], "reports": [worker.report for worker in self.workers]}

    @property
    def tasks(self) -> list[Task]:
        own = [self.plan, self.finish, *(worker.task for worker in self.workers)]
        return [task for task in own if task and task.attempts]

    def stop(self) -> None:
        """End the execution; its attempts continue, but their answers are ignored."""
        for task in self.tasks:
            task.abort()
        self.ended = True

    def redrive(self, *, from_start: bool) -> None:
        """Continue where it failed; `from_start`: repeat the whole Map, ignoring its workers' progress."""
        self.ended = False
        if self.planned is None:
            self.plan = self._planning()
            return
        for worker in self.workers:
            if from_start:
                worker.states, worker.report = [], None
        self.finish = None
        self._map()

    def hand_in(self, worker: Worker, state: State | None) -> None:
        """Let a worker continue from a state other than its last one."""
        if worker.task:
            worker.task.abort()
        worker.states.append(state) if state else worker.states.clear()
        self._turn(worker)

    def _planning(self) -> Task:
        return self._task(self.plan_state, self.plan_event, PLAN_RETRIES, self._planning_done)

    def _task(self, state: str, event: State, retries: int, on_answer: Callable[[Any], None]) -> Task:
        return Task(self._machine.invoke, state, event, retries=retries, on_answer=on_answer, on_failure=self.stop)

    def _planning_done(self, answer: State) -> None:
        if {"error", "explanation"} & answer.keys():
            self._end(answer)
            return
        self.planned = answer
        self.workers = [Worker(number) for number in answer["workers"]]
        self._map()

    def _map(self) -> None:
        self._waiting = deque(worker for worker in self.workers if worker.report is None)
        for _ in range(self._at_once or len(self._waiting)):
            self._next_worker()
        self._finish_if_all_are_done()

    def _next_worker(self) -> None:
        if self._waiting:
            self._turn(self._waiting.popleft())

    def turn_event(self, worker: Worker, state: State | None) -> State:
        assert self.planned
        event: dict[str, Any] = {"work": self.planned["work"], "worker": worker.number}
        return {**event, "progress": state} if state else event

    def _turn(self, worker: Worker) -> None:
        event = self.turn_event(worker, worker.states[-1] if worker.states else None)
        worker.task = self._task(self.turn_state, event, TURN_RETRIES, lambda answer: self._turned(worker, answer))

    def _turned(self, worker: Worker, answer: State) -> None:
        worker.states.append(answer)
        if not answer["done"]:
            self._turn(worker)
            return
        worker.report = answer["report"]
        if due := answer.get(PAID_OFF):  # it keeps its place until then
            self._machine.later(datetime.fromisoformat(due).timestamp(), self._next_worker)
        else:
            self._next_worker()
        self._finish_if_all_are_done()

    def _finish_if_all_are_done(self) -> None:
        if all(worker.report for worker in self.workers):
            self.finish = self._task(self.finish_state, self.finish_event, FINISH_RETRIES, self._finished)

    def _finished(self, output: State, done: int = 0) -> None:
        if "error" in output or done == len(self._rest):
            self._end(output)
            return
        state = self._rest[done]
        self.finish = self._task(
            state, output, FINISH_RETRIES, lambda said: self._finished({**output, state: said}, done + 1)
        )

    def _end(self, outcome: State) -> None:
        self.outcome, self.ended = outcome, True
