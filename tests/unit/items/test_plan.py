"""The bounds of a job over items, and what its pages and writes count as."""

from dataclasses import replace

import pytest

from skipscan.errors import InputError
from tests.fakes.small_table import retrofit_plan
from tests.refusal import refused


def test_the_bounds_of_a_job_are_fields_of_its_input() -> None:
    """A status names those that an input had, for they are to be raised."""
    plan = retrofit_plan(max_write_units=7.0, max_dollars=3.0)
    plan = replace(plan, reading=replace(plan.reading, max_read_units=5.0))
    assert plan.bounds == {"max_write_units": 7.0, "max_read_units": 5.0, "max_dollars": 3.0}


def test_workers_that_run_at_once_share_both_rates() -> None:
    plan = retrofit_plan(8, 2, max_write_units_per_second=100.0)
    plan = replace(plan, reading=replace(plan.reading, max_read_units_per_second=600.0))
    assert (plan.limits.at_once, plan.segments_of(1)) == (2, 4)
    assert (plan.limits.worker_reads, plan.limits.worker_writes) == (300.0, 50.0)
    assert plan.limits.reads.ceiling != plan.limits.writes.ceiling


@pytest.mark.parametrize(("item_bytes", "units"), [(0.0, 1.0), (1024.0, 1.0), (1500.0, 2.0), (4096.0, 4.0)])
def test_a_budget_for_less_than_a_write_of_the_described_size_is_refused_before_the_sample(
    item_bytes: float, units: float
) -> None:
    def described(max_write_units: float) -> float:
        plan = retrofit_plan(max_write_units=max_write_units)
        return replace(plan, reading=replace(plan.reading, item_bytes=item_bytes)).described(3.0).sampled_units

    assert described(units) == 3.0, "the sample itself is not paid for yet"
    # What it names is what a sample of such items asks for: writes are rounded up.
    named = rf"at least {units:g}, because a write takes about that many, DescribeTable"
    with refused(InputError, "max_write_units", units * 0.9, rule=named):
        described(units * 0.9)
