"""What one attempt may use up of its worker's budget, declared before it uses anything.

An attempt that crashes, or that lives on unseen, consumes units that no count ever shows. So each puts an empty object
first whose name says how much it may take at most, and then looks at those of all others (lists are strongly
consistent). What committed attempts declared is known from the progress. The rest counts as consumed in full: lost
attempts lead to too little spent, never to too much. The put also shows that the worker may write before it reads.
"""

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from skipscan.loop.results import Results
from skipscan.pace.spending import Spending

ALLOTTED_PART = 0.25
"""Of what is left of a worker's share, that one attempt may take: several may be lost before nothing is left."""

LEAST_PAGES = 4
"""An attempt may always take so many pages, as far as they are left: a quarter of little would take many turns."""


class Allotted(NamedTuple):
    """`units`: what the worker may have consumed by the batch's end. `spending`: as it is from now on."""

    units: float
    spending: Spending


def allot(
    results: Results,
    worker: int,
    batch: int,
    attempt: str,
    *,
    share: float,
    consumed: float,
    page: float,
    so_far: Spending,
) -> Allotted:
    """Return what an attempt may take, and declare that.

    `share`, `consumed`: the worker's part of the budget, and what counts against it but for lost attempts. `page`: the
    most by which one request can exceed an allotment.
    """

    def lost() -> float:
        return max(0.0, sum(_declared(results, worker, but=attempt)) - so_far.allotted)

    left = max(0.0, share - consumed - lost())
    units = min(left, max(ALLOTTED_PART * left, LEAST_PAGES * page))
    declared = ceil(units + page)
    results.declare(worker, batch, attempt, declared)
    elsewhere = lost()
    units = min(units, max(0.0, share - consumed - elsewhere))
    spending = Spending(so_far.paid_off, so_far.unseen, so_far.allotted + declared, elsewhere)
    return Allotted(consumed + elsewhere + units, spending)


def _declared(results: Results, worker: int, *, but: str) -> Iterator[int]:
    return (units for attempt, units in results.declared(worker) if attempt != but)
