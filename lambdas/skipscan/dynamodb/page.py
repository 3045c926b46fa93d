"""One answer of Scan."""

from collections.abc import Sequence
from typing import NamedTuple

from skipscan.dynamodb.source import Item


class Page(NamedTuple):
    """The items a Scan request evaluated, in their order, and what it consumed.

    `items` hold the attributes of `Source.projected`. `last_evaluated_key` is `None` at the segment's end.
    `read_units` is what DynamoDB says it consumed (ConsumedCapacity), never an estimate.
    """

    items: Sequence[Item]
    last_evaluated_key: Item | None
    read_units: float
