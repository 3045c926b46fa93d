"""A listing, a retrofit, a copy and an act over pages and items that are made up."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from skipscan.act.job import ActJob
from skipscan.act.kind import ACT
from skipscan.act.parts import slices
from skipscan.act.plan import ActPlan
from skipscan.copy.job import CopyJob
from skipscan.copy.kind import COPY
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.step import WRITTEN, Answer, First, Write
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import WriteUnits
from skipscan.items.engine import Engine
from skipscan.items.lane import ReadPage
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing, resumed
from skipscan.loop.kind import Kind
from skipscan.retrofit.item import RetrofitJob
from skipscan.retrofit.kind import RETROFIT
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanProgress
from tests.fakes.acting import act_plan
from tests.fakes.job_batch import job_batch
from tests.fakes.small_table import copy_plan, retrofit_plan
from tests.simulation.money.driver import planned

KEY = {True: [("HASH", "pk"), ("RANGE", "sk")], False: [("HASH", "pk")]}
INDEXES = {
    "local": ("LocalSecondaryIndexes", [("HASH", "pk"), ("RANGE", "place")]),
    "global": ("GlobalSecondaryIndexes", [("HASH", "day"), ("RANGE", "place")]),
}


@dataclass(frozen=True)
class Listing:
    """`item_bytes`: of every item, or of one in a hundred where others are tiny. `index`: local or global.

    `keys`: of each segment; more than any budget or time here suffices for.
    """

    max_read_units: float | None = None
    rate: float | None = None
    workers: int = 1
    sort_key: bool = True
    item_bytes: int = 200
    is_mixed: bool = False
    max_dollars: float | None = None
    index: str | None = None
    keys: int = 1_000_000

    kind = LISTING

    @cached_property
    def plan(self) -> Plan:
        asked = {
            "table": "Orders",
            "index": self.index,
            "workers": self.workers,
            "segments": max(self.workers, 16),
            "max_read_units": self.max_read_units,
            "max_dollars": self.max_dollars,
            "max_read_units_per_second": self.rate,
        }
        return plan_listing(parse(asked), self.description)

    @property
    def description(self) -> TableDescription:
        def schema(key: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
            return [{"AttributeName": name, "KeyType": kind} for kind, name in key]

        own = KEY[self.sort_key]
        names = ("pk", "sk", "day", "place") if self.index else [name for _, name in own]
        document: dict[str, Any] = {
            "TableStatus": "ACTIVE",
            "KeySchema": schema(own),
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "N"} for name in names],
        }
        if self.index:
            member, key = INDEXES[self.index]
            document[member] = [{"IndexName": self.index, "IndexStatus": "ACTIVE", "KeySchema": schema(key)}]
        return TableDescription.from_json(document)

    def resumed(self, rate: float | None = None, max_read_units: float | None = None) -> "Listing":
        """Return the same work as continued by another execution."""
        asked = {
            "table": "Orders",
            "resume": "run",
            "max_read_units_per_second": rate,
            "max_read_units": max_read_units,
        }
        case: Listing = planned(self, resumed(self.plan, parse(asked), self.description))
        return case

    def batch(self, progress: ScanProgress, **given: Any) -> Batch:
        return Batch(self.plan, progress, **given)

    def answer(self, request: Request) -> tuple[Page, float, float]:
        partition, names = self.plan.source.partition_key[0].name, [key.name for key in self.plan.source.key]
        begin = request.segment * 1_000_000
        start = int(request.start_key[partition]["N"]) if request.start_key else begin
        count, size = page_items(start, request.limit or 1 << 20, self.item_bytes, is_mixed=self.is_mixed)

        def item(number: int) -> dict[str, Any]:
            return {name: {"N": str(number) if name == partition else "0"} for name in names}

        items = [item(start + place + 1) for place in range(min(count, 50))]
        items[-1:] = [item(start + count)]
        units = max(1, -(-size // 4096)) * 0.5
        last = item(start + count) if start + count < begin + self.keys else None
        return Page(items, last, units), units, 0.0


def page_items(start: int, limit: int, item_bytes: int, *, is_mixed: bool) -> tuple[int, int]:
    """Return how many items a page evaluates, and its bytes."""
    count = size = 0
    while count < limit and size < 1 << 20:
        count += 1
        size += size_of(start + count, item_bytes, is_mixed=is_mixed)
    return count, size


def size_of(number: int, item_bytes: int, *, is_mixed: bool) -> int:
    return 100 if is_mixed and (number * 7919) % 100 else item_bytes


@dataclass(frozen=True)
class Items:
    """Work over items that all have to be written; see `Listing`. `decided`: the plan before its table is known."""

    bounds: tuple[tuple[str, float], ...] = ()
    workers: int = 1
    item_bytes: int = 200
    is_mixed: bool = False
    sampled: float = 0.0

    kind: ClassVar[Kind[Any]]
    decided: ClassVar[Any]  # a static function
    job: ClassVar[Any]

    def batch(self, progress: Any, **given: Any) -> Engine:
        return job_batch(self.job, self.plan, progress=progress, **given)

    @cached_property
    def plan(self) -> Any:
        asked = dict(self.bounds)
        most = max(1, -(-self.item_bytes // 1024))
        mean = most / 100 + 1 if self.is_mixed else most
        decided = self.decided(max(16, self.workers), self.workers)
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
        return decided.sampled(self.sampled, bytes_each, WriteUnits({"table": mean}, most))

    def answer(self, request: Any) -> tuple[Any, float, float]:
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
    kind, decided, job = RETROFIT, staticmethod(retrofit_plan), RetrofitJob


@dataclass(frozen=True)
class Copy(Items):
    kind, decided, job = COPY, staticmethod(copy_plan), CopyJob


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

    kind = ACT

    @cached_property
    def part(self) -> bytes:
        return b"".join(b'{"pk": "%07d"}\n' % number for number in range(self.keys))

    @cached_property
    def slices(self) -> Any:
        return slices([{"name": "0", "bytes": len(self.part), "sha256": ""}], 1 << 14)

    @cached_property
    def plan(self) -> ActPlan:
        asked = dict(self.bounds)
        decided = act_plan(
            keys=self.keys,
            slices=len(self.slices),
            workers=min(self.workers, len(self.slices)),
            key_units=self.units,
            most_key_units=self.units,
            max_units_per_second=asked.get("write_rate"),
            max_write_units=asked.get("max_write_units"),
            max_dollars=asked.get("max_dollars"),
            skips_ended=self.looks,
        )
        return replace(decided, workers=decided.limits.fitting).checked()

    def batch(self, progress: Any, **given: Any) -> Engine:
        return job_batch(ActJob, self.plan, self.slices, progress=progress, **given)

    def answer(self, request: Any) -> tuple[Answer, float, float]:
        step = request.step
        if request.unit is None:
            return Answer(self.part[step.start : step.end], requests=0), 0.0, 0.0
        if isinstance(step, First):
            return Answer([step.key], read_units=1.0), 1.0, 0.0
        units = self._units(int(step.key["pk"]["S"]))
        return Answer(WRITTEN, write_units=units), 0.0, units

    def _units(self, number: int) -> float:
        return max(390.0, self.units) if self.large and number % self.large == 0 else self.units
