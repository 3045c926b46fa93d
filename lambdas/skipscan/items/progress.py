"""How far one worker has come in its walks over all items: what rides in state, and is left on S3 as a checkpoint."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, Self, TypeVar

from skipscan.items.plan import ItemPlan
from skipscan.items.tally import ItemTally
from skipscan.scan.cursor import Cursor

T = TypeVar("T", bound=ItemTally)


@dataclass(frozen=True)
class ItemProgress(ABC, Generic[T]):
    """A worker's place between two batches.

    `batch`: the number that the next part will have. `opened`: how many walks the worker has begun, of all its passes
    over its segments. `cursors`: those begun and not finished, all of one pass.
    """

    worker: int
    tally: T
    batch: int = 0
    opened: int = 0
    cursors: tuple[Cursor, ...] = ()

    @classmethod
    @abstractmethod
    def start(cls, worker: int) -> Self:
        """Return the place of a worker that has done nothing."""

    def walks_left(self, plan: ItemPlan) -> int:
        """Return how many of the worker's walks did not come to their end."""
        return len(self.cursors) + plan.passes * plan.segments_of(self.worker) - self.opened

    def done(self, plan: ItemPlan) -> bool:
        """Tell whether the loop ends for this worker: no walk is left, or its share of a budget is used up."""
        return not self.walks_left(plan) or plan.has_spent(self.tally.read_units, self.tally.write_units)

    def to_json(self, plan: ItemPlan) -> dict[str, Any]:
        """Return what rides in state. A worker that is done adds its report, all that Finish hears of it."""
        document: dict[str, Any] = {
            "worker": self.worker,
            "batch": self.batch,
            "opened": self.opened,
            "cursors": [cursor.to_json(plan.reading.source) for cursor in self.cursors],
            "counts": self.tally.to_json(),
            "done": self.done(plan),
        }
        if document["done"]:
            document["report"] = {"worker": self.worker, "parts": self.batch, **self.tally.to_json()}
        return document

    @classmethod
    def from_json(cls, document: Mapping[str, Any], plan: ItemPlan) -> Self:
        begun = cls.start(document["worker"])
        return replace(
            begun,
            tally=begun.tally.from_json(document["counts"]),
            batch=document["batch"],
            opened=document["opened"],
            cursors=tuple(Cursor.from_json(cursor, plan.reading.source) for cursor in document["cursors"]),
        )
