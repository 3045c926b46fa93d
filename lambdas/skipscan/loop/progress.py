"""How far one worker has come: what a turn takes from state, returns to it, and leaves as a checkpoint."""

from collections.abc import Mapping
from typing import Any, Protocol

from skipscan.loop.work import stamped
from skipscan.pace.counts import Counts
from skipscan.pace.spending import Spending


class Progress(Protocol):
    """A worker's place between two batches. Nothing in it grows with the work that is done.

    `batch`: the number that the next part will have.
    """

    @property
    def worker(self) -> int: ...
    @property
    def batch(self) -> int: ...
    @property
    def counts(self) -> Counts: ...

    @property
    def spending(self) -> Spending: ...
    @property
    def under_way(self) -> int:
        """How many of the worker's units are begun and did not come to their end."""

    def left(self, plan: Any) -> int:
        """Return how many of the worker's units (segments, slices, walks) did not come to their end."""

    def done(self, plan: Any) -> bool:
        """Tell whether the loop ends for this worker: nothing is left, or its share of a budget is used up."""

    def place(self, plan: Any) -> Mapping[str, Any]:
        """Return where the worker stands, as JSON: what a kind of work alone knows."""


def to_json(progress: Progress, plan: Any) -> dict[str, Any]:
    """Return what rides in state. A worker that is done adds its report, all that Finish hears of it."""
    document: dict[str, Any] = stamped(
        {
            "worker": progress.worker,
            "batch": progress.batch,
            **progress.place(plan),
            "counts": progress.counts.to_json(),
            "spending": progress.spending.to_json(),
            "done": progress.done(plan),
        }
    )
    return {**document, "report": report(progress)} if document["done"] else document


def report(progress: Progress) -> dict[str, Any]:
    """Return what a worker says it did, as it comes through state and must be found in the results."""
    return {"worker": progress.worker, "parts": progress.batch, **progress.counts.to_json()}
