"""The blog's table as a formula, with a part of its segments walked and the rest extrapolated."""

from dataclasses import replace

from benchmarks.blog_table import COLLECTIONS
from benchmarks.blog_table.measurement import Measurement
from benchmarks.blog_table.results import Results
from benchmarks.blog_table.table import Shape, VirtualTable, description
from benchmarks.blog_table.turns import turns
from benchmarks.first_items.way import KEYS, KNOWN, LAST, THEN, WHOLE, Way
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.planning import plan
from skipscan.loop.work import ExecutionId
from skipscan.scan.progress import Progress, ScanCounts
from skipscan.scan.segments import share as segments_of

EXECUTION = ExecutionId("any", "arn:aws:states:us-east-1:111111111111:execution:skipscan-dev:any", "2026-01-01")
QUERY_UNITS = 0.5


def blog(share: float) -> list[Way]:
    """Return what each way takes. Seconds: by the rates of requests that `benchmarks/blog_table` measured."""
    kept = {entry.way: entry for entry in Results.load().tables[0]}
    job = kept["Skipscan"]
    keys, last = (walked(share, last=last) for last in (False, True))
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


def walked(share: float, *, last: bool) -> ScanCounts:
    """Return what all workers find and consume, extrapolated from the last segments of the first worker."""
    asked = {"table": "Blog", **({"take": {"last": "all"}} if last else {})}
    decided = plan(parse(asked), description(COLLECTIONS))
    table = VirtualTable(decided.source, Shape.table(COLLECTIONS), decided.segments)
    own = segments_of(0, decided.workers, decided.segments)
    some = min(own, max(1, round(share * decided.segments)))
    start = replace(Progress.start(decided, 0), opened=own - some)
    outcome = turns(LISTING.begun(EXECUTION, decided), table, [start], 0.0)
    return outcome.extrapolated(decided.segments / some, decided.workers, 0.0).counts


def seconds(requests: int, of: Measurement) -> float:
    return round(requests / of.requests_per_second, 3)
