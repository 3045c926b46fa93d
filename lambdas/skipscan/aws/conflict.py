"""What a condition that failed tells."""

from typing import Any

from botocore.exceptions import ClientError

from skipscan.dynamodb.source import Item
from skipscan.dynamodb.write_units import write_units
from skipscan.items.request import Conflict


def conflict(error: ClientError) -> Conflict:
    """Return the item that the condition failed on; none if there is none, or the engine does not tell."""
    response: Any = error.response
    found: Item | None = response.get("Item") or None
    return Conflict(found, write_units(found or {}))
