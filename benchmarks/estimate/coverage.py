"""How often an estimate's intervals contain what a run then consumes, over random tables."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from statistics import fmean, median
from typing import NamedTuple, Protocol

from skipscan.listing.estimate.estimate import Estimate
from skipscan.listing.estimate.interval import Consumption, Interval
from skipscan.listing.estimate.offer import skip_scan
from skipscan.listing.estimate.sample import Sample
from skipscan.listing.estimate.ways import full_scan
from skipscan.scan.plan import Plan
from tests.unit.listing.estimate.case import Case
from tests.unit.listing.estimate.random_table import Scanned, run

Figure = tuple[str, Interval, float]


class Listed(Scanned, Protocol):
    """A table of which every true figure can be counted."""

    @property
    def keys(self) -> int: ...
    @property
    def size_bytes(self) -> int: ...
    def first_steps(self) -> int: ...
    def full_scan(self, segments: int) -> tuple[float, int]: ...


class Sampled(NamedTuple):
    """A table with a plan, a sample and its estimate."""

    table: Listed
    plan: Plan
    sample: Sample
    estimated: Estimate


def figures(case: Case | Sampled) -> Iterator[Figure]:
    """Return every figure of an estimate with the true figure."""
    table, plan, _, estimated = case
    yield "keys", estimated.keys, table.keys
    taken = run(table, plan)
    whole, name = estimated.whole(plan), "full scan, size unknown"
    if plan.item_bytes:
        whole = full_scan(Interval.exactly(table.size_bytes), plan.item_bytes, plan, plan.step_units)
        name = "full scan"
    yield from both("skip scan", skip_scan(plan, estimated, whole), taken.read_units, taken.requests)
    first_units = 0.5 * (table.first_steps() + plan.segments)
    yield from both("Limit=1", estimated.first_item(plan), first_units, table.keys + plan.segments)
    if steps := estimated.first_item_steps:
        yield "first item, steps", steps, table.first_steps() / table.keys
    yield from both(name, whole, *table.full_scan(plan.segments))


def both(way: str, estimated: Consumption | None, read_units: float, requests: float) -> Iterator[Figure]:
    if estimated is not None:
        yield f"{way}, read units", estimated.read_units, read_units
        yield f"{way}, requests", estimated.requests, requests


class Coverage(NamedTuple):
    """Coverage of one figure: number of tables, part of intervals with the true figure, median error and half-width."""

    tables: int
    held: float
    error: float
    half_width: float


def coverage(seeds: Iterable[int], most_keys: float = 100_000) -> dict[str, Coverage]:
    """Return the coverage over the random tables of these seeds."""
    return coverage_of(Case.drawn(seed, most_keys) for seed in seeds)


def coverage_of(cases: Iterable[Case | Sampled]) -> dict[str, Coverage]:
    """Return the coverage of each figure: over all tables, over those that a sample reads whole, and the others."""
    rows: dict[str, list[tuple[bool, float, float]]] = defaultdict(list)
    for case in cases:
        group = "known whole" if case.estimated.keys.low == case.estimated.keys.high else "sampled"
        for name, estimated, truth in figures(case):
            holds = estimated.low - 1e-6 <= truth <= estimated.high + 1e-6
            row = (holds, abs(estimated.estimate - truth) / max(truth, 1), estimated.relative_error)
            for each in ("all", group):
                rows[f"{name} ({each})"].append(row)
    return {
        name: Coverage(len(row), fmean(r[0] for r in row), median(r[1] for r in row), median(r[2] for r in row))
        for name, row in sorted(rows.items())
    }


def show(rows: dict[str, Coverage]) -> None:
    print(f"{'':48}{'tables':>8}{'held':>9}{'error':>8}{'half-width':>12}")
    for name, row in rows.items():
        print(f"{name:48}{row.tables:8}{row.held:9.1%}{row.error:8.1%}{row.half_width:12.1%}")
