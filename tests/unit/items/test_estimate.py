"""Warnings that concern jobs of all kinds."""

from skipscan.items.estimate import job_warnings
from tests.fakes.small_table import retrofit_plan


def said(
    asked: int | None = None, *, workers: int = 1, days: float = 1.0, max_write_units: float | None = None
) -> list[str]:
    plan = retrofit_plan(9, workers, max_write_units=max_write_units)
    return job_warnings(plan.limits, plan.longest_batch_seconds, asked, 9, days * 1440)


def test_workers_that_a_rate_does_not_allow_are_named() -> None:
    assert said(None) == said(1) == said(4, workers=4) == []
    (warning,) = said(4, workers=3)
    assert warning.startswith("The job uses 3 of the 4 requested workers")
