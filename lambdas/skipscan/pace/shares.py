"""How many workers a piece of work has, how they share its budgets and rates, and how many keep these together."""

from collections.abc import Mapping
from math import ceil, inf
from typing import Protocol

from skipscan.dynamodb.capacity import FRESH_WRITE_UNITS
from skipscan.dynamodb.prices import Prices
from skipscan.errors import InputError
from skipscan.inputs.fields import MAX_JOB_WORKERS
from skipscan.inputs.names import number_as_written
from skipscan.pace.bill import NOTHING, TURN, Amounts, Services, amounts, around
from skipscan.pace.bounds import WORKER_GB
from skipscan.pace.rate import SharedRate, most_workers

OVERRUN = 0.05
"""The part of a budget by which all workers together may exceed it: each has a request under way."""


FIRST_REQUEST = Services(gb_seconds=WORKER_GB)
"""Of a worker until its first request has been answered: a second, because time counts against a budget in dollars."""


class Budgeted(Protocol):
    """A plan of any kind. `budget`: of all workers. `page`, `least`: the most and the least of one request."""

    @property
    def workers(self) -> int: ...
    @property
    def prices(self) -> Prices: ...
    @property
    def budget(self) -> Amounts: ...
    @property
    def page(self) -> Amounts: ...
    @property
    def least(self) -> Amounts: ...


def worker_share(plan: Budgeted) -> Amounts:
    """Return what one worker may consume. Of the dollars, Plan, Finish and the Map are subtracted first."""
    fixed = amounts(plan.prices, 0.0, services=around(plan.workers, plan.workers))
    return (plan.budget - fixed).times(1 / plan.workers)


def overrun(plan: Budgeted) -> Amounts:
    """Return the maximum overrun of the work: a request of each worker, and the end of its batch."""
    return most_request(plan).times(plan.workers)


def overrun_stated(plan: Budgeted) -> dict[str, float]:
    """Return the maximum overrun of each budget that the plan has."""
    asked, most = vars(plan.budget), vars(overrun(plan))
    return {name: round(amount, 6) for name, amount in most.items() if asked[name] < inf}


def most_request(plan: Budgeted) -> Amounts:
    """Return the maximum overrun of one worker's share."""
    return plan.page + amounts(plan.prices, 0.0, services=TURN)


def is_spent(plan: Budgeted, consumed: Amounts) -> bool:
    """Return whether no further batch fits into the share of a worker that consumed so much."""
    if not plan.budget.is_bounded:
        return False
    return not least_batch(plan).fits(worker_share(plan) - consumed)


def least_batch(plan: Budgeted) -> Amounts:
    """Return what a batch of one small request consumes."""
    return plan.least + amounts(plan.prices, 0.0, services=TURN)


def check_budget(
    plan: Budgeted,
    work: str,
    request: Amounts,
    reasons: Mapping[str, str],
    before: Amounts = NOTHING,
    *,
    workers: int = 1,
) -> None:
    """Raise `InputError` for a budget in which a worker cannot make a request of average size.

    `work`: its name in messages. `reasons`: why so much is needed, by amount. `before`: what was consumed before the
    first request, and is not part of the plan's budget any more. `workers`: how many share the budget, where they are
    fixed; new work has as few as its budget allows.
    """
    each = request + amounts(plan.prices, 0.0, services=TURN + FIRST_REQUEST)
    least = vars(before + each.times(workers) + amounts(plan.prices, 0.0, services=around(workers, workers)))
    for name, asked in vars(plan.budget + before).items():
        needed = ceil(least[name] * 1e6) / 1e6
        if asked < needed:
            raise InputError(
                f"max_{name}",
                number_as_written(asked),
                f"{work} needs at least {_in_full(needed)}, because {reasons[name]}",
                "raise it, or leave it out",
            )


def _in_full(amount: float) -> str:
    """Return an amount with every digit, because a rounded one may be refused again."""
    return f"{amount:.6f}".rstrip("0").rstrip(".")


def at_once(workers: int, *rates: SharedRate) -> int:
    """Return how many of the workers keep the rates if each has a request under way; at least one.

    All workers together may exceed a rate over ten seconds by 5 % and a request.
    """
    return max(1, min([workers, *(most_workers(rate, most) for rate, most in rates if rate and most)]))


def workers_that_fit(plan: Budgeted, workers: int, *rates: SharedRate) -> int:
    """Return as many of the workers as keep the plan's budgets and rates together, each with a request under way.

    All workers together may exceed a budget by 5 %. One worker is always allowed.
    """
    bounds = [at_once(workers, *rates)]
    budget, most = plan.budget.times(OVERRUN), most_request(plan)
    pairs = zip(vars(budget).values(), vars(most).values(), strict=True)
    bounds += [int(allowed / each) for allowed, each in pairs if each and allowed < inf]
    return max(1, min(bounds))


def fewer_workers(noun: str, workers: int, requested: int | None, pieces: int) -> str | None:
    """Return why work has fewer workers than requested; `None` if it has not, or has no more pieces to share out."""
    if requested is None or workers >= min(requested, pieces):
        return None
    return (
        f"The {noun} uses {workers} of the {requested} requested workers: with more workers, one request each at a "
        "time could exceed the rate or the budget by more than 5 %."
    )


WORKER_UNITS = 1_000.0  # units a second that one worker consumes easily


def choose_workers(requested: int | None, pieces: int, units_per_second: float | None) -> int:
    """Return one worker per thousand units a second (4,000 without a rate); `pieces`: of workers that have work."""
    enough = ceil((units_per_second or FRESH_WRITE_UNITS) / WORKER_UNITS)
    return max(1, min(requested or enough, pieces, MAX_JOB_WORKERS))
