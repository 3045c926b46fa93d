"""The limits of a batch, from a function's environment variables."""

from skipscan.aws.function import Settings
from skipscan.pace.bounds import Bounds

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
