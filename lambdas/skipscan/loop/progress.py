"""How far one worker has come: the state between two turns, and the content of a checkpoint."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from math import ceil
from typing import Any, Protocol

from skipscan.loop.work import stamped
from skipscan.pace.counts import Counts
from skipscan.pace.spending import Spending

STATE_BYTES = 128 * 1024
"""The longest state of a worker. Step Functions allows 256 KiB for the whole input of a state."""

IN_CHECKPOINT = "in_checkpoint"
"""The field of a state whose cursors are in the checkpoint of the last batch."""


PAID_OFF = "paid_off"
"""The field of a last state that says when the worker's debts are paid off, as a state machine writes times."""


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


def worker_state(progress: Progress, plan: Any) -> dict[str, Any]:
    """Return the state. If it would be too long, the next turn continues from the checkpoint of the last batch.

    A worker that is done holds its place until its debts are paid off, if another one may be waiting for the place.
    """
    document = progress_to_json(progress, plan)
    if document["done"] and plan.workers_at_once < plan.workers:
        document[PAID_OFF] = datetime.fromtimestamp(ceil(progress.spending.paid_off), UTC).isoformat()[:19] + "Z"
    if len(json.dumps(document)) <= STATE_BYTES:
        return document
    place = progress.place(plan)
    return {name: value for name, value in document.items() if name not in place} | {IN_CHECKPOINT: True}


def progress_to_json(progress: Progress, plan: Any) -> dict[str, Any]:
    """Return the content of a checkpoint. A worker that is done adds its report, the only part that Finish receives."""
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
    return {**document, "report": worker_report(progress)} if document["done"] else document


def worker_report(progress: Progress) -> dict[str, Any]:
    """Return a worker's report. It travels through the state, and Finish compares it with the stored results."""
    return {"worker": progress.worker, "parts": progress.batch, **progress.counts.to_json()}
