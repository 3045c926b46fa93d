"""Choose the numbers of segments and workers of a run, once its consumption is estimated."""

from math import ceil

from skipscan.dynamodb.capacity import FRESH_READ_UNITS
from skipscan.inputs.fields import MAX_SEGMENTS
from skipscan.listing.estimate.cost import worker_seconds
from skipscan.listing.estimate.worker import TURN_SECONDS
from skipscan.listing.execution_input import MAX_WORKERS

SPLITS = ((10, 16), (50, 64), (200, MAX_SEGMENTS))
"""Pages of a segment, and the most segments of so many pages that a worker gets for its walks. A segment's end costs a
page, so all ends cost half a percent of a large run, and more of a run whose workers would have too few segments."""


def split(
    segments: int | None, workers: int | None, *, units: float, requests: float, rate: float | None
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
        wanted = (min(most * workers, int(requests / pages)) for pages, most in SPLITS)
        segments = min(max(workers, *wanted), MAX_SEGMENTS)
    return segments, workers
