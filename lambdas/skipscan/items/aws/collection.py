"""The first items of an item collection, by a Query."""

from collections.abc import Callable, Sequence
from typing import Any

from skipscan.aws.answer import parse_page
from skipscan.dynamodb.page import Progression
from skipscan.dynamodb.source import Item


def first_items(client: Any, wanted: int, count: Callable[[float], object], **asked: Any) -> Sequence[Item]:
    """Return the first items that a Query finds, at most as many as wanted; raises what DynamoDB raises.

    `count`: receives the read units of each answer. A page may be empty and not the last one: only an answer without
    LastEvaluatedKey says that there are no more items (API reference, Query, "LastEvaluatedKey").
    """
    items: list[Item] = []
    progression = Progression()
    while True:
        found = parse_page(client.query(**asked, Limit=wanted))  # refuses a truncated answer, which looks like the end
        count(found.read_units)
        items += found.items
        if len(items) >= wanted or found.last_evaluated_key is None:
            return items[:wanted]
        progression.check(found.last_evaluated_key)
        asked["ExclusiveStartKey"] = found.last_evaluated_key
