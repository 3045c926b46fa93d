"""The requests of a batch: the next page of a walk, or a step of an item."""

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from skipscan.dynamodb.source import Item
from skipscan.items.walk import ItemWalk, Steps

Step = TypeVar("Step")


@dataclass(frozen=True)
class ReadPage:
    """The next page of one walk. `number`: of its pass. `units`: the read units expected of it."""

    walk: ItemWalk[Any]
    number: int
    segment: int
    start_key: Item | None
    limit: int
    units: float


@dataclass(frozen=True)
class OnItem(Generic[Step]):
    """A step of an item. `units`: the read or write units expected of it."""

    walk: ItemWalk[Any]
    item: Any
    step: Step
    units: float


class LookAtItem(OnItem[Step]):
    """A strongly consistent read."""


class Writable(Steps, Protocol):
    """An item that may have to be written."""

    def written(self) -> None: ...
    def conflicted(self, item: Item | None) -> None: ...
    def lost(self) -> None: ...
    def refused(self, reason: str) -> None: ...


@dataclass(frozen=True)
class WriteItem(OnItem[Step]):
    """A conditional write."""

    item: Writable


@dataclass(frozen=True)
class Written:
    """A write was made."""

    write_units: float


@dataclass(frozen=True)
class Looked:
    """The result of a read; without `item`, the item is gone."""

    item: Item | None
    read_units: float
