"""What a job of any kind that writes, or hands keys over, takes beside its units, and the warnings before it starts."""

from typing import Any

from skipscan.dynamodb.prices import Prices
from skipscan.listing.estimate.cost import START_SECONDS, TURN_SECONDS, expected_services
from skipscan.pace.bill import Bill
from skipscan.pace.limits import Limits, fewer_workers
from skipscan.scan.history import EVENTS, history_seconds

WORKER_WRITES = 1_000.0  # a second: puts, updates and deletes, with 16 under way


def job_estimate(read_units: float, write_units: float, seconds: float, workers: int, prices: Prices) -> dict[str, Any]:
    """Return dollars and minutes of a job that writes. `seconds`: of each worker."""
    bill = Bill.of(prices, read_units, write_units, expected_services(workers, seconds))
    return {"dollars": bill.to_json(), "minutes": round((START_SECONDS + seconds) / 60, 1)}


DAY = 86_400.0


def job_warnings(
    limits: Limits, longest_batch_seconds: float, requested_workers: int | None, pieces: int, minutes: float
) -> list[str]:
    """Return the warnings about a job. `pieces`: of work; more workers than these would idle.

    `minutes`: the expected duration without a budget. A job with a budget may stop long before.
    """
    said = [fewer_workers("job", limits.workers, requested_workers, pieces)]
    if not limits.budget.is_bounded:
        said.append(_long(minutes * 60.0, longest_batch_seconds))
    return [warning for warning in said if warning]


def _long(seconds: float, longest_batch_seconds: float) -> str | None:
    most = history_seconds(TURN_SECONDS, longest_batch_seconds)
    if seconds <= most:
        return None
    return (
        f"The job is expected to take {seconds / DAY:,.0f} days, but the execution history of a worker, {EVENTS:,} "
        f"events, is full after about {int(most / DAY)} days of default batches. The execution then fails, and nothing "
        'is lost: continue the job with "resume", which starts new histories.'
    )
