"""The number of workers of a job that writes."""

from math import ceil

from skipscan.dynamodb.capacity import FRESH_WRITE_UNITS

MAX_WORKERS = 100  # sixteen concurrent requests each: more than most tables and targets can take

WORKER_UNITS = 1_000.0  # units a second that one worker consumes easily


def choose_workers(asked: int | None, most: int, units_per_second: float | None) -> int:
    """Return one worker per thousand units a second (4,000 without a rate); `most`: of workers that have work."""
    enough = ceil((units_per_second or FRESH_WRITE_UNITS) / WORKER_UNITS)
    return max(1, min(asked or enough, most, MAX_WORKERS))
