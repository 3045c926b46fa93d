"""Whether a worker's turns fit into the history of its execution.

An execution may have 25,000 events, and Step Functions ends it when they are used up
(https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html). Such an execution cannot be redriven.
"""

from dataclasses import dataclass
from math import ceil

from skipscan.errors import named

EVENTS = 25_000
TURN_EVENTS = 7
"""A state's entry, scheduling, start, success and exit, and the Choice's entry and exit."""

RETRY_EVENTS = 4_000
"""Reserved for retries: a thousand of a worker that waits for Lambda concurrency, and others."""

MOST_TURNS = (EVENTS - RETRY_EVENTS) // TURN_EVENTS
LONGEST_BATCH_SECONDS = 780.0
"""The longest batch of a Lambda function of 900 s, see `skipscan.aws.function`."""

LONG_AFTER = 1_000
"""After this many batches, a worker uses the longest batch, so that its history of 25,000 events lasts 20 days, not 8.
A plan fits a run into it, but cannot foresee how much a table is throttled; a job is not fitted."""


def history_seconds(batch_seconds: float, longest_seconds: float) -> float:
    """Return how long a worker can work until its history is full. `longest_seconds`: its longest batch."""
    late = max(batch_seconds, longest_seconds)
    return LONG_AFTER * batch_seconds + (MOST_TURNS - LONG_AFTER) * late


@dataclass(frozen=True)
class Workload:
    """The expected size of a run. `units_per_second`: its bound; `None` for none.

    `seconds`: what one worker alone would need for all of it. `batches`: how many batches it fills before their time
    is up, with all workers together.
    """

    units: float
    seconds: float
    units_per_second: float | None
    batches: float = 0.0

    def duration_seconds(self, workers: int) -> float:
        """Return how long each worker works: all of them until the end, if a rate bounds them."""
        rated = self.units / self.units_per_second if self.units_per_second else 0.0
        return max(self.seconds / workers, rated)

    def turns(self, workers: int, batch_seconds: float) -> float:
        """Return how many turns each worker makes at most: any batch ends by its time, or because it is full."""
        return self.duration_seconds(workers) / batch_seconds + self.batches / workers

    def fits(self, workers: int, batch_seconds: float) -> bool:
        return self.turns(workers, batch_seconds) <= MOST_TURNS

    def least_workers(self, batch_seconds: float) -> int:
        """Return how many workers are enough, unless the rate alone takes too long."""
        rated = self.units / self.units_per_second / batch_seconds if self.units_per_second else 0.0
        beside_rate = self.batches / (MOST_TURNS - rated) if rated < MOST_TURNS else 0.0
        return max(1, ceil((self.seconds / batch_seconds + self.batches) / MOST_TURNS), ceil(beside_rate))

    def least_rate(self, batch_seconds: float) -> float:
        """Return the read units a second at which the run fits."""
        return self.units / (MOST_TURNS * batch_seconds)


@dataclass(frozen=True)
class Fitted:
    """`batch_seconds`: the batches' duration; `None` for the default. `refusal`: why it does not fit.

    `remedy`: what can be changed to make it fit.
    """

    workers: int
    batch_seconds: float | None = None
    refusal: str | None = None
    remedy: str = ""


def fitted(workload: Workload, workers: int, batch_seconds: float, *, is_fixed: bool, most_workers: int) -> Fitted:
    """Return the number of workers and the duration of batches with which a run fits into its workers' histories.

    `is_fixed`: the input has the number of workers, so it stays.
    """
    if workload.fits(workers, batch_seconds):
        return Fitted(workers)
    if not is_fixed and workload.fits(most_workers, batch_seconds):
        return Fitted(workload.least_workers(batch_seconds))
    longest = max(batch_seconds, LONGEST_BATCH_SECONDS)
    enough = workers if is_fixed else min(max(workers, workload.least_workers(longest)), most_workers)
    if workload.fits(enough, longest):
        return Fitted(enough, longest)
    turns = workload.turns(enough, longest)
    most = f"at most {int(workload.units * MOST_TURNS / turns):,} read units"
    remedy = f"{named('max_read_units')} and then {named('resume')}, which starts new histories ({most})"
    if workload.units_per_second and workload.least_rate(longest) > workload.units_per_second:
        rate = f"{named('max_read_units_per_second')} of at least {ceil(workload.least_rate(longest)):,}"
        remedy = f"{rate}, or for {remedy}"
    needs_more = workload.seconds / longest + workload.batches > MOST_TURNS * enough
    if needs_more and workload.least_workers(longest) > enough:
        remedy = f"{named('workers')} of at least {workload.least_workers(longest):,}, or for {remedy}"
    # How long the run takes, or how many batches it fills, and how much a history holds.
    seconds = workload.duration_seconds(enough)
    full = f"execution history of {EVENTS:,} events is full after about"
    refusal = f"each worker is expected to fill {turns:,.0f} batches; its {full} {MOST_TURNS:,} batches"
    if seconds > MOST_TURNS * longest:
        refusal = (
            f"the run is expected to take {seconds / 86_400:,.0f} days; a worker's {full} "
            f"{MOST_TURNS * longest / 86_400:,.0f} days of batches of {longest:,.0f} seconds"
        )
    return Fitted(enough, longest, refusal, f"set {remedy}")
