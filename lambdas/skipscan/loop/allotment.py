"""What one attempt may use up of its worker's budgets, declared before it uses anything.

An attempt that crashes, or that lives on unseen, consumes what no count ever shows. So each puts an empty object
first whose name says how much it may take at most, and then looks at those of all others (lists are strongly
consistent). What committed attempts declared is known from the progress. The rest counts as consumed in full: lost
attempts lead to too little spent, never to too much. The put also shows that the worker may write before it reads.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import ceil, inf
from typing import NamedTuple

from skipscan.loop.results import Results
from skipscan.pace.amounts import NOTHING, Amounts
from skipscan.pace.spending import Spending

ALLOTTED_PART = 0.25
"""Of what is left of a worker's share, that one attempt may take: several may be lost before nothing is left."""

LEAST_PAGES = 4
"""An attempt may always take so many pages, as far as they are left: a quarter of little would take many turns."""


class Allotted(NamedTuple):
    """`amounts`: what the worker may have consumed by the batch's end. `spending`: as it is from now on."""

    amounts: Amounts
    spending: Spending


def allot(
    results: Results,
    worker: int,
    batch: int,
    attempt: str,
    *,
    share: Amounts,
    consumed: Amounts,
    page: Amounts,
    so_far: Spending,
) -> Allotted:
    """Return what an attempt may take, and declare that.

    `share`, `consumed`: the worker's part of the budgets, and what counts against it but for lost attempts. `page`: the
    most by which one request can exceed an allotment.
    """

    def lost() -> Amounts:
        return (sum(_declared(results, worker, but=attempt), NOTHING) - so_far.allotted).most(NOTHING)

    left = (share - consumed - lost()).most(NOTHING)
    taken = left.least(left.times(ALLOTTED_PART).most(page.times(LEAST_PAGES)))
    declared = _rounded_up(taken + page)
    results.declare(worker, batch, attempt, declared)
    elsewhere = lost()
    taken = taken.least((share - consumed - elsewhere).most(NOTHING))
    spending = replace(so_far, allotted=so_far.allotted + declared, lost=elsewhere)
    return Allotted(consumed + elsewhere + taken, spending)


def _rounded_up(amounts: Amounts) -> Amounts:
    """Return amounts as a name holds them: whole units, millionths of dollars, and nothing where there is no budget."""

    def whole(amount: float) -> int:
        return 0 if amount == inf else ceil(amount)

    return Amounts(whole(amounts.read_units), whole(amounts.write_units), whole(amounts.dollars * 1e6) / 1e6)


def _declared(results: Results, worker: int, *, but: str) -> Iterator[Amounts]:
    return (amounts for attempt, amounts in results.declared(worker) if attempt != but)
