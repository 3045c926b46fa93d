"""One run in a world that goes wrong: executions, their attempts and zombies, and a table others write to.

What happens and when is told from outside; nothing here happens by chance but what follows from `seed`.
"""

import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, NoReturn

from skipscan.errors import SkipscanError
from tests.fakes.attribute_value import Item
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import Described, SkipIgnored
from tests.fakes.s3 import FakeS3
from tests.faults.attempt import Attempt
from tests.faults.catalogue import EXAMPLES
from tests.faults.clock import Clock
from tests.faults.emitted import Emitted
from tests.faults.execution import Execution, State, Task, Worker
from tests.faults.fault import Call, Fault
from tests.faults.fault_counts import FaultCounts
from tests.faults.functions import BUCKET, WALKS, functions
from tests.faults.in_folder import FolderStore
from tests.faults.setting import Setting

RUN = "run"
PREFIX = "1"
"""Of the sort keys among which items are taken: some collections have one, others none."""

CLEAN = ("BudgetError", "IncompleteRunError", "InputError", "TableError")
MOST_EXECUTIONS = 8
MOST_ATTEMPTS = 300
"""No schedule over the small tables comes near."""


class BrokenRunError(AssertionError):
    """A run that is not what was promised."""


class Simulator:
    """`complaint`: an error during the schedule, in addition to those that the end shows."""

    def __init__(self, setting: Setting, counts: FaultCounts) -> None:
        self.setting, self.counts = setting, counts
        self.example = EXAMPLES[setting.table]
        self.clock, self.emitted = Clock(), Emitted()
        self.s3: Any = FolderStore() if setting.storage == "folder" else FakeS3(BUCKET, setting.listing)
        self.attempts: list[Attempt] = []
        self.executions: list[Execution] = []
        self.complaint = ""
        self.touched: set[str] = set()
        self._random = Random(setting.seed)
        self._dynamodb = self.example.shared()
        self._versions = [self._ends()]
        self._description: dict[str, Any] = {}
        self._running: Attempt | None = None
        functions().put_into(self, setting.batch_pages)
        document: dict[str, Any] = {
            "table": setting.table,
            "index": self.example.index,
            "segments": setting.segments,
            "workers": min(setting.workers, setting.segments),
            "max_read_units": self._budget,
            "max_read_units_per_second": setting.rate,
            "take": {**dict.fromkeys(self.taken, "all"), "within": self.within} if setting.takes else None,
        }
        self.start(RUN, document)
        self.go_on(self.attempts[0], setting.plan_calls)

    # What the handlers see of the world.

    def call(self, call: Call) -> dict[str, Any]:
        assert self._running
        return self._running.call(call)

    def engine(self) -> Any:
        engine: Any = self._dynamodb if self.setting.honours_skips else SkipIgnored(self._dynamodb)
        return Described(engine, lambda table: table.update(self._description)) if self._description else engine

    def random(self) -> float:
        return self._random.random()

    def attempt_name(self) -> str:
        assert self._running
        return f"attempt{self._running.number}"

    # What a schedule may do.

    @property
    def live(self) -> list[Attempt]:
        return [attempt for attempt in self.attempts if not attempt.ended]

    @property
    def awaited(self) -> list[tuple[Task, Attempt]]:
        """The attempts whose answer counts."""
        return [(task, attempt) for each in self.executions for task in each.tasks for attempt in task.attempts]

    @property
    def execution(self) -> Execution:
        """The one that began the run."""
        return self.executions[0]

    def start(self, name: str, document: State) -> Execution:
        execution = Execution(self.invoke, name, document)
        self.executions.append(execution)
        return execution

    def resume(self, max_read_units: float | None = None) -> Execution:
        document = {"table": self.setting.table, "resume": RUN, "max_read_units": max_read_units}
        return self.start(f"resumed-{len(self.executions)}", document)

    def invoke(self, function: str, event: State, on_end: Callable[[Attempt], None]) -> Attempt:
        if len(self.attempts) > MOST_ATTEMPTS:
            self.complain("the run comes to no end")
        attempt = Attempt(
            len(self.attempts),
            function,
            getattr(functions(), function).handler,
            event,
            seconds=self.setting.lambda_seconds,
            clock=self.clock,
            s3=self.s3,
            random=self._random,
            counts=self.counts,
            on_end=on_end,
        )
        self.attempts.append(attempt)
        return attempt

    def go_on(self, attempt: Attempt, calls: int | None = None, fault: Fault | None = None, times: int = 1) -> None:
        is_first_turn = not attempt.calls and attempt.function == "scan" and "progress" not in attempt.event
        if is_first_turn:
            attempt.parts_before = sum(
                f"/keys/worker={attempt.event['worker']:04d}/" in name for name in self.s3.objects
            )
        self._running = attempt
        attempt.go_on(calls, fault, times)
        if attempt.goes_round:
            self.complain("an invocation goes round in a circle")
        if attempt.function == "scan" and attempt.answer and attempt.answer["batch"] < attempt.parts_before:
            self.complain("a first turn did not go on from what lay on S3")

    def run_stray(self, function: str, event: State) -> Attempt:
        """Invoke a function to its end; no caller receives its answer."""
        attempt = self.invoke(function, event, lambda _: None)
        self.go_on(attempt)
        return attempt

    def describe_otherwise(self, description: dict[str, Any]) -> None:
        """Let DescribeTable say something else from now on."""
        self._description = description

    def repeat_plan(self) -> None:
        """Invoke Plan once more, as the same execution."""
        self.run_stray("plan", self.execution.plan_event)

    def tamper(self, execution: Execution, worker: Worker, state: State) -> None:
        """Hand a state to Scan that none of its turns returned: it must be refused, in words."""
        attempt = self.run_stray("scan", execution.scan_event(worker, state))
        if not isinstance(attempt.error, SkipscanError):
            self.complain(f"a tampered state was met with {attempt.error!r}")

    def write(self, number: int) -> None:
        """Write to the table while it is read: items come with a key of their own, and others go."""
        if not self.touched:
            self._dynamodb = self.example.loaded()
        table = self._dynamodb.table(self.example.name)
        view = table.views[self.example.index]
        name = view.order.key.partition[0].name
        if number % 2 or not view.entries:
            key = f"new{number}"
            table.put(
                {attribute: {"S": key} if "S" in value else value for attribute, value in self.example.new.items()}
            )
            self.touched.add(key)
        else:
            item = view.entries[number % len(view.entries)].item
            self.touched.add(item[name]["S"])
            table.delete({key.name: item[key.name] for key in table.definition.key.attributes})
        self._versions.append(self._ends())

    def complain(self, what: str) -> NoReturn:
        """End the schedule here: something was wrong on the way."""
        self.complaint = what
        raise BrokenRunError(what)

    # How every schedule ends.

    def settle(self) -> None:
        """Let nothing go wrong any more: run, redrive and resume until the run is complete."""
        self._description = {}
        for _ in range(MOST_EXECUTIONS):
            self._run_to_end()
            if any(execution.outcome and "keys" in execution.outcome for execution in self.executions):
                break
            failed = [execution for execution in self.executions if execution.outcome is None]
            if failed:
                failed[0].redrive(from_start=self._random.random() < 0.5)
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
        """A run that its budget stopped consumed one page per walk more at most."""
        budget, outcome = self._budget, self.execution.outcome
        if budget is None or len(self.executions) > 1 or not outcome or outcome.get("error") != "BudgetError":
            return
        (name,) = (name for name in self.s3.objects if name.endswith("/unfinished.json"))
        unfinished = json.loads(self.s3.objects[name].body)
        most_expensive = max(attempt.most_expensive_page for attempt in self.attempts)
        if unfinished["read_units"] > budget + unfinished["workers"] * WALKS * most_expensive:
            self.complain("the budget was overrun")
        declared = sum(int(name.rsplit("-", 3)[1]) for name in self.s3.objects if "/allotments/" in name)
        # What an attempt declared and did not report counts as consumed, as it may have been.
        if unfinished["read_units"] + declared < budget / unfinished["workers"]:
            self.complain("the budget was not used up")

    def _run_to_end(self) -> None:
        while waiting := self.awaited:
            for _, attempt in waiting:
                if not attempt.ended:
                    self.go_on(attempt)

    def keys(self) -> tuple[Counter[str], set[str]]:
        """Return the keys that were there the whole time, once each, and those that were so for a part of it."""
        view = self.example.shared().table(self.example.name).views[self.example.index]
        name = view.order.key.partition[0].name
        there = {key[name]["S"] for key in view.partition_keys()}
        return Counter(there - self.touched), self.touched

    @property
    def taken(self) -> list[str]:
        """The ends of collections that are taken; an index without a sort key has no last items."""
        view = self.example.shared().table(self.example.name).views[self.example.index]
        return ["first", "last"] if view.order.key.sort or self.example.index is None else ["first"]

    @property
    def _budget(self) -> float | None:
        """The run's budget: a page that needs two Queries takes a read unit more than the least one of the others."""
        budget = self.setting.max_read_units
        return budget and budget + (1.0 if self.setting.takes and self.within else 0.0)

    @property
    def within(self) -> str | None:
        """The prefix of the sort keys among which items are taken."""
        sort_key = self.example.shared().table(self.example.name).views[self.example.index].order.key.sort
        return PREFIX if self.setting.within and sort_key and sort_key[0].type == "S" else None

    def ends(self, key: str, end: str) -> list[Item | None]:
        """Return what the first or the last item of a collection was at one time or another, without the key."""
        return [version.get(key, {}).get(end) for version in self._versions]

    def _ends(self) -> dict[str, dict[str, Item]]:
        """Return by its key the first and last item of each collection as the table is now, without the key."""
        view = self._dynamodb.table(self.example.name).views[self.example.index]
        name = view.order.key.partition[0].name
        found: dict[str, dict[str, Item]] = {}
        for entry in view.entries:
            rest = {attribute: value for attribute, value in entry.item.items() if attribute != name}
            if self.within is None or rest[view.order.key.sort[0].name]["S"].startswith(self.within):
                found.setdefault(entry.item[name]["S"], {"first": rest})["last"] = rest
        return found

    @property
    def dynamodb(self) -> FakeDynamoDB:
        return self._dynamodb
