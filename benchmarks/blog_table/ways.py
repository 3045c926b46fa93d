"""The blog's four ways to list the keys, each measured in a process of its own."""

from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any

from benchmarks.blog_table import pace
from benchmarks.blog_table.blog import limit_1
from benchmarks.blog_table.measurement import Measurement
from benchmarks.blog_table.planned import EXECUTION, planned
from benchmarks.blog_table.table import INDEX, Shape, VirtualTable, description
from benchmarks.blog_table.turns import turns
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing
from skipscan.scan.plan import segments_of_worker as segments_of
from skipscan.scan.progress import ScanProgress


@dataclass(frozen=True)
class Way:
    """A way that Skipscan's own loop can go. `sampled_requests`: the pages from which the pace is measured."""

    name: str
    asked: Mapping[str, Any]
    shape: Callable[[int], Shape]
    sampled_requests: int

    def figures(self, collections: int, share: float) -> Measurement:
        """Walk that part of the segments, the last ones of the first worker, or all of every worker."""
        first = planned(self.asked, collections, self.shape(collections))
        decided = first.plan
        table = VirtualTable(decided.source, self.shape(collections), decided.segments)
        run = LISTING.begun(EXECUTION, decided)
        taken = pace.ours(decided, table, self.sampled_requests)
        starts = [ScanProgress.start(decided, worker) for worker in range(decided.workers)]
        if share < 1:
            own = segments_of(0, decided.workers, decided.segments)
            walked = min(own, max(1, round(share * decided.segments)))
            share = walked / decided.segments
            starts = [replace(starts[0], opened=own - walked)]
        outcome = turns(run, table, starts, taken.seconds)
        if share < 1:
            outcome = outcome.extrapolated(1 / share, decided.workers, taken.seconds)
        return Measurement.of(self.name, first, outcome, taken, collections=collections, share=share)


FULL_SCAN = Way("full scan", {"strategy": "page"}, Shape.table, 32)
MARKER_INDEX = Way("marker index", {"index": INDEX}, Shape.marker_index, 16)
OURS = Way("Skipscan", {}, Shape.table, 800)
LIMIT_1 = "the blog's Limit=1"


def figures(way: Way, collections: int, share: float = 1.0) -> Measurement:
    """Return the consumption of a way, measured in a process that does nothing else."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(way.figures, collections, share).result()


def blog(collections: int, share: float = 1.0) -> Measurement:
    """Return the consumption of the blog's sample, walking that part of the collections to their end."""
    source = plan_listing(parse({"table": "Blog"}), description(collections)).source
    table = VirtualTable(source, Shape.table(round(collections * share)))
    taken = pace.blog(table, 400)

    def scan(asked: Mapping[str, Any]) -> Mapping[str, Any]:
        page = table.page(0, asked.get("ExclusiveStartKey"), asked["Limit"])
        key = {} if page.last_evaluated_key is None else {"LastEvaluatedKey": page.last_evaluated_key}
        return {"Items": page.items, "ConsumedCapacity": {"CapacityUnits": page.read_units}, **key}

    keys, read_units, end_units = 0, 0.0, 0.0
    for answer in limit_1(scan):
        units = answer["ConsumedCapacity"]["CapacityUnits"]
        if answer["Items"]:
            keys += 1
            read_units += units
        else:
            end_units = units
    read_units = read_units * collections / keys + end_units
    requests = collections + 1
    return Measurement(
        way=LIMIT_1,
        collections=collections,
        share=share,
        keys=collections,
        read_units=read_units,
        requests=requests,
        requests_per_second=1 / taken.seconds,
        hours=requests * taken.seconds / 3600,
        client_cpu_seconds=requests * taken.cpu_seconds,
    )
