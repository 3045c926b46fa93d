"""The blog's table as a formula, with a part of its segments walked and the rest extrapolated."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from benchmarks.blog_table import COLLECTIONS
from benchmarks.blog_table.measurement import Measurement
from benchmarks.blog_table.planned import EXECUTION, planned
from benchmarks.blog_table.results import Results
from benchmarks.blog_table.table import Shape, VirtualTable
from benchmarks.blog_table.turns import turns
from benchmarks.first_items.way import KEYS, KNOWN, LAST, THEN, WHOLE, Way
from skipscan.dynamodb.source import Source
from skipscan.listing.kind import LISTING
from skipscan.scan.plan import Plan
from skipscan.scan.plan import segments_of_worker as segments_of
from skipscan.scan.progress import ScanCounts, ScanProgress

QUERY_UNITS = 0.5


def blog(share: float) -> list[Way]:
    """Return what each way takes. Seconds: by the rates of requests that `benchmarks/blog_table` measured."""
    kept = {entry.way: entry for entry in Results.load().tables[0]}
    job = kept["Skipscan"]
    keys, last = (walked(share, asked).counts for asked in ({}, {"take": {"last": "all"}}))
    found = [
        Way(name, round(counts.read_units, 1), counts.requests, seconds(counts.requests, job), job.workers or 0)
        for name, counts in ((KEYS, keys), (LAST, last))
    ]
    script = kept["the blog's Limit=1"]
    known = Way(KNOWN, COLLECTIONS * QUERY_UNITS, COLLECTIONS, seconds(COLLECTIONS, script))
    full = kept["full scan"]
    whole = Way(WHOLE, full.read_units, full.requests, seconds(full.requests, full), full.workers or 0)
    shape = Shape.table(COLLECTIONS)
    exported = Way.exported(shape.collections * shape.length * shape.item_bytes)
    return [*found, known, found[0].then(known, THEN), whole, exported]


class Walked(NamedTuple):
    """A plan, and what its sample and all its workers consume."""

    plan: Plan
    counts: ScanCounts


def walked(
    share: float, asked: Mapping[str, Any], table_of: Callable[[Source, Shape, int], VirtualTable] = VirtualTable
) -> Walked:
    """Return a run with this input, extrapolated from the last segments of the first worker."""
    shape = Shape.table(COLLECTIONS)
    first = planned(asked, COLLECTIONS, shape, table_of)
    decided = first.plan
    table = table_of(decided.source, shape, decided.segments)
    own = segments_of(0, decided.workers, decided.segments)
    some = min(own, max(1, round(share * decided.segments)))
    start = replace(ScanProgress.start(decided, 0), opened=own - some)
    outcome = turns(LISTING.begun(EXECUTION, decided), table, [start], 0.0)
    counts = outcome.extrapolated(decided.segments / some, decided.workers, 0.0).counts
    return Walked(decided, counts + ScanCounts(read_units=first.read_units, requests=first.requests))


def seconds(requests: int, of: Measurement) -> float:
    return round(requests / of.requests_per_second, 3)
