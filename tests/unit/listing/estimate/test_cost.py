"""What a run costs beside its units: the time that its workers take, of which waiting for a rate is a part."""

from dataclasses import replace

import pytest

from skipscan.dynamodb.prices import US_EAST_1
from skipscan.listing.estimate.cost import (
    Concurrency,
    dollars,
    expected_services,
    unit_seconds,
    worker_seconds,
    worker_turns,
)
from skipscan.pace.bill import Bill
from skipscan.scan.take import KEYS, Count, Ends, Take
from tests.fakes.small_table import reading


@pytest.mark.parametrize(("rate", "seconds"), [(10.0, 600.0), (1e9, worker_seconds(6_000.0, 100.0))])
def test_workers_are_billed_for_the_time_that_they_wait_for_their_rate(rate: float, seconds: float) -> None:
    bill = dollars(6_000.0, 100.0, Concurrency.of(1, rate, None), US_EAST_1)
    assert bill.total == pytest.approx(Bill.of(US_EAST_1, 6_000.0, 0.0, expected_services(1, seconds, 0)).total)


@pytest.mark.parametrize(
    ("consistent", "take", "seconds"),
    [
        (False, KEYS, 6e-5),
        (False, Count(), 6e-5),
        (False, Ends({"first": None}), 6e-5 + 2 * 1.2e-4),  # half a unit for 4 KB
        (True, Ends({"first": None}), 6e-5 + 1.2e-4),
    ],
)
def test_items_that_are_taken_take_time_by_their_size(consistent: bool, take: Take, seconds: float) -> None:
    plan = replace(reading(), take=take, consistent_read=consistent)
    assert unit_seconds(plan) == pytest.approx(seconds)


@pytest.mark.parametrize(("seconds", "turns"), [(15, 1), (16, 2), (75, 2), (76, 3), (315, 3), (316, 4), (556, 5)])
def test_the_first_turns_are_of_15_and_60_seconds_and_the_others_of_240(seconds: float, turns: int) -> None:
    assert worker_turns(seconds) == turns


@pytest.mark.parametrize(("units_per_second", "seconds"), [(None, 5 + (100 + 36) / 4), (1000.0, 5 + 600)])
def test_the_minutes_are_those_of_the_workers_or_of_the_rate(units_per_second: float | None, seconds: float) -> None:
    """80,000 requests, of which a worker makes 800 a second, and 600,000 units of 60 µs more, by four workers."""
    assert Concurrency(4, units_per_second).minutes(600_000, 80_000) == pytest.approx(seconds / 60)
