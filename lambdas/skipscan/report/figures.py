"""The figures of the report for a program: what the page says in words and bars, as JSON."""

from math import isfinite
from typing import Any

from skipscan.inputs.names import table_name
from skipscan.listing.estimate.interval import Interval
from skipscan.loop.billing import bill_to_json
from skipscan.report.record import Listed, WorkRecord
from skipscan.report.ways import ComparedWay, is_billed_on_demand, ways


def figures(record: Listed) -> dict[str, Any]:
    """Return the figures of a run, without key values; `None` where nothing is known.

    `ways`: the run first, then those it is compared with; an end that an estimate does not have is `None`.
    `dollars`: the whole bill.
    """
    billed = is_billed_on_demand(record)
    shown = [_way(way, billed=billed) for way in ways(record, {})]
    return {**job_figures(record), "index": record.run.plan.source.index, "ways": shown}


def _way(way: ComparedWay, *, billed: bool) -> dict[str, Any]:
    return {
        "way": way.name,
        "measured": way.is_measured,
        "basis": way.basis,
        "read_units": _ends(way.read_units),
        "requests": _ends(way.requests),
        "dollars": round(way.bill.total, 6),
        "read_unit_dollars": round(way.bill.read_units, 6) if billed else None,
    }


def _ends(interval: Interval) -> dict[str, float | None]:
    ends = {"estimate": interval.estimate, "low": interval.low, "high": interval.high}
    return {name: round(value, 1) if isfinite(value) else None for name, value in ends.items()}


def job_figures(record: WorkRecord[Any]) -> dict[str, Any]:
    """Return the figures of a job, without key values; `None` where nothing is known. `dollars`: the whole bill."""
    kind, run, ending = record.kind, record.run, record.ending or {}
    return {
        "kind": kind.noun,
        kind.noun: run.name,
        "table": table_name(run.plan.table),
        "complete": record.is_complete,
        "started": run.started,
        "finished": ending.get("finished"),
        "seconds": record.seconds,
        **record.counts.to_json(),
        kind.unit: kind.units(run.plan),
        f"{kind.unit}_left": ending.get(f"{kind.unit}_left"),
        "workers": run.plan.workers,
        "batches": record.batches_committed,
        "dollars": bill_to_json(run.plan, record.bill),
    }
