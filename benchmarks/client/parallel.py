"""Elapsed time compared with a plain parallel scan: a worker with its own client, and boto3 with a thread a segment."""

import random
from dataclasses import dataclass
from operator import truediv
from statistics import median

from benchmarks.client.distance import away
from benchmarks.client.ours import listed
from benchmarks.client.shapes import Shape
from benchmarks.client.wall import DISTANCE_MILLISECONDS, planned, timed
from benchmarks.client.workers import workers
from local.dynalite import dynalite
from local.embedded import SESSION
from local.listing import SEGMENTS, parallel_scan
from skipscan.aws import clients
from skipscan.scan.plan import WALKS


@dataclass(frozen=True)
class Beside:
    """Seconds, as medians over the rounds; `times` is the median ratio of our time to the parallel scan's."""

    keys: int
    requests: int
    read_units: float
    seconds: float
    parallel_requests: int
    parallel_read_units: float
    parallel_seconds: float
    times: float


def tens(collections: int) -> Shape:
    """Return the table that suits a parallel scan best: 20 to 100 small items a key."""
    chance = random.Random(20260101)
    return Shape("tens", [chance.randint(20, 100) for _ in range(collections)], 100)


def measure(shape: Shape, *, rounds: int) -> Beside:
    ours, theirs = [], []
    with dynalite() as near, away(near, DISTANCE_MILLISECONDS) as far, workers(far) as of:
        shape.load(clients.dynamodb(SESSION, WALKS, near))
        listed(of.lean, planned(of.lean, shape))  # opens its connections, and passes its trial
        for _ in range(rounds):
            seconds, counts = timed(lambda: listed(of.lean, planned(of.lean, shape)))
            parallel = parallel_scan(of.over_boto3, shape.name, "pk", SEGMENTS)
            if not counts.keys == len(set(parallel.keys)) == len(shape.lengths):
                raise RuntimeError(f"{counts.keys} and {len(set(parallel.keys))} keys of {len(shape.lengths)}")
            ours.append(seconds)
            theirs.append(parallel.seconds)
    return Beside(
        keys=counts.keys,
        requests=counts.requests,
        read_units=counts.read_units,
        seconds=median(ours),
        parallel_requests=parallel.requests,
        parallel_read_units=parallel.read_units,
        parallel_seconds=median(theirs),
        times=median(map(truediv, ours, theirs)),
    )
