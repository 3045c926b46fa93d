"""Run Skipscan over a table in memory: its own plan, batch, walks and policy, with several pages in flight."""

import json
from collections.abc import Sequence
from heapq import heappop, heappush
from random import Random
from typing import Any, NamedTuple

from benchmarks.limit.simulated import Simulated, description
from benchmarks.limit.table import Bill, Table
from skipscan.dynamodb.page import Page
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing
from skipscan.loop.kind import progress_to_json
from skipscan.pace.bounds import FIRST_SECONDS, Bounds, Clock, Pause
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import Optimize, Plan
from skipscan.scan.progress import ScanProgress, first_progress
from skipscan.scan.taken import Taken

ANSWER_SECONDS = 0.005
"""The average time of an answer. Times are drawn at random, so that any page in flight can be the next."""


class Run(NamedTuple):
    """The consumption of a run. `seconds`: without processor time."""

    bill: Bill
    segments: int
    workers: int
    seconds: float


def ours(
    table: Table,
    optimize: Optimize = Optimize.BALANCED,
    seed: int = 1,
    *,
    is_known: bool = True,
    workers: int | None = 1,
    segments: int | None = None,
) -> Run:
    """Return the consumption of a run over a table. `is_known`: DescribeTable knows the table's size.

    A run from a terminal has one worker. With `None` and no `segments` the plan chooses both.
    """
    given = {"workers": workers, "segments": segments}
    requested = parse({"table": "Simulated", "optimize": str(optimize), **{name: n for name, n in given.items() if n}})
    return run(plan_listing(requested, description(table, is_known=is_known)), table, seed)


def run(decided: Plan, table: Table, seed: int) -> Run:
    """Return the consumption of a run with this plan, of all keys."""
    return made(decided, Simulated(table, decided.segments, seed), table.collections, seed)


def made(decided: Plan, simulated: Simulated, lines: int, seed: int) -> Run:
    """Return the consumption of a run with this plan, which writes so many `lines`."""
    random = Random(seed)
    units, requests, keys, longest = 0.0, 0, 0, 0.0
    found: set[str] = set()
    for worker in range(decided.workers):
        done = _Worker(decided, simulated, random)
        progress = done.walk(worker)
        units, requests = units + progress.counts.read_units, requests + progress.counts.requests
        keys, found = keys + progress.counts.keys, found | done.found
        longest = max(longest, done.now)
    if not len(found) == keys == lines:
        raise ValueError(f"the run found {keys} keys, {len(found)} of them different, of {lines}")
    bill = Bill(units, requests)
    return Run(bill, decided.segments, decided.workers, longest)


class _Worker:
    """One worker's batches, one after the other. Each passes its progress to the next as JSON."""

    def __init__(self, decided: Plan, simulated: Simulated, random: Random) -> None:
        self._plan, self._simulated, self._random = decided, simulated, random
        self._order = 0
        self.found: set[str] = set()
        self.now = 0.0

    def walk(self, worker: int) -> ScanProgress:
        progress = first_progress(self._plan, worker)
        turn = 0
        while not progress.done(self._plan):
            seconds = FIRST_SECONDS[turn] if turn < len(FIRST_SECONDS) else None
            batch = Batch(
                self._plan, progress, bounds=Bounds(seconds=seconds), clock=Clock(lambda: self.now), write=self._write
            )
            self._run(batch)
            document = json.loads(json.dumps(progress_to_json(batch.progress, self._plan)))
            progress, turn = LISTING.progress(document, self._plan), turn + 1
        return progress

    def _write(self, keys: Sequence[Any]) -> int:
        self.found.update(str(key.key if isinstance(key, Taken) else key) for key in keys)
        return 10 * len(keys)

    def _run(self, batch: Batch) -> None:
        """Run a batch as threads do: each requests a page when it has none, and any page can be answered next."""
        under_way: list[tuple[float, int, Request, Page]] = []
        while True:
            taken = batch.take() if len(under_way) < self._plan.walks else None
            if isinstance(taken, Request):
                self._order += 1
                answered = self.now + self._random.expovariate(1 / ANSWER_SECONDS)
                heappush(under_way, (answered, self._order, taken, self._simulated.scan(taken)))
            elif under_way and not (isinstance(taken, Pause) and self.now + taken.seconds < under_way[0][0]):
                self.now, _, request, page = heappop(under_way)
                batch.give(request, page)
            elif isinstance(taken, Pause):
                self.now += taken.seconds
            else:
                return
