"""Warnings before a job of any kind starts, in sentences."""

from typing import Protocol

from skipscan.listing.estimate.cost import TURN_SECONDS
from skipscan.pace.shares import Budgeted, fewer_workers
from skipscan.scan.history import EVENTS, history_seconds

DAY = 86_400.0


class Job(Budgeted, Protocol):
    """The plan of a job."""

    @property
    def longest_batch_seconds(self) -> float:
        """Return the longest that one of its batches may last."""


def job_warnings(plan: Job, requested_workers: int | None, pieces: int, minutes: float) -> list[str]:
    """Return the warnings. `requested_workers`: of the input. `pieces`: of work; more workers than these would idle.

    `minutes`: the expected duration without a budget. A job with a budget may stop long before.
    """
    said = [fewer_workers("job", plan.workers, requested_workers, pieces)]
    if not plan.budget.is_bounded:
        said.append(_long(minutes * 60.0, plan.longest_batch_seconds))
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
