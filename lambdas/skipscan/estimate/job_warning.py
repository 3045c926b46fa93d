"""Warnings before a job of any kind starts, in sentences."""

from collections.abc import Mapping
from typing import Any

from skipscan.estimate.worker import TURN_SECONDS
from skipscan.pace.shares import fewer_workers
from skipscan.scan.history import EVENTS, history_seconds

DAY = 86_400.0


def job_warnings(asked_workers: int | None, pieces: int, explanation: Mapping[str, Any]) -> list[str]:
    """Return them. `asked_workers`: of the input. `pieces`: at most so many workers have work.

    `explanation`: of the plan, with its workers and the minutes that the job is expected to take.
    """
    said = fewer_workers("job", explanation["workers"], asked_workers, pieces), _long(explanation["minutes"] * 60.0)
    return [warning for warning in said if warning]


def _long(seconds: float) -> str | None:
    most = history_seconds(TURN_SECONDS)
    if seconds <= most:
        return None
    return (
        f"The job is expected to take {seconds / DAY:,.0f} days, but the execution history of a worker, {EVENTS:,} "
        f"events, is full after about {int(most / DAY)} days. The execution then fails, and nothing is lost: continue "
        'the job with "resume", which starts new histories.'
    )
