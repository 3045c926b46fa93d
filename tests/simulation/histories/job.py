"""A job in the hands of a schedule: its execution from the plan on."""

from collections.abc import Mapping
from typing import Any, ClassVar

from skipscan.loop.kind import Kind
from tests.simulation.histories.law import Writer
from tests.simulation.histories.world import History
from tests.simulation.world.attempt import Attempt
from tests.simulation.world.execution import Execution, planned
from tests.simulation.world.functions import PREFIX

NAME = "job-1"


class Job(Writer):
    """`counted`: a count, and what it is the sum of."""

    counted: ClassVar[tuple[str, tuple[str, ...]]]

    def __init__(self, world: History, kind: Kind[Any], plan: Any) -> None:
        self.world, self.plan = world, plan
        self.layout = kind.layout(PREFIX, "Old", NAME)
        self.execution = Execution(world, kind.label, NAME, {}, planned=planned(kind, plan, NAME))

    @property
    def awaits(self) -> bool:
        return self.execution.outcome is None

    @property
    def output(self) -> Mapping[str, Any]:
        """What Finish returned."""
        assert self.execution.outcome
        return self.execution.outcome

    def invoke(self, *, again: bool) -> Attempt | None:
        random, execution = self.world.random, self.execution
        if again:  # the same turn, one from an older state, or the first one: of who resumes or redrives
            worker = random.choice(execution.workers)
            event = execution.turn_event(worker, random.choice([None, None, *worker.states]))
            return self.world.invoke(execution.turn_state, event)
        if execution.ended and execution.outcome is None:
            execution.redrive(from_start=random.random() < 0.5)
            return self.world.live[-1]
        return None

    def abandoned(self, attempt: Attempt) -> None:
        for task in self.execution.tasks:
            if attempt in task.attempts:
                task.give_up(attempt)

    def finished(self) -> str:
        """Complain of work that Finish does not find whole, and of counts that do not add up."""
        output = self.output
        if "error" in output:
            return f"{output['error']}: {output['cause']}"
        whole, parts = self.counted
        if output[whole] != sum(output[name] for name in parts):
            return f"{whole} are not the sum of {parts}: {output}"
        return ""
