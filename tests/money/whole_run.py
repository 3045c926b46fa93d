"""Whole runs with a budget or a rate, over pages that are made up and a clock that only waiting moves.

Every worker is driven as its function drives it: attempts are allotted, batches end, debts and counts ride in progress
as JSON. An attempt that is lost has consumed what it consumed, and commits nothing.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from heapq import heappop, heappush
from random import Random
from typing import Any

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.planning import plan
from skipscan.loop.allotment import allot
from skipscan.loop.progress import to_json
from skipscan.loop.results import Results
from skipscan.pace.bounds import Bounds, Pause
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import Plan
from skipscan.scan.progress import Progress

LATENCY_SECONDS = 0.005
BATCH_SECONDS = 60.0
RETRY_SECONDS = 2.0


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

    def plan(self) -> Plan:
        asked = {
            "table": "Orders",
            "workers": self.workers,
            "segments": max(self.workers, 16),
            "max_read_units": self.max_read_units,
            "max_read_units_per_second": self.rate,
        }
        role = [("HASH", "pk"), *([("RANGE", "sk")] if self.sort_key else [])]
        document = {
            "TableStatus": "ACTIVE",
            "KeySchema": [{"AttributeName": name, "KeyType": kind} for kind, name in role],
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "N"} for _, name in role],
        }
        return plan(parse(asked), TableDescription.from_json(document))


@dataclass(frozen=True)
class Consumed:
    """`pages`: when each began, and what it took."""

    plan: Plan
    pages: list[tuple[float, float]]

    @property
    def read_units(self) -> float:
        return sum(units for _, units in self.pages)

    @property
    def worst_ten_seconds(self) -> float:
        """The most that was consumed within ten seconds, from any page on."""
        worst = units = 0.0
        first = 0
        for at, taken in self.pages:
            units += taken
            while self.pages[first][0] <= at - 10:
                units -= self.pages[first][1]
                first += 1
            worst = max(worst, units)
        return worst

    @property
    def largest_page(self) -> float:
        return max((units for _, units in self.pages), default=0.0)


@dataclass
class Names:
    """Storage that holds names alone, which is all that allotments need."""

    held: list[str] = field(default_factory=list)

    def put(self, name: str, body: bytes, *, expires: bool = False) -> None:
        self.held.append(name)

    def names(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        return ((name, datetime.now(UTC)) for name in self.held if name.startswith(prefix))


def run(case: Case, seed: int = 1) -> Consumed:
    """Return what a run consumed until its budget stopped it, or until so many seconds were over."""
    decided = case.plan()
    pages: list[tuple[float, float]] = []
    random = Random(seed)
    clock = [0.0]
    results = Results(Names(), LISTING.layout("p", "Orders", "run"))  # type: ignore[arg-type]
    turns = [_worker(case, decided, worker, results, clock, random, pages) for worker in range(decided.workers)]
    due = [(0.0, worker) for worker in range(decided.workers)]
    while due:
        now, worker = heappop(due)
        if now > case.seconds:
            break
        clock[0] = now
        if (wait := next(turns[worker], None)) is not None:
            heappush(due, (now + wait, worker))
    return Consumed(decided, pages)


def _worker(  # noqa: PLR0917  # one run's parts, handed to each of its workers
    case: Case,
    decided: Plan,
    worker: int,
    results: Results,
    clock: list[float],
    random: Random,
    pages: list[tuple[float, float]],
) -> Iterator[float]:
    """Run a worker's turns; yield how long it waits before it goes on."""
    progress, number = Progress.start(decided, worker), 0
    while not progress.done(decided):
        number += 1
        opened, attempt = progress, f"{number:032x}"
        units = None
        if decided.share_units is not None:
            so_far = progress.spending
            units, spending = allot(
                results,
                worker,
                progress.batch,
                attempt,
                share=decided.share_units,
                consumed=progress.consumed - so_far.lost,
                page=decided.page_units,
                so_far=so_far,
            )
            opened = replace(progress, spending=spending)
        batch = Batch(
            decided,
            opened,
            bounds=Bounds(seconds=BATCH_SECONDS, units=units),
            clock=lambda: clock[0],
            random=random.random,
            write=len,
        )
        is_lost = random.random() * 10 < case.lost
        ends_after = random.randrange(1, 400) if is_lost else None
        under_way: list[tuple[float, Request]] = []
        taken = 0
        while ends_after is None or taken < ends_after:
            step = batch.take() if len(under_way) < decided.walks else None
            if isinstance(step, Request):
                taken += 1
                under_way.append((clock[0] + LATENCY_SECONDS, step))
                pages.append((clock[0], _units(case, step, taken, worker)))
                continue
            if isinstance(step, Pause) and not (under_way and under_way[0][0] <= clock[0]):
                wait = step.seconds
                if under_way:
                    wait = min(wait, under_way[0][0] - clock[0])
                yield max(wait, 1e-6)
            elif not under_way:
                break
            elif under_way[0][0] > clock[0]:
                yield under_way[0][0] - clock[0]
            while under_way and under_way[0][0] <= clock[0]:
                _, request = under_way.pop(0)
                batch.give(request, _page(case, request, taken, worker))
        if is_lost:
            yield RETRY_SECONDS
            continue
        reached = replace(batch.progress, batch=progress.batch + 1)
        document = json.loads(json.dumps(to_json(reached, decided)))
        progress = Progress.from_json(document, decided)


def _items(case: Case, request: Request) -> tuple[int, float]:
    """Return how many items a page evaluates, and its bytes; of a walk's state alone, so that asking twice is safe."""
    start = int(request.start_key["pk"]["N"]) if request.start_key else request.segment * 1_000_000
    limit = request.limit or 1 << 20
    count, size = 0, 0
    while count < limit and size < 1 << 20:
        place = start + count + 1
        size += 100 if case.is_mixed and (place * 7919) % 100 else case.item_bytes
        count += 1
    return count, size


def _units(case: Case, request: Request, *_: int) -> float:
    return max(1, -(-_items(case, request)[1] // 4096)) * 0.5


def _page(case: Case, request: Request, *_: Any) -> Page:
    count, _size = _items(case, request)
    start = int(request.start_key["pk"]["N"]) if request.start_key else request.segment * 1_000_000
    names = ("pk", "sk") if case.sort_key else ("pk",)
    items = [
        {name: {"N": str(start + place + 1) if name == "pk" else "0"} for name in names}
        for place in range(min(count, 50))
    ]
    last = {name: {"N": str(start + count) if name == "pk" else "0"} for name in names}
    if items:
        items[-1] = last
    return Page(items, last, _units(case, request))
