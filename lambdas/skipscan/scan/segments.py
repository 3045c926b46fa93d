"""Which segments a worker walks, and in which order.

Segments are equal ranges of the hash space, and neighbours are in the same partition. So they are visited in strides of
the golden ratio, which keeps any few consecutive ones far apart: the workers never all read one partition. The i-th
visit belongs to worker i modulo the number of workers, so a worker's place in its list is one number.
"""

from math import ceil, gcd, sqrt

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.inputs.fields import MAX_SEGMENTS

GOLDEN = 0.6180339887498949

SEGMENT_BYTES = 1 << 28  # a terabyte in 4096 segments: their 0.5 read units each are 0.4 % of a million-key scan
SEGMENTS_OF_ROOT = 1 / 8
"""How many segments a smaller table has, by the root of its steps of 4 KB: the end of each takes a page, which is to be
little beside what the table takes. That lies anywhere between a page for each collection and all steps."""

FAR_SEGMENTS = 3
"""The multiplier for the segments of a small table when latency is high: they cost read units, but each walk waits
long."""

WALKS = 16  # of one worker beside the table: a table of unknown size costs only 8 read units if it is empty
WORKER_SEGMENTS = 1024  # a worker keeps up with so many: few workers cost less than many (orchestration)
MOST_CHOSEN_WORKERS = 16
WORKER_READ_UNITS = 500  # units a second that one worker consumes easily


def choose(
    segments: int | None,
    workers: int | None,
    size_bytes: int,
    read_units_per_second: float | None = None,
    walks: int = WALKS,
) -> tuple[int, int]:
    """Return the numbers of segments and workers for a table of that size; given numbers stay.

    `size_bytes` is DescribeTable's, hours old or zero: it decides how a run is split up, never what it finds. A bound
    on `read_units_per_second` also bounds how many workers have work. `walks`: how many of one worker may pay.
    """
    if segments is None:
        segments = _of_size(size_bytes, walks) if size_bytes else walks
        segments = max(segments, WALKS * workers if workers and workers > 1 else 1)
    if workers is None:
        workers = min(ceil(segments / WORKER_SEGMENTS), MOST_CHOSEN_WORKERS)
        if read_units_per_second is not None:
            workers = min(workers, ceil(read_units_per_second / WORKER_READ_UNITS))
    return segments, workers


def _of_size(size_bytes: int, walks: int) -> int:
    """Return the segments of a table of so many bytes: few where they would cost, many where a worker can use them."""
    more = FAR_SEGMENTS if walks > WALKS else 1
    small = min(round(sqrt(size_bytes / STEP_BYTES) * SEGMENTS_OF_ROOT * more), walks)
    return max(1, small, min(ceil(size_bytes / SEGMENT_BYTES), MAX_SEGMENTS))


def stride(segments: int) -> int:
    """Return the step between two visits: near the golden ratio of all, without a common divisor."""
    step = max(1, round(segments * GOLDEN))
    while gcd(step, segments) != 1:
        step += 1
    return step


def segment_at(visit: int, segments: int) -> int:
    """Return the segment of a visit, 0 to segments - 1; every segment has exactly one."""
    return visit * stride(segments) % segments


def segments_of_worker(worker: int, workers: int, segments: int) -> int:
    """Return how many segments a worker has."""
    return len(range(worker, segments, workers))
