"""A retrofit, a copy and an act over items that are made up."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from skipscan.act.actions.put_item import PutItem
from skipscan.act.job import ActJob
from skipscan.act.kind import ACT
from skipscan.act.parts import slices
from skipscan.act.plan import ActPlan
from skipscan.act.task_source import ActProgress
from skipscan.copy.item import CopyProgress
from skipscan.copy.job import CopyJob
from skipscan.copy.kind import COPY
from skipscan.copy.plan import CopyPlan
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.step import WRITTEN, Answer, First, Write
from skipscan.dynamodb.table_description import KeyAttribute, TableIdentity
from skipscan.dynamodb.write_units import MOST_ITEM_UNITS
from skipscan.items.engine import Engine
from skipscan.items.progress import ItemProgress
from skipscan.items.sizes import ReadPage
from skipscan.items.template import ItemTemplate
from skipscan.loop.kind import Kind
from skipscan.pace.bounds import Bounds, Clock
from skipscan.retrofit.item import RetrofitJob
from skipscan.retrofit.kind import RETROFIT
from skipscan.retrofit.plan import RetrofitPlan
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import retrofit_plan
from tests.simulation.money.driver import Consumed, drive
from tests.simulation.money.whole_run import page_items, size_of


@dataclass(frozen=True)
class Items(ABC):
    """Work over items that all have to be written; see `tests.simulation.money.whole_run.Case`."""

    bounds: tuple[tuple[str, float], ...] = ()
    workers: int = 1
    item_bytes: int = 200
    is_mixed: bool = False
    sampled: float = 0.0

    kind: Kind[Any, Any] = RETROFIT

    @abstractmethod
    def batch(
        self, progress: Any, bounds: Bounds, clock: Callable[[], float], random: Callable[[], float]
    ) -> Engine: ...

    @property
    @abstractmethod
    def decided(self) -> Any:
        """The plan before anything is known of its table."""

    @cached_property
    def plan(self) -> Any:
        asked = dict(self.bounds)
        most = max(1, -(-self.item_bytes // 1024))
        mean = most / 100 + 1 if self.is_mixed else most
        decided = self.decided
        decided = replace(
            decided,
            reading=replace(
                decided.reading,
                max_read_units=asked.get("max_read_units"),
                max_read_units_per_second=asked.get("read_rate"),
                max_dollars=asked.get("max_dollars"),
            ),
            max_write_units=asked.get("max_write_units"),
            max_write_units_per_second=asked.get("write_rate"),
        )
        bytes_each = self.item_bytes / 100 + 100 if self.is_mixed else self.item_bytes
        return decided.sampled(self.sampled, item_bytes=bytes_each, units_per_write=mean, most_units_per_write=most)

    def answer(self, request: Any, worker: int) -> tuple[Any, float, float]:
        step = request.step
        if isinstance(step, ReadPage):
            start = int(step.start_key["id"]["S"]) if step.start_key else step.segment * 1_000_000
            count, size = page_items(start, step.limit, self.item_bytes, is_mixed=self.is_mixed)
            items: list[dict[str, Any]] = [
                {"id": {"S": str(start + place + 1)}, "a": {"S": "x"}, "b": {"S": "y"}} for place in range(count)
            ]
            units = max(1, -(-size // 4096)) * 0.5
            return Page(items, {"id": items[-1]["id"]}, units), units, 0.0
        number = int(step.key["id"]["S"])
        size = size_of(number, self.item_bytes, is_mixed=self.is_mixed)
        if isinstance(step, Write):
            writes = float(max(1, -(-size // 1024)))
            return Answer(WRITTEN, write_units=writes), 0.0, writes
        reads = float(max(1, -(-size // 4096)))
        return Answer(None, read_units=reads), reads, 0.0


@dataclass(frozen=True)
class Retrofit(Items):
    @property
    def decided(self) -> RetrofitPlan:
        return retrofit_plan(max(16, self.workers), self.workers)

    def batch(
        self,
        progress: ItemProgress,
        bounds: Bounds,
        clock: Callable[[], float],
        random: Callable[[], float],
    ) -> Engine:
        return Engine(RetrofitJob(self.plan), progress, bounds=bounds, clock=Clock(clock), random=random, write=len)


@dataclass(frozen=True)
class Copy(Items):
    kind: Kind[Any, Any] = COPY

    @property
    def decided(self) -> CopyPlan:
        return copy_plan(max(16, self.workers), self.workers)

    def batch(
        self,
        progress: CopyProgress,
        bounds: Bounds,
        clock: Callable[[], float],
        random: Callable[[], float],
    ) -> Engine:
        return Engine(
            CopyJob(self.plan, progress), progress, bounds=bounds, clock=Clock(clock), random=random, write=len
        )


@dataclass(frozen=True)
class Act:
    """Puts for as many keys as any budget or time here suffices for. `units`: that each is expected to take.

    `large`: of so many keys one has an item of 390 KB, by which its put is billed.
    """

    bounds: tuple[tuple[str, float], ...] = ()
    workers: int = 1
    units: float = 1.0
    keys: int = 60_000
    looks: bool = False
    large: int = 0

    kind: Kind[Any, Any] = ACT

    @cached_property
    def part(self) -> bytes:
        return b"".join(b'{"pk": "%07d"}\n' % number for number in range(self.keys))

    @cached_property
    def slices(self) -> Any:
        return slices([{"name": "0", "bytes": len(self.part), "sha256": ""}], 1 << 14)

    @cached_property
    def plan(self) -> ActPlan:
        asked = dict(self.bounds)
        key = (KeyAttribute("pk", "S"),)
        decided = ActPlan(
            table="T",
            identity=TableIdentity("arn:aws:dynamodb:us-east-1:111111111111:table/T", "id"),
            run="r",
            manifest_sha256="",
            partition_key=key,
            sort_key=(KeyAttribute("sk", "S"),),
            format="jsonl",
            action=PutItem(ItemTemplate.parse({"sk": "#static"}, "item"), overwrite=False),
            keys=self.keys,
            slices=len(self.slices),
            workers=min(self.workers, len(self.slices)),
            repeated_keys=100_000,
            key_units=self.units,
            most_key_units=self.units,
            worst_key_units=MOST_ITEM_UNITS,
            max_units_per_second=asked.get("write_rate"),
            max_write_units=asked.get("max_write_units"),
            max_dollars=asked.get("max_dollars"),
            prices=US_EAST_1,
            mark="dev-0/job",
            skips_ended=self.looks,
        )
        return replace(decided, workers=decided.limits.fitting).checked()

    def batch(
        self, progress: ActProgress, bounds: Bounds, clock: Callable[[], float], random: Callable[[], float]
    ) -> Engine:
        job = ActJob(self.plan, self.slices)
        return Engine(job, progress, bounds=bounds, clock=Clock(clock), random=random, write=len)

    def answer(self, request: Any, worker: int) -> tuple[Answer, float, float]:
        step = request.step
        if request.unit is None:
            return Answer(self.part[step.start : step.end], requests=0), 0.0, 0.0
        if isinstance(step, First):
            return Answer([step.key], read_units=1.0), 1.0, 0.0
        units = self._units(int(step.key["pk"]["S"]))
        return Answer(WRITTEN, write_units=units), 0.0, units

    def _units(self, number: int) -> float:
        return max(390.0, self.units) if self.large and number % self.large == 0 else self.units


def run(job: Items | Act, *, lost: int = 0, seconds: float = 30.0, seed: int = 1) -> Consumed:
    return drive(job, lost=lost, seconds=seconds, seed=seed)
