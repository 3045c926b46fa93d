"""A listing over pages that are made up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing, resumed
from skipscan.pace.bounds import Bounds, Clock
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanProgress
from tests.simulation.money.driver import Consumed, drive, planned

KEY = {True: [("HASH", "pk"), ("RANGE", "sk")], False: [("HASH", "pk")]}
INDEXES = {
    "local": ("LocalSecondaryIndexes", [("HASH", "pk"), ("RANGE", "place")]),
    "global": ("GlobalSecondaryIndexes", [("HASH", "day"), ("RANGE", "place")]),
}


@dataclass(frozen=True)
class Case:
    """`item_bytes`: of every item, or of one in a hundred where others are tiny. `lost`: of ten attempts, how many.

    `index`: local or global. `keys`: of each segment; more than any budget or time here suffices for.
    """

    max_read_units: float | None = None
    rate: float | None = None
    workers: int = 1
    sort_key: bool = True
    item_bytes: int = 200
    is_mixed: bool = False
    lost: int = 0
    seconds: float = 40.0
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

    def resumed(self, rate: float | None = None, max_read_units: float | None = None) -> "Case":
        """Return the same work as continued by another execution."""
        asked = {
            "table": "Orders",
            "resume": "run",
            "max_read_units_per_second": rate,
            "max_read_units": max_read_units,
        }
        case: Case = planned(self, resumed(self.plan, parse(asked), self.description))
        return case

    def batch(
        self, progress: ScanProgress, bounds: Bounds, clock: Callable[[], float], random: Callable[[], float]
    ) -> Batch:
        return Batch(self.plan, progress, bounds=bounds, clock=Clock(clock), random=random, write=len)

    def answer(self, request: Request, worker: int) -> tuple[Page, float, float]:
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


def run(case: Case, seed: int = 1) -> Consumed:
    return drive(case, lost=case.lost, seconds=case.seconds, seed=seed)
