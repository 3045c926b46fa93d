"""The ways to list a table's keys, side by side: what each takes, costs and leaves out."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from skipscan.cost import EXPORT, Concurrency, Dollars, dollars, total_dollars
from skipscan.estimate import Consumption, Estimate, described
from skipscan.facts import Facts
from skipscan.interval import Interval
from skipscan.plan import Plan
from skipscan.prices import Prices
from skipscan.source import Kind

SKIP, FIRST_ITEM, FULL, EXPORTED = "skip scan", "skip scan, Limit=1", "full scan", "export to S3"
SAMPLED, DESCRIBED = "sample", "DescribeTable, up to six hours old"
GB = 1e9


@dataclass(frozen=True)
class Offer:
    """One way. `minutes` is `None` where nothing is known of it; `leaves_out` says which keys would be missing."""

    strategy: str
    read_units: Interval
    requests: Interval
    dollars: Interval
    by_service: Dollars
    minutes: float | None
    leaves_out: str | None
    basis: str

    def to_json(self) -> dict[str, Any]:
        return {
            "strategy": self.strategy,
            "read_units": self.read_units.to_json(1),
            "requests": self.requests.to_json(),
            "dollars": {**self.dollars.to_json(6), **self.by_service.to_json()},
            "minutes": None if self.minutes is None else round(self.minutes, 1),
            "leaves_out": self.leaves_out,
            "basis": self.basis,
        }


def offers(
    plan: Plan, facts: Facts, estimate: Estimate, *, indexes: Iterable[Facts], concurrency: Concurrency, prices: Prices
) -> Iterator[Offer]:
    """Return every way there is, the adaptive skip scan first where the source can be skipped."""
    on_demand = facts.read_capacity_units is None

    def offer(
        strategy: str, consumed: Consumption, basis: str, leaves_out: str | None = None, *, is_on_demand: bool
    ) -> Offer:
        units, requests = consumed.read_units.estimate, consumed.requests.estimate
        return Offer(
            strategy,
            consumed.read_units,
            consumed.requests,
            total_dollars(consumed, concurrency, prices, is_on_demand=is_on_demand),
            dollars(units, requests, concurrency, prices, is_on_demand=is_on_demand),
            concurrency.minutes(units, requests),
            leaves_out,
            basis,
        )

    missing = left_out(facts, None)
    if estimate.adaptive and estimate.first_item:
        rates = ((SKIP, estimate.adaptive), (FIRST_ITEM, estimate.first_item))
        for strategy, rate in rates:
            consumed = rate.of(estimate.keys, plan.segments)
            yield offer(strategy, consumed, SAMPLED, missing, is_on_demand=on_demand)
    if facts.size_bytes:
        whole = described(facts.size_bytes, plan.step_units)
        yield offer(FULL, whole, DESCRIBED, missing, is_on_demand=on_demand)
    elif estimate.whole:
        yield offer(FULL, estimate.whole, SAMPLED, missing, is_on_demand=on_demand)
    for index in indexes:
        yield offer(
            index.name,
            _through(index, estimate.keys, plan),
            DESCRIBED,
            left_out(index, facts.items),
            is_on_demand=index.read_capacity_units is None,
        )
    if facts.source.index is None and facts.size_bytes:
        yield _export(facts)


def left_out(index: Facts, table_items: int | None) -> str | None:
    """Return which keys an index does not hold, for people; `None` where it holds all, as a table does."""
    if not index.added_keys:
        return None
    said = f"keys of which no item has {' and '.join(index.added_keys)}"
    if table_items:
        said += f" (it holds {index.items:,} of {table_items:,} items)"
    return said


def _through(index: Facts, keys: Interval, plan: Plan) -> Consumption:
    """Return the most that an index takes: all of it is read, or with a sort key one page for each of its keys."""
    step = 0.5 if index.source.kind is Kind.GLOBAL_INDEX else plan.step_units  # no strongly consistent reads there
    whole = described(index.size_bytes, step)
    if not index.source.can_skip:
        return whole
    most = min(keys.estimate, index.items) * step + plan.segments * step
    if most >= whole.read_units.estimate:
        return whole
    pages = most / step
    return Consumption(Interval(most, 0.0, most), Interval(pages, 0.0, pages))


def _export(facts: Facts) -> Offer:
    """Return the export, which reads no table and is charged by its size. Its minutes depend on the service."""
    price = EXPORT.of(facts.size_bytes / GB)
    nothing = Interval.exactly(0.0)
    return Offer(EXPORTED, nothing, nothing, Interval.exactly(price), Dollars(s3=price), None, None, DESCRIBED)
