"""What an item becomes in the new table."""

from dataclasses import dataclass

from skipscan.dynamodb.source import Item
from skipscan.items.assignments import Assignments, Update
from skipscan.items.concatenation import Unmade


@dataclass(frozen=True)
class Made:
    """An item as it is to be. `reason`: why attributes could not be set on it, so that it goes over as it is."""

    item: Item
    reason: str = ""


@dataclass(frozen=True)
class Transform:
    """A function of the item alone: whoever makes it, whenever, makes the same. `targets`: the attributes it sets."""

    targets: Assignments

    def of(self, item: Item) -> Made:
        match self.targets.judge(item):
            case Update(values=values):
                return Made({**item, **values})
            case Unmade(reason=reason):
                return Made(item, reason)
        return Made(item)
