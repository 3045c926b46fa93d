"""What a schedule of a history drives: a writer of the product."""

from typing import Protocol

from tests.simulation.histories.application import Application
from tests.simulation.world.attempt import Attempt


class Writer(Protocol):
    """A kind of writer in the hands of a schedule. `application`: what others do to its tables."""

    @property
    def application(self) -> Application: ...
    @property
    def awaits(self) -> bool:
        """Whether an invocation is to be made before all is done."""

    def invoke(self, *, again: bool) -> Attempt | None:
        """Begin an invocation; `again`: one that is made already, or from an older state."""

    def abandoned(self, attempt: Attempt) -> None:
        """Record that nobody waits for an invocation any more, while it continues."""

    def due(self, now: float) -> float | None:
        """Return when something waits for its time; `None` if nothing does."""
