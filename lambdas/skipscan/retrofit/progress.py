"""How far one worker of a retrofit has come: what rides in state, and is left on S3 as a checkpoint."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from skipscan.cursor import Cursor
from skipscan.retrofit.plan import RetrofitPlan
from skipscan.retrofit.tally import Tally


@dataclass(frozen=True)
class RetrofitProgress:
    """A worker's place between two batches.

    `batch`: the number that the next part will have. `opened`: how many walks the worker has begun, of all its passes
    over its segments. `cursors`: those begun and not finished, all of one pass.
    """

    worker: int
    batch: int = 0
    opened: int = 0
    cursors: tuple[Cursor, ...] = ()
    tally: Tally = field(default_factory=Tally)

    def walks_left(self, plan: RetrofitPlan) -> int:
        """Return how many of the worker's walks did not come to their end."""
        return len(self.cursors) + plan.passes * plan.segments_of(self.worker) - self.opened

    def is_verifying(self, plan: RetrofitPlan) -> bool:
        """Tell whether the walks begun last are those of a verification."""
        return self.opened > plan.segments_of(self.worker)

    def done(self, plan: RetrofitPlan) -> bool:
        """Tell whether the loop ends for this worker: no walk is left, or its share of a budget is used up."""
        return not self.walks_left(plan) or plan.has_spent(self.tally.read_units, self.tally.write_units)

    def to_json(self, plan: RetrofitPlan) -> dict[str, Any]:
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
    def from_json(cls, document: Mapping[str, Any], plan: RetrofitPlan) -> Self:
        return cls(
            worker=document["worker"],
            batch=document["batch"],
            opened=document["opened"],
            cursors=tuple(Cursor.from_json(cursor, plan.reading.source) for cursor in document["cursors"]),
            tally=Tally.from_json(document["counts"]),
        )
