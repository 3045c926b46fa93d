"""Workers' turns without Lambda or S3: batches with the deployed limits, their progress passed on as JSON."""

import json
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import ceil

from benchmarks.blog_table.memory import peak_memory_mb
from benchmarks.blog_table.table import VirtualTable
from skipscan.aws.function import Settings
from skipscan.lines.formats import line_encoder
from skipscan.loop.kind import progress_to_json
from skipscan.loop.storage import Part, checksum
from skipscan.loop.work import Work
from skipscan.pace.bounds import Clock
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanCounts, ScanProgress

LAMBDA_SECONDS = 900.0
SETTINGS = Settings.read({"SKIPSCAN_BUCKET": "", "SKIPSCAN_PREFIX": "", "SKIPSCAN_PLACE": ""})
BOUNDS = SETTINGS.bounds(LAMBDA_SECONDS, 9)


@dataclass
class ListingTotals:
    """The results and the consumption of workers.

    `turns`: of the loop, per worker. `state_bytes`: the largest state between two of them. `part_bytes`: of all parts.
    `first_batch_memory_mb`, `peak_memory_mb`: the process's memory by then.
    """

    counts: ScanCounts = field(default_factory=ScanCounts)
    turns: list[int] = field(default_factory=list)
    parts: int = 0
    part_bytes: int = 0
    state_bytes: int = 0
    first_batch_memory_mb: float = 0.0
    peak_memory_mb: float = 0.0

    def extrapolated(self, factor: float, workers: int, seconds_per_request: float) -> "ListingTotals":
        """Return the outcome for so many times the segments, all like the walked ones."""
        counts = ScanCounts(
            keys=round(self.counts.keys * factor),
            items=round(self.counts.items * factor),
            requests=round(self.counts.requests * factor),
            read_units=self.counts.read_units * factor,
        )
        batches = max(
            counts.requests * seconds_per_request / workers / (BOUNDS.seconds or LAMBDA_SECONDS),
            counts.keys / workers / (BOUNDS.keys or counts.keys),
            self.part_bytes * factor / workers / (BOUNDS.bytes or self.part_bytes),
        )
        return replace(
            self,
            counts=counts,
            turns=[ceil(batches)] * workers,
            parts=ceil(batches) * workers,
            part_bytes=round(self.part_bytes * factor),
        )


def turns(
    run: Work[Plan], table: VirtualTable, starts: Iterable[ScanProgress], seconds_per_request: float
) -> ListingTotals:
    """Return the outcome of the workers with these beginnings; each page takes so many seconds of the batch's time."""
    outcome = ListingTotals()
    for start in starts:
        outcome.turns.append(0)
        progress = start
        while not progress.done(run.plan):
            progress = _turn(run, table, progress, seconds_per_request, outcome)
        outcome.counts += progress.counts
    outcome.peak_memory_mb = max(outcome.first_batch_memory_mb, peak_memory_mb())  # Linux counts it approximately
    return outcome


def _turn(
    run: Work[Plan], table: VirtualTable, progress: ScanProgress, seconds_per_request: float, outcome: ListingTotals
) -> ScanProgress:
    seconds = 0.0
    part = Part(line_encoder(run.plan.source, run.plan.format, run.plan.take))
    batch = Batch(run.plan, progress, bounds=BOUNDS, clock=Clock(lambda: seconds), write=part.write)
    under_way: deque[Request] = deque()
    while True:
        while isinstance(request := batch.take(), Request):
            under_way.append(request)
        if not under_way:
            break
        given = under_way.popleft()
        batch.give(given, table.scan(given))
        seconds += seconds_per_request
    reached = replace(batch.progress, batch=progress.batch + 1)
    state = {"work": run.to_json(), "worker": progress.worker, "progress": progress_to_json(reached, run.plan)}
    text = json.dumps(state)
    body = part.body()
    checksum(body)
    outcome.turns[-1] += 1
    outcome.parts += 1
    outcome.part_bytes += len(body)
    outcome.state_bytes = max(outcome.state_bytes, len(text))
    outcome.first_batch_memory_mb = outcome.first_batch_memory_mb or peak_memory_mb()
    return ScanProgress.from_json(json.loads(text)["progress"], run.plan)
