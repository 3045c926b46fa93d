"""The figures of the report for a program: what the page says in words and bars, as JSON."""

from math import isfinite
from typing import Any

from skipscan.estimate.interval import Interval
from skipscan.inputs.names import table_name
from skipscan.report.record import Record
from skipscan.report.ways import Way, is_on_demand, prices, services_dollars, ways


def figures(record: Record) -> dict[str, Any]:
    """Return the figures of a run, without key values; what is not known is `None`.

    `ways`: the run first, then those it is compared with; each end of an estimate that has none is `None`.
    """
    run, counts, price = record.run, record.counts, prices(record).read_units
    return {
        "table": table_name(run.plan.source.table),
        "index": run.plan.source.index,
        "run": run.name,
        "complete": record.is_complete,
        "started": run.started,
        "finished": record.ending["finished"] if record.ending else None,
        "seconds": record.seconds,
        **counts.to_json(),
        "segments": run.plan.segments,
        "segments_left": record.ending["segments_left"] if record.ending else None,
        "workers": run.plan.workers,
        "batches": record.batches_committed,
        "read_unit_dollars": round(price.of(counts.read_units), 6) if is_on_demand(record) else None,
        "service_dollars_estimated": round(services_dollars(record), 6),
        "price": {"dollars_per_million": price.dollars_per_million, "as_of": price.as_of, "source": price.source},
        "ways": [_way(way) for way in ways(record, {})],
    }


def _way(way: Way) -> dict[str, Any]:
    return {
        "way": way.name,
        "measured": way.is_measured,
        "basis": way.basis,
        "read_units": _ends(way.read_units),
        "requests": _ends(way.requests),
        "read_unit_dollars": None if way.dollars is None else round(way.dollars, 6),
    }


def _ends(interval: Interval) -> dict[str, float | None]:
    ends = {"estimate": interval.estimate, "low": interval.low, "high": interval.high}
    return {name: round(value, 1) if isfinite(value) else None for name, value in ends.items()}
