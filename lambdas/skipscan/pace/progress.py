"""How far one worker has come: the state between two turns, and the content of a checkpoint."""

from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from skipscan.pace.bill import Spending
from skipscan.pace.counts import Counts


class Position(Protocol):
    """A worker's place in its share, as its kind of work has it. Its size does not grow with the work done."""

    @property
    def under_way(self) -> int:
        """How many of the worker's units (segments, slices, walks) have started and not ended."""

    def left(self, plan: Any, worker: int) -> int:
        """Return how many of the worker's units have not ended."""


PositionT_co = TypeVar("PositionT_co", bound=Position, covariant=True)
CountsT_co = TypeVar("CountsT_co", bound=Counts, covariant=True)


@dataclass(frozen=True)
class Progress(Generic[PositionT_co, CountsT_co]):
    """A worker's place between two batches. `batch`: the number of the next part."""

    worker: int
    position: PositionT_co
    counts: CountsT_co
    batch: int = 0
    spending: Spending = field(default_factory=Spending)

    def left(self, plan: Any) -> int:
        """Return how many of the worker's units have not ended."""
        return self.position.left(plan, self.worker)

    def done(self, plan: Any) -> bool:
        """Return whether the loop ends for this worker: nothing is left, or its share of a budget is used up."""
        return not self.left(plan) or plan.limits.are_spent(self.spending.consumed(self.counts, plan.prices))
