"""The run's whole bill beside what other ways to list the same keys take.

Every way says whether its figures are measured or estimated, and from what.

And the figures of the report for a program: what the page says in words and bars, as JSON.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import ceil, inf
from typing import Any

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.inputs.names import table_name
from skipscan.listing.estimate.cost import Concurrency
from skipscan.listing.estimate.offer import DESCRIBED, FIRST_ITEM, FULL
from skipscan.listing.estimate.ways import full_scan, with_lookups
from skipscan.report.bill import ComparedWay
from skipscan.report.record import WorkRecord
from skipscan.sample.interval import Consumption, Interval
from skipscan.stored.figures import figures, figures_to_json

MILLION = 1_000_000
OURS = {"skip": "Skipscan", "page": "Skipscan, reading every item"}


def ways(record: WorkRecord) -> tuple[ComparedWay, ...]:
    """Return the run itself, then the ways it is compared with, as far as anything is known of them."""
    counts = record.counts
    ours = _way(
        record,
        "Skipscan, by Queries" if record.plan.only else OURS[record.plan.strategy],
        Interval.exactly(counts.read_units),
        Interval.exactly(counts.requests),
        "measured: ConsumedCapacity of every page",
        is_ours=True,
    )
    if not record.is_complete:
        return (ours,)  # what other ways take depends on keys that are not found yet
    return (ours, *_others(record))


def is_billed_on_demand(record: WorkRecord) -> bool:
    return record.facts.get("read_capacity_units") is None


def _others(record: WorkRecord) -> Iterator[ComparedWay]:
    plan = record.plan
    stated = {row["strategy"]: row for row in record.explanation.get("strategies", ())}
    known = record.facts
    if plan.source.can_skip and not plan.take.reads_on and plan.sort_range is None and plan.only is None:
        first = record.explanation.get("first_item_read_units")
        if first is not None:
            each = _interval(first)
            basis = "one page for each key found; first items as in the plan's sample"
        else:
            bytes_each = known["size_bytes"] / known["items"] if known.get("items") else plan.item_bytes
            each = Interval.exactly(max(1, ceil(bytes_each / STEP_BYTES)) * plan.step_units)
            basis = "one page for each key found; first items of average size"
        pages = record.done + plan.segments
        units = each.times(record.done).plus(plan.segments * plan.step_units)
        steps = each.times(1 / plan.step_units)
        taken = with_lookups(
            Consumption(units, Interval.exactly(pages)), plan, Interval.exactly(record.done), steps, None
        )
        yield _way(record, FIRST_ITEM, taken.read_units, taken.requests, f"estimated: {basis}")
    if FULL in stated:
        row = stated[FULL]
        basis = (
            "the table's size by DescribeTable, up to six hours old"
            if row["basis"] == DESCRIBED
            else "the plan's sample"
        )
        yield _way(record, FULL, _interval(row["read_units"]), _interval(row["requests"]), f"estimated: {basis}")
    elif known.get("size_bytes"):
        item_bytes = known["size_bytes"] / known["items"] if known["items"] else 0.0
        scan = plan if plan.only is None else replace(plan, segments=1)
        whole = full_scan(known["size_bytes"], item_bytes, scan, plan.step_units)
        basis = "estimated: the table's size by DescribeTable, up to six hours old"
        yield _way(record, FULL, whole.read_units, whole.requests, basis)


def _way(
    record: WorkRecord,
    name: str,
    units: Interval,
    requests: Interval,
    basis: str,
    *,
    is_ours: bool = False,
) -> ComparedWay:
    plan = record.plan
    served = record.facts.get("served_read_units")  # which older plans lack
    concurrency = Concurrency.of(plan, served)
    # The same speed for every way: what a table allows, or what this run has shown it to allow.
    fastest = max(concurrency.units_per_second, _units_per_second(record))
    concurrency = replace(concurrency, units_per_second=fastest)
    # And the same batches: an environment may bound them.
    batch = max(1, record.counts.requests) / record.batches_committed if record.batches_committed else inf
    bill = record.bill if is_ours else concurrency.bill(units.estimate, requests.estimate, batch)
    million, keys = None, record.done
    if keys:
        scale = MILLION / keys
        # With full batches, as plans assume: those of a small run say nothing of a large one's.
        million = concurrency.bill(units.estimate * scale, requests.estimate * scale)
    return ComparedWay(name, units, requests, bill, basis, million)


def _units_per_second(record: WorkRecord) -> float:
    """Return the rate from the first batch to the last; 0 where checkpoints do not show it."""
    seconds = record.timeline.end_seconds
    return record.counts.read_units / seconds if seconds else 0.0


def _interval(document: Mapping[str, Any]) -> Interval:
    ends = {name: float("inf") if document[name] is None else float(document[name]) for name in ("low", "high")}
    return Interval(float(document["estimate"]), **ends)


def report_figures(record: WorkRecord) -> dict[str, Any]:
    """Return the figures of a run, without key values; `None` where nothing is known.

    `ways`: the run first, then those it is compared with; an end that an estimate does not have is `None`.
    `dollars`: the whole bill.
    """
    billed = is_billed_on_demand(record)
    shown = [_way_figures(way, measured=not number, billed=billed) for number, way in enumerate(ways(record))]
    return {**job_figures(record), "index": record.plan.source.index, "ways": shown}


def _way_figures(way: ComparedWay, *, measured: bool, billed: bool) -> dict[str, Any]:
    return {
        "way": way.name,
        "measured": measured,
        "basis": way.basis,
        "read_units": way.units.to_json(1),
        "requests": way.requests.to_json(1),
        "dollars": round(way.bill.total, 6),
        "read_unit_dollars": round(way.bill.read_units, 6) if billed else None,
    }


def job_figures(record: WorkRecord) -> dict[str, Any]:
    """Return the figures of a job, without key values; `None` where nothing is known. `dollars`: the whole bill."""
    kind, plan, found = record.kind, record.plan, figures_to_json(figures(record))
    return {
        "kind": kind.label,
        kind.label: record.work.name,
        "table": table_name(plan.table),
        "complete": record.is_complete,
        **{name: found[name] for name in ("started", "finished")},
        "seconds": record.seconds,
        **{name: found[name] for name in (*vars(record.counts), kind.unit, f"{kind.unit}_left")},
        "workers": plan.workers,
        "batches": record.batches_committed,
        "dollars": found["dollars"],
    }
