"""What the run took, beside what two other ways to list the same keys would have taken.

Every way says whether it is measured or estimated, and from what.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from skipscan.dynamodb.prices import US_EAST_1, Prices
from skipscan.estimate.cost import Concurrency, dollars
from skipscan.estimate.full_scan import full_scan
from skipscan.estimate.interval import Interval
from skipscan.estimate.offer import DESCRIBED, FIRST_ITEM, FULL
from skipscan.report.record import Record
from skipscan.scan.limit.item_size import STEP_BYTES

OURS = {"skip": "Skipscan", "page": "Skipscan, reading every item"}


@dataclass(frozen=True)
class Way:
    """`dollars`: of the read units, `None` where capacity is provisioned. `basis`: what the figures are from."""

    name: str
    read_units: Interval
    requests: Interval
    dollars: float | None
    basis: str
    is_measured: bool = False


def ways(record: Record, measured: Mapping[str, tuple[float, int]]) -> tuple[Way, ...]:
    """Return the run itself, then the ways it is compared with, as far as anything is known of them.

    `measured`: read units and requests of those that were tried on the same table.
    """
    counts = record.counts
    ours = _way(
        record,
        OURS[record.run.plan.strategy],
        Interval.exactly(counts.read_units),
        Interval.exactly(counts.requests),
        "measured: what DynamoDB reported for every page",
        is_measured=True,
    )
    if not record.is_complete:
        return (ours,)  # of keys that are not found yet, nothing can be said
    tried = {
        name: _way(
            record,
            name,
            Interval.exactly(read_units),
            Interval.exactly(requests),
            "measured: done beside the run, on the same table",
            is_measured=True,
        )
        for name, (read_units, requests) in measured.items()
    }
    return (ours, *{**{way.name: way for way in _others(record)}, **tried}.values())


def prices(record: Record) -> Prices:
    """Return the prices the plan was made with, else the dated defaults."""
    document = (record.plan.get("explanation") or {}).get("prices")
    return Prices.from_json(document) if document else US_EAST_1


def facts(record: Record) -> Mapping[str, Any]:
    """Return what DescribeTable said before the run; empty if that was not kept."""
    return record.plan.get("facts") or (record.plan.get("explanation") or {}).get("facts") or {}


def is_on_demand(record: Record) -> bool:
    return facts(record).get("read_capacity_units") is None


def services_dollars(record: Record) -> float:
    """Return what Lambda, Step Functions and S3 cost beside the read units, by the plan's assumptions."""
    plan, counts = record.run.plan, record.counts
    concurrency = Concurrency.of(plan.workers, plan.max_read_units_per_second, facts(record).get("read_capacity_units"))
    bill = dollars(counts.read_units, counts.requests, concurrency, prices(record), is_on_demand=True)
    return bill.total - bill.read_units


def _others(record: Record) -> Iterator[Way]:
    plan, counts = record.run.plan, record.counts
    told = {row["strategy"]: row for row in (record.plan.get("explanation") or {}).get("strategies", ())}
    known = facts(record)
    if plan.source.can_skip:
        first = (record.plan.get("explanation") or {}).get("first_item_read_units")
        if first is not None:
            each, basis = _interval(first), "the keys found; first items as the plan's sample met them"
        else:
            bytes_each = known["size_bytes"] / known["items"] if known.get("items") else plan.item_bytes
            each = Interval.exactly(max(1, ceil(bytes_each / STEP_BYTES)) * plan.step_units)
            basis = "the keys found, one page each; a first item taken to be of average size"
        pages = counts.keys + plan.segments
        units = each.scaled(counts.keys).plus(plan.segments * plan.step_units)
        yield _way(record, FIRST_ITEM, units, Interval.exactly(pages), f"estimated: {basis}")
    if FULL in told:
        row = told[FULL]
        basis = "the table's size by DescribeTable" if row["basis"] == DESCRIBED else "the plan's sample"
        yield _way(record, FULL, _interval(row["read_units"]), _interval(row["requests"]), f"estimated: {basis}")
    elif known.get("size_bytes"):
        item_bytes = known["size_bytes"] / known["items"] if known["items"] else 0.0
        whole = full_scan(Interval.exactly(known["size_bytes"]), item_bytes, plan, plan.step_units)
        basis = "estimated: the table's size by DescribeTable, up to six hours old"
        yield _way(record, FULL, whole.read_units, whole.requests, basis)


def _way(
    record: Record, name: str, units: Interval, requests: Interval, basis: str, *, is_measured: bool = False
) -> Way:
    cost = prices(record).read_units.of(units.estimate) if is_on_demand(record) else None
    return Way(name, units, requests, cost, basis, is_measured)


def _interval(document: Mapping[str, Any]) -> Interval:
    ends = {name: float("inf") if document[name] is None else float(document[name]) for name in ("low", "high")}
    return Interval(float(document["estimate"]), **ends)
