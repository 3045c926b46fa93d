"""How many workers a piece of work has, how they share its budgets and rates, and how many keep these together."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, inf

from skipscan.dynamodb.capacity import FRESH_WRITE_UNITS
from skipscan.dynamodb.prices import Prices
from skipscan.errors import InputError
from skipscan.inputs.fields import MAX_JOB_WORKERS
from skipscan.pace.bill import NOTHING, TURN, Amounts, Services, amounts, around
from skipscan.pace.bounds import WORKER_GB
from skipscan.pace.rate import UNLIMITED_RATE, SharedRate

OVERRUN = 0.05
"""The part of a budget by which all workers together may exceed it: each has a request under way."""


FIRST_REQUEST = Services(gb_seconds=WORKER_GB)
"""Of a worker until its first request has been answered: a second, because time counts against a budget in dollars."""


@dataclass(frozen=True)
class Limits:
    """What all workers of a piece of work may consume together, and each worker's part of it.

    `budget`: of all workers. `least`, `page`: the least and the most that one request consumes. `reads`, `writes`: the
    rates of units, or of an act's keys.
    """

    workers: int
    prices: Prices
    budget: Amounts
    least: Amounts
    page: Amounts
    reads: SharedRate = UNLIMITED_RATE
    writes: SharedRate = UNLIMITED_RATE

    @property
    def at_once(self) -> int:
        """How many of the workers keep the rates if each has a request under way; at least one.

        All workers together may exceed a rate over ten seconds by 5 % and a request.
        """
        rates = [rate for rate in (self.reads, self.writes) if rate.units_per_second and rate.ceiling]
        return max(1, min([self.workers, *(rate.most_workers for rate in rates)]))

    @property
    def fitting(self) -> int:
        """How many of the workers keep the budgets and the rates together, each with a request under way.

        All workers together may exceed a budget by 5 %. One worker is always allowed.
        """
        budget, most = self.budget.times(OVERRUN), self.most_request
        pairs = zip(vars(budget).values(), vars(most).values(), strict=True)
        return max(1, min([self.at_once, *(int(allowed / each) for allowed, each in pairs if each and allowed < inf)]))

    @property
    def worker_reads(self) -> float | None:
        """One worker's units a second. All workers get about the same amount to read."""
        return self.reads.share(self.at_once)

    @property
    def worker_writes(self) -> float | None:
        return self.writes.share(self.at_once)

    @property
    def worker_budget(self) -> Amounts:
        """What one worker may consume. Of the dollars, Plan, Finish and the Map are subtracted first."""
        fixed = amounts(self.prices, 0.0, services=around(self.workers, self.workers))
        return (self.budget - fixed).times(1 / self.workers)

    @property
    def most_request(self) -> Amounts:
        """The maximum overrun of one worker's share: a request, and the end of its batch."""
        return self.page + amounts(self.prices, 0.0, services=TURN)

    @property
    def least_batch(self) -> Amounts:
        """What a batch of one small request consumes."""
        return self.least + amounts(self.prices, 0.0, services=TURN)

    @property
    def overrun(self) -> dict[str, float]:
        """The maximum overrun of each budget that there is: by a request of each worker."""
        given, most = vars(self.budget), vars(self.most_request.times(self.workers))
        return {name: round(amount, 6) for name, amount in most.items() if given[name] < inf}

    def are_spent(self, consumed: Amounts) -> bool:
        """Return whether no further batch fits into the share of a worker that consumed so much."""
        return not self.least_batch.fits(self.worker_budget - consumed)

    def check(
        self,
        work: str,
        request: Amounts,
        reasons: Mapping[str, str],
        before: Amounts = NOTHING,
        *,
        workers: int = 1,
    ) -> None:
        """Raise `InputError` for a budget in which a worker cannot make a request of average size.

        `work`: its name in messages. `reasons`: why so much is needed, by amount. `before`: what was consumed before
        the first request, and is not part of the budget any more. `workers`: how many share the budget, where they are
        fixed; new work has as few as its budget allows.
        """
        each = request + amounts(self.prices, 0.0, services=TURN + FIRST_REQUEST)
        least = vars(before + each.times(workers) + amounts(self.prices, 0.0, services=around(workers, workers)))
        for name, given in vars(self.budget + before).items():
            needed = ceil(least[name] * 1e6) / 1e6
            if given < needed:
                raise InputError(
                    f"max_{name}",
                    given,
                    f"{work} needs at least {_in_full(needed)}, because {reasons[name]}",
                    "raise it, or leave it out",
                )


def _in_full(amount: float) -> str:
    """Return an amount with every digit, because a rounded one may be refused again."""
    return f"{amount:.6f}".rstrip("0").rstrip(".")


def fewer_workers(label: str, workers: int, requested: int | None, pieces: int) -> str | None:
    """Return why work has fewer workers than requested; `None` if it has not, or has no more pieces to share out."""
    if requested is None or workers >= min(requested, pieces):
        return None
    return (
        f"The {label} uses {workers} of the {requested} requested workers: with more workers, one request each at a "
        "time could exceed the rate or the budget by more than 5 %."
    )


WORKER_UNITS = 1_000.0  # units a second that one worker consumes easily


def choose_workers(requested: int | None, pieces: int, units_per_second: float | None) -> int:
    """Return one worker per thousand units a second (4,000 without a rate); `pieces`: of workers that have work."""
    enough = ceil((units_per_second or FRESH_WRITE_UNITS) / WORKER_UNITS)
    return max(1, min(requested or enough, pieces, MAX_JOB_WORKERS))
