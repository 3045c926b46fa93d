"""Choose the numbers of segments and workers of a run, once its consumption is estimated."""

from math import ceil

from skipscan.dynamodb.capacity import FRESH_READ_UNITS
from skipscan.estimate.cost import worker_seconds
from skipscan.estimate.worker import TURN_SECONDS
from skipscan.listing.execution_input import MAX_WORKERS
from skipscan.scan.segments import MAX_SEGMENTS

ENDS_PART = 0.02
"""A segment's end costs a page; all ends together cost at most this part of a run's read units."""

WORKER_SEGMENTS = 16  # a worker walks so many at the same time
SMALL_RUN_PAGES = 10  # pages of a segment, if that makes fewer segments than WORKER_SEGMENTS


def split(
    segments: int | None, workers: int | None, *, units: float, requests: float, step_units: float, rate: float | None
) -> tuple[int, int]:
    """Return the numbers of segments and workers for a run that takes so much; given numbers are kept.

    Workers: as many as finish within a few minutes, but no more than the table serves at `rate` read units a second
    (`None`: the rate of a new on-demand table).
    """
    seconds = max(worker_seconds(units, requests), 1e-9)
    if workers is None:
        served = (rate or FRESH_READ_UNITS) * seconds / max(units, 1e-9)
        workers = max(1, min(ceil(seconds / TURN_SECONDS), int(served), MAX_WORKERS, segments or MAX_SEGMENTS))
    if segments is None:
        pages = units / step_units
        least = max(workers, min(WORKER_SEGMENTS * workers, int(pages / SMALL_RUN_PAGES)))
        segments = min(max(least, round(ENDS_PART * pages)), MAX_SEGMENTS)
    return segments, workers
