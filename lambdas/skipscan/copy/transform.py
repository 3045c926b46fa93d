"""The item that an old item becomes in the new table."""

from dataclasses import dataclass

from skipscan.dynamodb.source import Item
from skipscan.items.assignments import Assignments, Update
from skipscan.items.concatenation import Unmade


@dataclass(frozen=True)
class Made:
    """A transformed item. `reason`: why attributes could not be set, so that the item is copied unchanged."""

    item: Item
    reason: str = ""


@dataclass(frozen=True)
class Transform:
    """A function of the item alone, so its result never depends on who calls it, or when. `targets`: what it sets."""

    targets: Assignments

    def of(self, item: Item) -> Made:
        match self.targets.judge(item):
            case Update(values=values):
                return Made({**item, **values})
            case Unmade(reason=reason):
                return Made(item, reason)
        return Made(item)
