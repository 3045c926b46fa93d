"""How many keys a worker of a job may settle between two commits."""

import pytest

from skipscan.act.actions.send import Send
from skipscan.act.plan import repeated_keys
from tests.unit.act.worker import PUT, QUEUE


@pytest.mark.parametrize(
    ("keys", "workers", "expected"), [(10, 1, 1_000), (5_000_000, 1, 5_000), (5_000_000, 10, 1_000)]
)
def test_a_worker_has_no_more_turns_than_an_execution_has_room_for(keys: int, workers: int, expected: int) -> None:
    assert repeated_keys(Send(QUEUE, 1), keys, workers) == expected


def test_what_may_be_repeated_without_harm_is_committed_less_often() -> None:
    """About every two minutes, so that commits cost next to nothing, and a crash repeats no more than that."""
    assert repeated_keys(PUT, 10, 1) == 100_000
