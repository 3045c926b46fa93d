"""How many keys a worker of a job may settle between two commits."""

import pytest

from skipscan.act.actions.send import Send
from skipscan.act.plan import repeated_keys
from tests.unit.act.worker import QUEUE


@pytest.mark.parametrize(
    ("keys", "workers", "expected"), [(10, 1, 1_000), (5_000_000, 1, 5_000), (5_000_000, 10, 1_000)]
)
def test_a_worker_has_no_more_turns_than_an_execution_has_room_for(keys: int, workers: int, expected: int) -> None:
    assert repeated_keys(Send(QUEUE, 1), keys, workers) == expected
