"""How far one worker has come: the state between two turns, and the content of a checkpoint."""

from collections.abc import Mapping
from typing import Any, Protocol

from skipscan.loop.work import stamped
from skipscan.pace.counts import Counts
from skipscan.pace.spending import Spending


class Progress(Protocol):
    """A worker's place between two batches. Its size does not grow with the work done.

    `batch`: the number of the next part.
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
        """How many of the worker's units have begun and not ended."""

    def left(self, plan: Any) -> int:
        """Return how many of the worker's units (segments, slices, walks) have not ended."""

    def done(self, plan: Any) -> bool:
        """Return whether the loop ends for this worker: nothing is left, or its share of a budget is used up."""

    def place(self, plan: Any) -> Mapping[str, Any]:
        """Return the fields that only this kind of work has, as JSON."""


def to_json(progress: Progress, plan: Any) -> dict[str, Any]:
    """Return the state. A worker that is done adds its report, the only part that Finish receives."""
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
    """Return a worker's report. It travels through the state, and Finish compares it with the stored results."""
    return {"worker": progress.worker, "parts": progress.batch, **progress.counts.to_json()}
