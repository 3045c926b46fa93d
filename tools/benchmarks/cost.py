"""The cost of a listing of the article's table, beside its script, a full scan and an export.

Read units and requests are exact counts of a share of the segments, and the rest is extrapolated: the segments of this
table are alike. Seconds are the processor time that `benchmarks.client` measured for such pages, and an assumed wait
for each answer. Dollars are the whole bill by the price list of us-east-1.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from benchmarks.formula import COLLECTIONS, DAYS, INDEX, ITEM_BYTES, LENGTH, TYPES, Formula, description
from benchmarks.planned import SETTINGS, planned
from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.lines.formats import line_encoder
from skipscan.listing.estimate.cost import expected_services
from skipscan.loop.storage import Part
from skipscan.pace.bill import Bill, amounts
from skipscan.pace.bounds import Clock
from skipscan.pace.progress import Progress
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import WALKS, Plan, segments_of_worker
from skipscan.scan.progress import ScanCounts, ScanPosition

KEYS = "the keys"
SKIPSCAN, SCRIPT, FULL_SCAN = "Skipscan", "the article's script", "a full scan"
MARKERS, EXPORT = "Skipscan by an index of markers", "an export to S3 and Athena"

WAIT_SECONDS = 0.005
"""How long a client waits for an answer: an assumption, and a favourable one for pages of 1 MB."""

ATHENA_DOLLARS = 5e-12
"""Of a byte that a query reads (Athena's price page, 2026; not read from a bill)."""


class Run(NamedTuple):
    """A run of Skipscan: the answered question, its name here, its input, and the table that it reads."""

    question: str
    name: str
    requested: Mapping[str, Any]
    table: Formula = Formula(COLLECTIONS)


RUNS = (
    Run(KEYS, SKIPSCAN, {}),
    Run(KEYS, FULL_SCAN, {"strategy": "page"}),
    Run(KEYS, MARKERS, {"index": INDEX}, Formula.of_markers(COLLECTIONS)),
    Run("the keys with their last items", SKIPSCAN, {"take": {"last": "all"}}),
    Run(
        "the items of the last day",
        SKIPSCAN,
        {"since": DAYS[-1], "take": {"items": "all"}},
        Formula(COLLECTIONS, since=DAYS[-1]),
    ),
    Run("the types of each key's items", SKIPSCAN, {"delimiter": "#"}, Formula(COLLECTIONS, TYPES)),
    Run("counts up to 100", SKIPSCAN, {"take": {"count": {"up_to": 100}}}),
)


@dataclass(frozen=True)
class Cost:
    """What one way takes. `lines`: of the result. `minutes`: `None` if it was not run. `workers`: 0 for a script."""

    question: str
    way: str
    lines: int
    read_units: float
    requests: int
    workers: int
    minutes: float | None
    dollars: float


def costs(measured: Mapping[str, Any], *, full: bool) -> Iterator[Cost]:
    """Return the cost of each way. `measured`: the figures of `benchmarks.client`."""
    for run in RUNS:
        yield cost(run, measured, share=1 / 256 if full else 1 / 1024)
        if run.name == SKIPSCAN and run.question == KEYS:
            yield script(measured)
    table_bytes = COLLECTIONS * LENGTH * ITEM_BYTES
    exported = US_EAST_1.exported_gb.of(table_bytes / 1e9) + ATHENA_DOLLARS * table_bytes
    yield Cost("each of these", EXPORT, 0, 0.0, 0, 0, None, exported)


def cost(run: Run, measured: Mapping[str, Any], share: float) -> Cost:
    """Return a deployed run's cost, extrapolated from that share of the segments."""
    first = planned(run.requested, description(COLLECTIONS), run.table.divided)
    plan = first.plan
    counts = listed(run, plan, share if run.name != FULL_SCAN else share / 8)
    seconds = counts.requests * _seconds(measured, counts.items / counts.requests, WALKS) / plan.workers
    sample = first.requests * _seconds(measured, counts.items / counts.requests, 1)
    units = counts.read_units + first.read_units
    bill = Bill.of(US_EAST_1, units, 0.0, expected_services(plan.workers, seconds))
    requests = counts.requests + first.requests
    return Cost(run.question, run.name, counts.keys, units, requests, plan.workers, (seconds + sample) / 60, bill.total)


def listed(run: Run, plan: Plan, share: float) -> ScanCounts:
    """Return what all workers count, extrapolated from the last segments of the first one, in its batches."""
    table = run.table.divided(plan.segments)
    own = segments_of_worker(0, plan.workers, plan.segments)
    some = min(own, max(1, round(share * plan.segments)))
    progress = Progress(0, ScanPosition(own - some), ScanCounts())
    while not progress.done(plan):
        part = Part(line_encoder(plan.source, plan.format, plan.take))
        batch = Batch(plan, progress, bounds=SETTINGS.batch, clock=Clock(lambda: 0.0), write=part.write)
        while isinstance(request := batch.take(), Request):
            batch.give(request, table.scan(request))
        progress = replace(batch.progress, batch=progress.batch + 1)
    counts, factor = progress.counts, plan.segments / some
    return ScanCounts(
        keys=round(counts.keys * factor),
        items=round(counts.items * factor),
        requests=round(counts.requests * factor),
        read_units=counts.read_units * factor,
    )


def script(measured: Mapping[str, Any], share: float = 1 / 128) -> Cost:
    """Return the cost of the article's script: one item a request, one request after the other, over boto3."""
    table = Formula(round(COLLECTIONS * share))
    keys, units, start_key = 0, 0.0, None
    while (page := table.page(0, start_key, 1)).last_evaluated_key is not None:
        keys, units = keys + 1, units + page.read_units
        start_key = {**page.last_evaluated_key, "sk": MAXIMUM["S"]}
    units = units * COLLECTIONS / keys + page.read_units
    requests = COLLECTIONS + 1
    minutes = requests * (measured["short"]["bare_ms"] / 1000 + WAIT_SECONDS) / 60
    return Cost(KEYS, SCRIPT, COLLECTIONS, units, requests, 0, minutes, amounts(US_EAST_1, units).dollars)


def _seconds(measured: Mapping[str, Any], items: float, walks: int) -> float:
    """Return how long a request keeps a worker: its walks share the waiting, not the processor."""
    short, long = measured["short"], measured["long"]
    an_item = (long["whole_ms"] - short["whole_ms"]) / (long["items"] - short["items"])
    cpu = (short["whole_ms"] + an_item * (items - short["items"])) / 1000
    return float(max(cpu, (cpu + WAIT_SECONDS) / walks))
