"""One run in a world that goes wrong: executions, their attempts and zombies, and a table others write to."""

import json
from typing import Any

from skipscan.errors import SkipscanError
from skipscan.listing.kind import LISTING
from tests.fakes.s3 import FakeS3
from tests.simulation.faults.catalogue import Setting
from tests.simulation.faults.listing import Listing
from tests.simulation.world.attempt import Attempt
from tests.simulation.world.execution import Execution, State, Worker
from tests.simulation.world.fault import FaultCounts
from tests.simulation.world.functions import BUCKET, PREFIX, WALKS
from tests.simulation.world.in_folder import FolderStore
from tests.simulation.world.world import World

RUN = "run"
CLEAN = ("BudgetError", "IncompleteRunError", "InputError", "TableError")
MOST_EXECUTIONS = 8


class Simulator(World):
    """`work`: what is listed, and what must come of it."""

    def __init__(self, setting: Setting, counts: FaultCounts) -> None:
        self.setting = setting
        self.work = Listing(setting)
        s3: Any = FolderStore() if setting.storage == "folder" else FakeS3(BUCKET, setting.listing)
        s3.objects = {**self.work.objects} if self.work.objects else s3.objects
        super().__init__(
            s3, self.work.services, seed=setting.seed, counts=counts, lambda_seconds=setting.lambda_seconds
        )
        self.layout = LISTING.layout(PREFIX, self.work.table, RUN)
        self.start("listing", RUN, self.work.document)
        self.go_on(self.attempts[0], setting.plan_calls)

    def batch_pages(self) -> int:
        return self.setting.batch_pages

    @property
    def execution(self) -> Execution:
        """The one that began the work."""
        return self.executions[0]

    def resume(self, budget: float | None = None) -> Execution:
        document = {"table": self.work.table, "resume": RUN, "max_read_units": budget}
        return self.start("listing", f"resumed-{len(self.executions)}", document)

    def run_stray(self, function: str, event: State) -> Attempt:
        """Invoke a function to its end; no caller receives its answer."""
        attempt = self.invoke(function, event)
        self.go_on(attempt)
        return attempt

    def describe_otherwise(self, description: dict[str, Any]) -> None:
        """Let DescribeTable say something else from now on."""
        self.work.description = description

    def repeat_plan(self) -> None:
        """Invoke Plan once more, as the same execution."""
        self.run_stray(self.execution.plan_state, self.execution.plan_event)

    def tamper(self, execution: Execution, worker: Worker, state: State) -> None:
        """Hand a state to a turn that none of its turns returned: it must be refused, in words."""
        attempt = self.run_stray(execution.turn_state, execution.turn_event(worker, state))
        if not isinstance(attempt.error, SkipscanError):
            self.complain(f"a tampered state was met with {attempt.error!r}")

    # How every schedule ends.

    def apply(self) -> None:
        """Let nothing go wrong any more: run, redrive and resume until the work is complete."""
        self.work.description = {}
        for _ in range(MOST_EXECUTIONS):
            self._run_to_end()
            if any(each.outcome and "keys" in each.outcome for each in self.executions):
                break
            failed = [execution for execution in self.executions if execution.outcome is None]
            if failed:
                failed[0].redrive(from_start=self.random.random() < 0.5)
            else:
                self._check_budget()
                self.resume()
        for execution in self.executions:
            outcome = execution.outcome or {"error": "stopped"}
            self.counts.outcome(outcome.get("error", "complete"))

    def let_zombies_finish(self) -> None:
        """Let every abandoned attempt run to its end, and every late put take effect."""
        for attempt in self.live:
            self.go_on(attempt)
        for put in list(self.s3.under_way):
            self.s3.land(put)

    def _check_budget(self) -> None:
        """A listing that its budget stopped consumed one page per walk more at most, in all of its attempts."""
        budget, outcome = self.work.budget, self.execution.outcome
        if budget is None or len(self.executions) > 1 or not outcome or outcome.get("error") != "BudgetError":
            return
        unfinished = json.loads(self.s3.objects[self.layout.unfinished].body)
        most_expensive = max(attempt.most_expensive_page for attempt in self.attempts)
        consumed = sum(attempt.read_units for attempt in self.attempts)  # those included that nobody waits for
        if consumed > budget + unfinished["workers"] * WALKS * most_expensive:
            self.complain("the budget was overrun")
        declared = sum(int(name.rsplit("-", 3)[1]) for name in self.s3.objects if "/allotments/" in name)
        # What an attempt declared and did not report counts as consumed, as it may have been.
        # A page whose items need a Query is not begun with what is left for the page alone.
        held_back = most_expensive if self.setting.collects else 0.0
        if unfinished["read_units"] + declared + held_back < budget / unfinished["workers"]:
            self.complain("the budget was not used up")

    def _run_to_end(self) -> None:
        while waiting := self.awaited:
            for _, attempt in waiting:
                if not attempt.ended:
                    self.go_on(attempt)
