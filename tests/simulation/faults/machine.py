"""The schedules: hypothesis chooses what happens next in a simulated world, and finds the shortest way to break it."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.simulation.faults.catalogue import EXAMPLES, Setting
from tests.simulation.faults.proof import prove
from tests.simulation.faults.simulator import Simulator
from tests.simulation.faults.tampering import TAMPERINGS, tampered
from tests.simulation.world.attempt import Attempt
from tests.simulation.world.execution import TURNS, Execution, Worker
from tests.simulation.world.fault import PUT, Fault, FaultCounts, Kind

SETTINGS = st.builds(
    Setting,
    table=st.sampled_from(sorted(EXAMPLES, key=lambda name: name != "Mixed")),
    segments=st.integers(1, 5),
    workers=st.integers(1, 3),
    batch_pages=st.sampled_from([1, 2, 3, 50]),
    max_read_units=st.sampled_from([None, None, None, 1.0, 2.5, 5.0]),
    rate=st.sampled_from([None, None, 4.0]),
    honours_skips=st.sampled_from([True, True, False]),
    lambda_seconds=st.sampled_from([900.0, 60.0]),
    listing=st.sampled_from([1000, 2]),
    takes=st.booleans(),
    within=st.booleans(),
    counts=st.sampled_from([None, None, 0, 2, 30]),
    collects=st.sampled_from([None, None, None, "ascending", "descending"]),
    groups=st.booleans(),
    is_busy=st.sampled_from([*5 * [False], True]),
    plan_calls=st.sampled_from([None, None, None, None, None, 0, 1, 2]),
    seed=st.integers(0, 2**16),
)
DESCRIPTIONS: list[dict[str, Any]] = [
    {},
    {"ItemCount": 0, "TableSizeBytes": 0},
    {"ItemCount": 7, "TableSizeBytes": 7 * 900},  # a write of such items fits into the smallest budget
    {"ItemCount": 20_000_000, "TableSizeBytes": 10**10},
    {"BillingModeSummary": {}, "ProvisionedThroughput": {"ReadCapacityUnits": 40}},
    {"TableStatus": "UPDATING"},
]
CRASHES = {Fault.CRASH_BEFORE, Fault.CRASH_AFTER, Fault.TIME_OUT, Fault.SLOW}
SCAN_FAULTS = [fault for fault in Fault if Kind.SCAN in fault.fits and fault not in CRASHES]
S3_FAULTS = [fault for fault in Fault if Kind.READ in fault.fits]
PUT_FAULTS = [fault for fault in Fault if fault.fits & PUT and fault not in CRASHES]
PART_FAULTS = [fault for fault in PUT_FAULTS if Kind.PART in fault.fits]
TIMES = st.sampled_from([1, 1, 2, 7])
INDEX = st.integers(0, 7)
MOST_ATTEMPTS = 40
SHORTENING = [Fault.SCAN_DENIED, Fault.EMPTY_PAGE, Fault.SLOW]
"""After these a batch ends elsewhere than it would have."""

BUDGETS = st.sampled_from([None, 3.0, 8.0])


class Schedule(RuleBasedStateMachine):
    """One schedule: rules as long as hypothesis likes, then the proof.

    `counts`: of all schedules so far. `given`: what of the setting is not for hypothesis to choose.
    """

    counts: FaultCounts
    given: ClassVar[Mapping[str, Any]] = {}
    world: Simulator

    @initialize(setting=SETTINGS)
    def begin(self, setting: Setting) -> None:
        self.world = Simulator(replace(setting, **self.given), self.counts)

    def teardown(self) -> None:
        if hasattr(self, "world"):
            self.counts.schedules += 1
            prove(self.world)

    def any_live(self) -> bool:
        return bool(self.world.live)

    def any_scan(self) -> bool:
        return any(attempt.function in TURNS for attempt in self.world.live)

    def is_planning(self) -> bool:
        plan = self.world.execution.plan
        return bool(plan and plan.attempts)

    def any_awaited(self) -> bool:
        return bool(self.world.awaited)

    def any_worker(self) -> bool:
        return any(execution.workers for execution in self.world.executions)

    # One attempt, call by call.

    @precondition(any_live)
    @rule(which=INDEX, calls=st.sampled_from([None, 1, 2, 3, 5, 8]))
    def go_on(self, which: int, calls: int | None) -> None:
        self.world.go_on(self._live(which), calls)

    @precondition(any_scan)
    @rule(which=INDEX, fault=st.sampled_from(SCAN_FAULTS), after=st.integers(0, 1), times=TIMES)
    def strike_a_scan(self, which: int, fault: Fault, after: int, times: int) -> None:
        self.world.go_on(self._live_turn(which), after, fault, times)

    @precondition(any_live)
    @rule(which=INDEX, fault=st.sampled_from(S3_FAULTS), after=st.integers(0, 6), times=TIMES)
    def strike_a_call(self, which: int, fault: Fault, after: int, times: int) -> None:
        self.world.go_on(self._live(which), after, fault, times)

    @precondition(any_live)
    @rule(which=INDEX, fault=st.sampled_from(PUT_FAULTS))
    def strike_a_put(self, which: int, fault: Fault) -> None:
        self.world.go_on(self._live(which), 0, fault)

    @precondition(any_scan)
    @rule(which=INDEX, fault=st.sampled_from(PART_FAULTS))
    def strike_a_part(self, which: int, fault: Fault) -> None:
        checkpoints = 1 if Kind.CHECKPOINT in fault.fits else 0
        self.world.go_on(self._live_turn(which), checkpoints, fault)

    @precondition(any_live)
    @rule(which=INDEX)
    def kill(self, which: int) -> None:
        self.world.counts.fault("killed between two calls")
        self._live(which).kill()

    # Actions of Step Functions, and answers that it misses.

    @precondition(any_awaited)
    @rule(which=INDEX)
    def lose_the_answer(self, which: int) -> None:
        self.world.counts.fault("crash after the response is lost")
        attempt = self._awaited(which)[1]
        attempt.answer_lost = True
        self.world.go_on(attempt)

    @precondition(any_awaited)
    @rule(which=INDEX)
    def retry_beside_a_zombie(self, which: int) -> None:
        self.world.counts.fault("zombie: given up while it goes on")
        task, attempt = self._awaited(which)
        task.give_up(attempt)

    @precondition(lambda self: any(len(task.attempts) < 3 for task, _ in self.world.awaited))
    @rule(which=INDEX)
    def invoke_twice(self, which: int) -> None:
        self.world.counts.fault("same invocation twice at once")
        few = [task for task, _ in self.world.awaited if len(task.attempts) < 3]
        few[which % len(few)].again()

    @precondition(any_scan)
    @rule(which=INDEX, fault=st.sampled_from(SHORTENING), after=st.integers(0, 2))
    def race(self, which: int, fault: Fault, after: int) -> None:
        """Two attempts of one invocation come unequally far; the answer of the one that commits first is lost."""
        tasks = [task for task, attempt in self.world.awaited if attempt.function in TURNS]
        if not tasks:
            return
        self.world.counts.fault("same invocation twice at once, coming unequally far")
        task = tasks[which % len(tasks)]
        slower = task.attempts[0]
        task.again()
        faster = task.attempts[-1]
        self.world.go_on(slower, after, fault)
        if not slower.ended:
            faster.answer_lost = True
            self.world.go_on(faster)
            self.world.go_on(slower)

    @precondition(is_planning)
    @rule(calls=st.integers(0, 2), description=st.sampled_from(DESCRIPTIONS[2:]))
    def race_of_plans(self, calls: int, description: dict[str, Any]) -> None:
        """While an attempt of Plan is under way the table changes, and another attempt comes to its end before it."""
        self.world.counts.fault("Plan twice at once, the table described otherwise")
        task = self.world.execution.plan
        assert task
        slower = task.attempts[0]
        self.world.go_on(slower, calls)
        if not slower.ended:
            task.again()
            self.world.describe_otherwise(description)
            self.world.go_on(task.attempts[-1])
            self.world.go_on(slower)

    @precondition(any_awaited)
    @rule(which=INDEX, is_stopped=st.booleans())
    def end_the_execution(self, which: int, is_stopped: bool) -> None:
        """Somebody stops it, or one of its tasks fails at every retry; other workers' attempts become zombies."""
        self.world.counts.fault("execution stopped" if is_stopped else "a task fails for good")
        if is_stopped:
            self._execution(which).stop()
            return
        task, _ = self._awaited(which)
        while task.attempts:
            self.world.go_on(task.attempts[0], 1)
            if task.attempts and not task.attempts[0].ended:
                task.attempts[0].kill()

    @precondition(lambda self: any(each.ended and each.outcome is None for each in self.world.executions))
    @rule(from_start=st.booleans())
    def redrive(self, from_start: bool) -> None:
        self.world.counts.fault(f"redrive {'from the start' if from_start else 'from the last state'}")
        failed = next(each for each in self.world.executions if each.ended and each.outcome is None)
        failed.redrive(from_start=from_start)

    @precondition(lambda self: len(self.world.executions) < 4 and self.world.execution.planned)
    @rule(budget=BUDGETS)
    def resume(self, budget: float | None) -> None:
        self.world.counts.fault("resumed by another execution")
        self.world.resume(budget)

    # Repeats, and states that are not the last one.

    @precondition(lambda self: len(self.world.attempts) < MOST_ATTEMPTS)
    @rule(description=st.none() | st.sampled_from(DESCRIPTIONS))
    def repeat_plan_or_finish(self, description: dict[str, Any] | None) -> None:
        """Plan comes again, and meets another description of the table; or Finish does, perhaps far too early."""
        execution = self.world.execution
        if description is not None:
            self.world.counts.fault("Plan repeated, the table described otherwise" if description else "Plan repeated")
            self.world.describe_otherwise(description)
            self.world.repeat_plan()
        elif execution.planned:
            self.world.counts.fault("Finish repeated, or too early")
            reports = [worker.report for worker in execution.workers if worker.report]
            self.world.run_stray(execution.finish_state, {**execution.finish_event, "reports": reports})

    @precondition(any_worker)
    @rule(which=INDEX, state=INDEX, is_taken=st.booleans())
    def hand_in_a_stale_state(self, which: int, state: int, is_taken: bool) -> None:
        self.world.counts.fault("stale cursor")
        execution, worker = self._worker(which)
        states = [None, *worker.states]
        stale = states[state % len(states)]
        if is_taken and not execution.ended and worker.report is None:
            execution.hand_in(worker, stale)
        else:
            self.world.run_stray(execution.turn_state, execution.turn_event(worker, stale))

    @precondition(any_worker)
    @rule(which=INDEX, how=st.sampled_from(TAMPERINGS))
    def tamper(self, which: int, how: str) -> None:
        execution, worker = self._worker(which)
        changed = tampered(dict(worker.states[-1]), how) if worker.states else None
        if changed:
            self.world.counts.fault(f"tampered cursor: {how}")
            self.world.tamper(execution, worker, changed)

    # The world around.

    @rule(number=st.integers(0, 99))
    def write(self, number: int) -> None:
        self.world.counts.fault("the table is written to")
        self.world.work.write(Random(number))

    @precondition(lambda self: self.world.s3.under_way)
    @rule(which=INDEX)
    def let_a_put_land(self, which: int) -> None:
        puts = self.world.s3.under_way
        self.world.s3.land(puts[which % len(puts)])

    def _live(self, which: int) -> Attempt:
        return self.world.live[which % len(self.world.live)]

    def _live_turn(self, which: int) -> Attempt:
        live = [attempt for attempt in self.world.live if attempt.function in TURNS]
        return live[which % len(live)]

    def _awaited(self, which: int) -> Any:
        awaited = self.world.awaited
        return awaited[which % len(awaited)]

    def _execution(self, which: int) -> Execution:
        running = [execution for execution in self.world.executions if execution.tasks]
        return running[which % len(running)]

    def _worker(self, which: int) -> tuple[Execution, Worker]:
        workers = [(execution, worker) for execution in self.world.executions for worker in execution.workers]
        return workers[which % len(workers)]
