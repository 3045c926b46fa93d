"""How many workers a job that writes has."""

from math import ceil

from skipscan.dynamodb.capacity import FRESH_WRITE_UNITS

MAX_WORKERS = 100  # sixteen requests at once each: more than most tables and targets bear

WORKER_UNITS = 1_000.0  # a second, that one worker consumes without effort


def choose_workers(asked: int | None, most: int, units_per_second: float | None) -> int:
    """Return one worker for a thousand units a second, of 4,000 where there is no rate; `most`: that find work."""
    enough = ceil((units_per_second or FRESH_WRITE_UNITS) / WORKER_UNITS)
    return max(1, min(asked or enough, most, MAX_WORKERS))
