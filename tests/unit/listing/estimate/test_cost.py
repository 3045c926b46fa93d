"""What a run costs beside its units: the time that its workers take, of which waiting for a rate is a part."""

import pytest

from skipscan.dynamodb.prices import US_EAST_1
from skipscan.listing.estimate.cost import (
    Concurrency,
    dollars,
    expected_services,
    worker_seconds,
)
from skipscan.pace.bill import Bill


@pytest.mark.parametrize(("rate", "seconds"), [(10.0, 600.0), (1e9, worker_seconds(6_000.0, 100.0))])
def test_workers_are_billed_for_the_time_that_they_wait_for_their_rate(rate: float, seconds: float) -> None:
    bill = dollars(6_000.0, 100.0, Concurrency.of(1, rate, None), US_EAST_1)
    assert bill.total == pytest.approx(Bill.of(US_EAST_1, 6_000.0, 0.0, expected_services(1, seconds, 0)).total)
