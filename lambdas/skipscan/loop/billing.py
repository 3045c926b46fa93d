"""What a piece of work of any kind has cost so far: for board, manifest, report and announcement."""

from collections.abc import Iterable, Mapping
from typing import Any

from skipscan.loop.progress import Progress
from skipscan.loop.work import Planned
from skipscan.pace.bill import Bill, Services, around
from skipscan.pace.counts import Counts


def services_of(plan: Planned, reached: Iterable[Progress]) -> Services:
    """Return what the workers' committed batches took besides units, and an estimate of what is around them."""
    if not plan.prices.has_services:
        return Services()
    far = list(reached)
    own = Services.total(progress.spending.services for progress in far)
    return own + around(plan.workers, sum(progress.batch for progress in far))


def bill_of(
    plan: Planned, planned: Mapping[str, Any], counts: Counts, services: Services, also_read: float = 0.0
) -> Bill:
    """Return the whole bill. `planned`: what plan.json holds, whose sample is paid for too. `also_read`: by Finish."""
    read_units = counts.read_units + sampled_units(planned) + also_read
    return Bill.of(plan.prices, read_units, counts.write_units, services)


def sampled_units(planned: Mapping[str, Any]) -> float:
    """Return the read units of the sample that a plan took."""
    return float(((planned.get("explanation") or {}).get("sample") or {}).get("read_units", 0.0))


def quoted(plan: Planned, bill: Bill) -> dict[str, Any]:
    """Return a bill as results state it, with the date of its prices."""
    return {**bill.to_json(), "region": plan.prices.region, "prices": plan.prices.origins}
