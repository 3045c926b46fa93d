"""What one attempt may consume of its worker's budgets, declared before it consumes anything: see `skipscan.loop`.

The put of the declaration also proves that the worker may write before it reads.
"""

from contextlib import suppress
from dataclasses import replace
from math import ceil, inf
from typing import Self

from skipscan.loop.results import Results
from skipscan.pace.bill import NOTHING, Amounts, Spending

ALLOTTED_PART = 0.25
"""The part of a worker's remaining share that one attempt may take: several may be lost before nothing is left."""

LEAST_PAGES = 4
"""An attempt may always take this many pages, if they are left: a quarter of a small rest would need many turns."""


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
) -> tuple[Amounts, Spending]:
    """Declare what an attempt may take; return what the worker may have consumed at its end, and its spending now.

    `share`: the worker's part of the budgets. `consumed`: what counts against it, without lost attempts. `page`: the
    most by which one request can exceed an allotment.
    """

    def lost() -> Amounts:
        others = (amounts for name, amounts in results.declared(worker) if name != attempt)
        return (sum(others, NOTHING) - so_far.allotted).most(NOTHING)

    left = (share - consumed - lost()).most(NOTHING)
    taken = left.least(left.times(ALLOTTED_PART).most(page.times(LEAST_PAGES)))
    declared = _rounded_up(taken + page)
    results.declare(worker, batch, attempt, declared)
    elsewhere = lost()
    taken = taken.least((share - consumed - elsewhere).most(NOTHING))
    spending = replace(so_far, allotted=so_far.allotted + declared, lost=elsewhere)
    return consumed + elsewhere + taken, spending


def declare_lost(results: Results, worker: int, batch: int, attempt: str, consumed: Amounts) -> None:
    """Declare what an attempt without a budget consumed and could not commit: a resume may have a budget.

    Storage that refused the commit may refuse this, too, and the commit's error counts.
    """
    if consumed.units:
        with suppress(Exception):
            results.declare(worker, batch, attempt, _rounded_up(consumed))


PLAN = 9_999
"""The worker's number in declarations of Plan. No work has that many workers, and Finish has the number after the last
worker's."""


class PlanAttempt:
    """One attempt of Plan, whose sample counts against the budgets even if the attempt is lost.

    With a budget it declares the most that the sample can read, before it reads. An attempt that fails then declares
    what it did read, which counts in place of the first. `read_units`: of its sample so far, with the most of requests
    without an answer.
    """

    def __init__(self, results: Results, name: str) -> None:
        self._results, self._name = results, name
        self._is_declared = False
        self.read_units = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        # Another end than an error may have come while a page was read.
        if isinstance(error, Exception) and (self._is_declared or self.read_units):
            with suppress(Exception):  # the attempt's own error counts
                self._declare(1, self.read_units)

    def sampled_units(self) -> float:
        """Return the most read units that the samples of all attempts took."""
        latest = dict(self._results.declared(PLAN))  # in the order of the names
        others = (most.read_units for name, most in latest.items() if name != self._name)
        return self.read_units + sum(others)

    def declare(self, read_units: float) -> None:
        """Declare the most read units that the sample can take."""
        self._declare(0, read_units)
        self._is_declared = True

    def _declare(self, number: int, read_units: float) -> None:
        self._results.declare(PLAN, number, self._name, _rounded_up(Amounts(read_units=read_units)))


def _rounded_up(amounts: Amounts) -> Amounts:
    """Return amounts in the form of an object's name: whole units, millionths of dollars, 0 without a budget."""

    def whole(amount: float) -> int:
        return 0 if amount == inf else ceil(amount)

    return Amounts(whole(amounts.read_units), whole(amounts.write_units), whole(amounts.dollars * 1e6) / 1e6)
