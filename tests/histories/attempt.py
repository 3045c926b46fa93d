"""One invocation of a function, the writes that it has under way, and the writer of the product that makes it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from botocore.exceptions import ClientError

from tests.histories.application import Application
from tests.histories.versions import Author, Key
from tests.world.fibre import Fibre


class Writer(Protocol):
    """A kind of writer in the hands of a schedule. `application`: what others do to its tables."""

    @property
    def application(self) -> Application: ...
    @property
    def awaits(self) -> bool:
        """Whether an invocation is to be made before all is done."""

    def invoke(self, *, again: bool) -> "Attempt | None":
        """Begin an invocation; `again`: one that is made already, or from an older state."""

    def ended(self, attempt: "Attempt") -> None:
        """Record that an invocation ended, or was abandoned while it continues."""

    def due(self, now: float) -> float | None:
        """Return when something waits for its time; `None` if nothing does."""


@dataclass
class Request:
    """A write on its way. `sent`: when."""

    perform: Callable[[], Any]
    sent: float


class Attempt(Author):
    """One invocation of a function.

    `given_up`: its caller no longer waits. `serves`: what it works on, for its writer.
    """

    def __init__(self, work: Callable[["Attempt"], Any], begun: int, now: float, serves: Any = None) -> None:
        self.begun, self.started, self.serves = begun, now, serves
        self.fibre = Fibre(lambda: work(self))
        self.given_up = self.is_dying = False
        self.looks: dict[Key, int] = {}
        self.held: dict[Fibre, Request] = {}
        """Writes that are made when the schedule lets them, by the fibre that waits for them."""


class _Prepared(Author):
    begun = 0


PREPARED = _Prepared()
"""Whose the writes are that were there before the schedule began."""


def throttled() -> ClientError:
    return ClientError(
        {"Error": {"Code": "ThrottlingException", "Message": ""}, "ResponseMetadata": {"HTTPStatusCode": 400}},  # type: ignore[typeddict-item]
        "Call",
    )
