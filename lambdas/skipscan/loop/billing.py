"""The cost of a piece of work so far, of any kind: for board, manifest, report and announcement."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from skipscan.loop.kind import AnyProgress
from skipscan.loop.work import Planned
from skipscan.pace.bill import ESTIMATED, NOTHING, Amounts, Bill, Services, amounts, around, resumed_services
from skipscan.pace.counts import Counts


def services_of(plan: Planned, reached: Iterable[AnyProgress], resumes: int) -> Services:
    """Return the services that committed batches used besides units, plus an estimate of the states around them.

    `resumes`: how many executions resumed the work.
    """
    if not plan.prices.has_services:
        return Services()
    far = list(reached)
    own = Services.total(progress.spending.services for progress in far)
    return own + all_around(plan.workers, sum(progress.batch for progress in far), resumes)


def all_around(workers: int, batches: int, resumes: int) -> Services:
    """Return an estimate of what the states around all batches used, in the first execution and in each resume."""
    return around(workers, batches) + resumed_services(workers, batches).times(resumes)


def consumed(plan: Planned, reached: Iterable[AnyProgress], resumes: int) -> Amounts:
    """Return what counts against the budgets: of all workers, with lost attempts, and of the states around them."""
    far = list(reached)
    own = sum((progress.spending.consumed(progress.counts, plan.prices) for progress in far), NOTHING)
    batches = sum(progress.batch for progress in far)
    return own + amounts(plan.prices, 0.0, services=all_around(plan.workers, batches, resumes))


def bill_of(
    plan: Planned, planned: Mapping[str, Any], counts: Counts, services: Services, also_read: float = 0.0
) -> Bill:
    """Return the whole bill. `planned`: plan.json, whose sample is included. `also_read`: read units of Finish."""
    read_units = counts.read_units + sampled_units(planned) + also_read
    return Bill.of(plan.prices, read_units, counts.write_units, services)


def ended_bill(plan: Planned, planned: Mapping[str, Any], counts: Counts, ending: Mapping[str, Any]) -> Bill:
    """Return the whole bill of a manifest, or of work that its budget stopped. Its units are never rounded to 0."""
    stated, exact = Bill.from_json(ending["dollars"]), bill_of(plan, planned, counts, Services())
    return replace(
        stated,
        read_units=stated.read_units or exact.read_units,
        write_units=stated.write_units or exact.write_units,
    )


def sampled_units(planned: Mapping[str, Any]) -> float:
    """Return the read units of a plan's sample."""
    return float(((planned.get("explanation") or {}).get("sample") or {}).get("read_units", 0.0))


def bill_to_json(plan: Planned, bill: Bill) -> dict[str, Any]:
    """Return a bill in the form of results, with the date of its prices and the parts that are estimates."""
    estimated = ESTIMATED if plan.prices.has_services else None
    return {**bill.to_json(), "estimated": estimated, "region": plan.prices.region, "prices": plan.prices.origins}
