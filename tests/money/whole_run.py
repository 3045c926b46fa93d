"""A listing over pages that are made up."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.planning import plan
from skipscan.pace.bounds import Bounds
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import Plan
from skipscan.scan.progress import Progress
from tests.money.driver import Consumed, drive

KEY = {True: [("HASH", "pk"), ("RANGE", "sk")], False: [("HASH", "pk")]}


@dataclass(frozen=True)
class Case:
    """`item_bytes`: of every item, or of one in a hundred where others are tiny. `lost`: of ten attempts, how many."""

    max_read_units: float | None = None
    rate: float | None = None
    workers: int = 1
    sort_key: bool = True
    item_bytes: int = 200
    is_mixed: bool = False
    lost: int = 0
    seconds: float = 40.0
    max_dollars: float | None = None

    kind = LISTING

    @cached_property
    def plan(self) -> Plan:
        asked = {
            "table": "Orders",
            "workers": self.workers,
            "segments": max(self.workers, 16),
            "max_read_units": self.max_read_units,
            "max_dollars": self.max_dollars,
            "max_read_units_per_second": self.rate,
        }
        document = {
            "TableStatus": "ACTIVE",
            "KeySchema": [{"AttributeName": name, "KeyType": kind} for kind, name in KEY[self.sort_key]],
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "N"} for _, name in KEY[self.sort_key]],
        }
        return plan(parse(asked), TableDescription.from_json(document))

    def batch(
        self, progress: Progress, bounds: Bounds, clock: Callable[[], float], random: Callable[[], float]
    ) -> Batch:
        return Batch(self.plan, progress, bounds=bounds, clock=clock, random=random, write=len)

    def answer(self, request: Request, worker: int) -> tuple[Page, float, float]:
        start = int(request.start_key["pk"]["N"]) if request.start_key else request.segment * 1_000_000
        count, size = page_items(start, request.limit or 1 << 20, self.item_bytes, is_mixed=self.is_mixed)
        names = ("pk", "sk") if self.sort_key else ("pk",)

        def item(number: int) -> dict[str, Any]:
            return {name: {"N": str(number) if name == "pk" else "0"} for name in names}

        items = [item(start + place + 1) for place in range(min(count, 50))]
        items[-1:] = [item(start + count)]
        units = max(1, -(-size // 4096)) * 0.5
        return Page(items, item(start + count), units), units, 0.0


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
