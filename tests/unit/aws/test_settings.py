"""The limits of a batch, from a function's environment variables."""

import pytest

from skipscan.aws.function import Settings
from skipscan.pace.bounds import Bounds
from skipscan.scan.history import history_seconds

VARIABLES = {
    "SKIPSCAN_BUCKET": "results",
    "SKIPSCAN_PREFIX": "skipscan",
    "SKIPSCAN_PLACE": "us-east-1:000000000000",
    "SKIPSCAN_ENVIRONMENT": "dev",
}


def seconds(batches: int, *, remaining_seconds: float = 900.0, **variables: str) -> float | None:
    settings = Settings.read({**VARIABLES, **variables})
    return settings.bounds(remaining_seconds, batches).seconds


def test_each_variable_that_the_stack_sets_is_read_and_a_lost_budget_is_not_read_as_another() -> None:
    """The stack writes them: tests/engines/infra/test_functions.py."""
    variables = {"SKIPSCAN_BATCH_PAGES": "7", "SKIPSCAN_BATCH_KEYS": "8", "SKIPSCAN_BATCH_BYTES": "9"}
    variables |= {
        "SKIPSCAN_MAX_DOLLARS": "5.5",
        "SKIPSCAN_KEY_ATTRIBUTES": '["id"]',
        "SKIPSCAN_WRITING": '{"t": ["f"]}',
    }
    settings = Settings.read({**VARIABLES, **variables, "SKIPSCAN_RESERVED_CONCURRENCY": "10"})
    assert settings.batch == Bounds(240.0, 7, 8, 9)
    assert (settings.max_dollars, settings.reserved_concurrency, settings.key_attributes) == (5.5, 10, ("id",))
    assert settings.writing == {"t": ["f"]}
    assert Settings.read(VARIABLES).max_dollars is None


def test_the_first_batches_of_a_worker_are_short() -> None:
    assert [seconds(batches) for batches in range(5)] == [15.0, 60.0, 240.0, 240.0, 240.0]


def test_a_shorter_batch_that_an_environment_asks_for_wins() -> None:
    assert [seconds(batches, SKIPSCAN_BATCH_SECONDS="30") for batches in range(3)] == [15.0, 30.0, 30.0]
    assert [seconds(batches, SKIPSCAN_BATCH_SECONDS="600") for batches in range(3)] == [15.0, 60.0, 600.0]


def test_a_worker_that_comes_far_has_longer_batches_so_that_its_history_lasts_for_weeks() -> None:
    """However slow a table, a rate or a queue turns out to be: no kind of work knows that before it starts."""
    assert [seconds(batches) for batches in (1_000 - 1, 1_000)] == [240.0, 780.0]
    assert seconds(1_000, SKIPSCAN_BATCH_SECONDS="30") == 780.0
    assert 20 * 86_400 < history_seconds(240.0) < 21 * 86_400


@pytest.mark.parametrize(("batches", "expected"), [(0, 5.0), (9, 5.0)])
def test_time_to_end_is_left_for_every_setting(batches: int, expected: float) -> None:
    assert seconds(batches, remaining_seconds=10.0) == expected
