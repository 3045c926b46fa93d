"""A batch of a job with a ledger of its own."""

from collections.abc import Callable, Sequence
from typing import Any

from skipscan.items.engine import Engine
from skipscan.items.job import Job
from skipscan.pace.bounds import Bounds, Clock
from skipscan.pace.ledger import Ledger


def job_batch(
    job: Callable[..., Job],
    plan: Any,
    *slices: Any,
    progress: Any,
    bounds: Bounds = Bounds(),  # noqa: B008 (it never changes)
    clock: Clock = Clock(lambda: 0.0),  # noqa: B008
    random: Callable[[], float] = lambda: 1.0,
    write: Callable[[Sequence[Any]], int] = len,
) -> Engine:
    """Return the batch of a worker. `slices`: of an act."""
    ledger = Ledger(plan.limits, progress, bounds=bounds, clock=clock, random=random)
    return Engine(job(plan, *slices, ledger), ledger, write=write)
