"""What a batch asks for: the next page of a walk, or a step of one of its items."""

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from skipscan.dynamodb.source import Item
from skipscan.items.walk import ItemWalk, Steps

Step = TypeVar("Step")


@dataclass(frozen=True)
class ReadPage:
    """The next page of one walk, in the pass of that number. `units`: read units expected of it."""

    walk: ItemWalk[Any]
    number: int
    segment: int
    start_key: Item | None
    limit: int
    units: float


@dataclass(frozen=True)
class OnItem(Generic[Step]):
    """`step`: what is to be done for the item. `units`: expected of it, to read or to write."""

    walk: ItemWalk[Any]
    item: Any
    step: Step
    units: float


class LookAtItem(OnItem[Step]):
    """A strongly consistent look."""


class Writable(Steps, Protocol):
    """An item on its way that may have to be written."""

    def written(self) -> None: ...
    def conflicted(self, item: Item | None) -> None: ...
    def lost(self) -> None: ...
    def refused(self, reason: str) -> None: ...


@dataclass(frozen=True)
class WriteItem(OnItem[Step]):
    """A write under a condition."""

    item: Writable


@dataclass(frozen=True)
class Written:
    """A write was made."""

    write_units: float


@dataclass(frozen=True)
class Conflict:
    """A write's condition failed. `item`: as it is now, if the answer held it.

    `write_units`: computed from its size, for DynamoDB bills them and does not report them.
    """

    item: Item | None
    write_units: float


@dataclass(frozen=True)
class Looked:
    """What a look found; no `item`: it is gone."""

    item: Item | None
    read_units: float
