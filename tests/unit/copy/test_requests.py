"""A copy's step that is no request to DynamoDB: the replicator gets the key."""

from types import SimpleNamespace
from typing import Any

from skipscan.copy.item import HandOver
from skipscan.copy.requests import copy_requests
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import Answer
from skipscan.items.engine import ItemRequest
from tests.fakes.faulty import faulty
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import item


def test_a_key_is_handed_over_without_a_request_to_a_table() -> None:
    handed: list[Item] = []
    queue: Any = SimpleNamespace(hand_over=handed.append)
    client, nothing = faulty(None), None
    request: Any = ItemRequest(nothing, nothing, HandOver(item("1")), nothing)  # type: ignore[arg-type]
    assert copy_requests(client, copy_plan(), queue).do(request) == Answer(None)
    assert (handed, client.calls) == ([item("1")], [])
