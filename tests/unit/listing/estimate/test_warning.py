"""Warnings that concern jobs of all kinds."""

from skipscan.listing.estimate.warning import DAY, job_warnings
from skipscan.scan.history import LONG_AFTER, MOST_TURNS, history_seconds
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import retrofit_plan

DAYS = history_seconds(240.0) / DAY


def said(
    asked: int | None = None,
    *,
    workers: int = 1,
    pieces: int = 9,
    days: float = 1.0,
    max_write_units: float | None = None,
) -> list[str]:
    plan = retrofit_plan(9, workers, max_write_units=max_write_units)
    return job_warnings(plan, asked, pieces, days * 1440)


def test_workers_that_a_rate_does_not_allow_are_named() -> None:
    assert said(None) == said(1) == said(4, workers=4) == []
    (warning,) = said(4, workers=3)
    assert warning.startswith("The job uses 3 of the 4 requested workers")


def test_workers_that_have_nothing_to_do_are_not_missed() -> None:
    assert said(4, workers=2, pieces=2) == []


def test_a_job_that_outlives_its_history_names_the_way_out() -> None:
    assert said(days=DAYS - 0.01) == []
    (warning,) = said(days=46)
    assert "expected to take 46 days" in warning
    assert "full after about 20 days" in warning
    assert 'continue the job with "resume"' in warning


def test_a_copy_s_history_is_full_earlier_because_its_batches_stay_short() -> None:
    """They end before a late look, so they do not become as long as those of other kinds."""
    plan = copy_plan()
    most = (LONG_AFTER * 240.0 + (MOST_TURNS - LONG_AFTER) * 300.0) / DAY
    assert job_warnings(plan, None, 9, (most - 0.01) * 1440) == []
    (warning,) = job_warnings(plan, None, 9, (most + 0.3) * 1440)
    assert "expected to take 10 days" in warning
    assert "full after about 9 days" in warning


def test_a_budget_may_end_a_job_long_before() -> None:
    assert said(days=46, max_write_units=1e6) == []
