"""A table, its stream and its keepers in the smallest steps there are, so that a test can put them in any order."""

from collections.abc import Callable
from typing import Any

from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import First, Get, ItemSteps, Write

MARKER = "#static"
Keep = Callable[..., ItemSteps]
Step = Get | First | Write


def agrees(seen: Any, item: Item | None) -> bool:
    """Tell whether a condition on every attribute seen holds: it says nothing of attributes that were not there."""
    return item is not None and all(item.get(name) == value for name, value in seen.items())
