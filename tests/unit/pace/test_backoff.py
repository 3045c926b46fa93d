"""Who has to wait after a refusal, and how long."""

import pytest

from skipscan.pace.pace import Backoff, Fault, throttling


@pytest.mark.parametrize(
    ("reasons", "fault"),
    [
        (["TableReadKeyRangeThroughputExceeded"], Fault.KEY_RANGE),
        (["IndexReadKeyRangeThroughputExceeded"], Fault.KEY_RANGE),
        (["TableReadProvisionedThroughputExceeded"], Fault.CAPACITY),
        (["TableReadMaxOnDemandThroughputExceeded"], Fault.CAPACITY),
        (["TableReadAccountLimitExceeded"], Fault.CAPACITY),
        (["TableReadKeyRangeThroughputExceeded", "TableReadAccountLimitExceeded"], Fault.CAPACITY),
        ([], Fault.CAPACITY),
    ],
)
def test_the_reason_of_a_throttle_decides_its_fault(reasons: list[str], fault: Fault) -> None:
    assert throttling(reasons) is fault


def test_waits_double_up_to_the_longest_and_start_over() -> None:
    backoff = Backoff(random=lambda: 1.0)
    now, waits = 0.0, []
    for _ in range(10):
        backoff.refused(now)
        waits.append(backoff.wait_seconds(now))
        now = backoff.until
    assert waits == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 20.0, 20.0])
    backoff.accepted()
    backoff.refused(now)
    assert backoff.wait_seconds(now) == pytest.approx(0.1)


def test_jitter_takes_the_whole_span() -> None:
    backoff = Backoff(random=lambda: 0.25, refusals=3)
    backoff.refused(now=50.0)
    assert backoff.wait_seconds(50.0) == pytest.approx(0.2)
