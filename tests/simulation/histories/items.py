"""Retrofits and copies, and the harm that their documentation warns of."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from skipscan.copy.kind import COPY
from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.execution_input import ExecutionInput
from skipscan.listing.plan import plan_listing
from skipscan.retrofit.kind import RETROFIT
from skipscan.scan.plan import Plan, Strategy
from tests.fakes.description import description
from tests.fakes.small_table import copy_plan, retrofit_plan
from tests.fakes.table import FakeTable
from tests.simulation.histories.client import definition
from tests.simulation.histories.followers import Replicator
from tests.simulation.histories.job import Job
from tests.simulation.histories.law import Harm
from tests.simulation.histories.tables import NEW, OLD, SET, TABLE, is_right, sources, targets_of, told_of_targets
from tests.simulation.histories.world import History
from tests.simulation.world.attempt import Attempt

TARGET = TableDescription.from_json(description(FakeTable(definition(NEW)))).identity


def reading(world: History) -> Plan:
    segments, workers = world.random.choice([(1, 1), (2, 1), (3, 2)])
    return plan_listing(ExecutionInput(OLD, segments=segments, workers=workers, strategy=Strategy.PAGE), TABLE)


class Retrofit(Job):
    counted = "items", ("written", "right", "gone", "lacking", "refused", "contended")

    def __init__(self, world: History, asked: Mapping[str, Any] = SET) -> None:
        plan = retrofit_plan(verify=world.random.random() < 0.3)
        plan = replace(plan, templates=asked["set"], removes=tuple(asked.get("remove", ())), reading=reading(world))
        super().__init__(world, RETROFIT, plan)
        self.targets = targets_of(asked)
        self.table, self.application = world.tables[OLD], sources(world)
        self._begun = next(world.moments)

    def told(self, harm: Harm) -> str | None:
        return told_of_targets(harm, self.targets)

    def at_end(self) -> str:
        """Complain of an item that was there from the first and that no application has changed."""
        first = (versions for versions in self.table.versions.values() if versions[0].at < self._begun)
        untouched = (versions[-1].item for versions in first if all(each.by for each in versions[1:]))
        return (
            ""
            if all(is_right(item, self.targets) for item in untouched)
            else "an item that nobody changed is not right"
        )


class Copy(Job):
    """A copy, and the replicator that runs at the same time."""

    counted = "items", ("copied", "present", "differing", "refused")

    def __init__(self, world: History, *, is_calm: bool = False) -> None:
        self.replicator = Replicator(world, copies=True, is_calm=is_calm)
        decided = copy_plan(verify=world.random.random() < 0.3)
        super().__init__(
            world, COPY, replace(decided, reading=reading(world), replica=self.replicator.replica, target=TARGET)
        )
        self.application = self.replicator.application

    @property
    def awaits(self) -> bool:
        return super().awaits or self.replicator.awaits

    def due(self, now: float) -> float | None:
        return self.replicator.due(now)

    def invoke(self, *, again: bool) -> Attempt | None:
        if self.world.random.random() < 0.5:
            return super().invoke(again=again) or self.replicator.invoke(again=again)
        return self.replicator.invoke(again=again) or super().invoke(again=again)

    def abandoned(self, attempt: Attempt) -> None:
        self.replicator.abandoned(attempt) if attempt.function == "replicator" else super().abandoned(attempt)

    def at_end(self) -> str:
        for key, versions in self.replicator.target.versions.items():
            for before, after in pairwise(versions):
                is_copy_s = after.by and after.by.attempt and after.by.attempt.place
                if is_copy_s and before.item is not None:
                    return f"the copy put {after.item} at {key} over {before.item}"
        return self.replicator.at_end()
