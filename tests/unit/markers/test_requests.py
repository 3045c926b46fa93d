"""Item collections that a keeper cannot settle: one that kept changing, one whose marker has no room or is refused."""

from collections.abc import Iterable
from itertools import chain, repeat
from typing import Any

import pytest

from skipscan.aws.follower import Followed, Spent, follow_stream
from skipscan.dynamodb.delivery import Change, Delivery, StreamRecord
from skipscan.dynamodb.source import Item
from skipscan.markers.keeper import MarkerOutcome
from skipscan.markers.requests import marker_keeping
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import faulty
from tests.fakes.odd_pages import EmptyQueries
from tests.unit.markers import sample

UNITS = {"ConsumedCapacity": {"CapacityUnits": 1.0}}


def looking(*items: Item, **first: Iterable[Any]) -> Any:
    """Return a table in which every look finds the same items, whatever was written before.

    The marker itself has been changed by an application since, with its mark. `first`: steps of single operations.
    """
    marker = {**sample.marker().item({"S": "p"}), "GSI-pk": {"S": "theirs"}}
    answers: dict[str, Any] = {
        "query": {"Items": list(items), **UNITS},
        "put_item": UNITS,
        "get_item": {"Item": marker, **UNITS},
    }
    return faulty(None, {name: chain(first.get(name, ()), repeat(answer)) for name, answer in answers.items()})


def followed(client: Any) -> Followed:
    delivery = Delivery((StreamRecord("record-1", {"pk": {"S": "p"}, "sk": {"S": "b"}}, "REMOVE"),), ())
    markers = marker_keeping(client, sample.marker(), check=lambda: None)
    return follow_stream(delivery, markers, until=1.0, clock=lambda: 0.0)


@pytest.mark.parametrize("code", ["ValidationException", "ItemCollectionSizeLimitExceededException"])
def test_a_marker_that_dynamodb_refuses_does_not_come_again(code: str) -> None:
    """Its collection is full: Lambda would try it ten times, and all changes behind it wait."""
    found = followed(looking(sample.item("p", "a"), put_item=repeat(code)))
    assert (found.failed, found.outcomes) == ([], {MarkerOutcome.REFUSED.value: 1})
    assert MarkerOutcome.REFUSED.value not in marker_keeping(looking(), sample.marker(), check=lambda: None).quiet


def test_a_keeper_sees_the_newest_state_and_the_units_of_every_request() -> None:
    """An old answer could hide the last change, and no later event would correct that."""
    client = looking(sample.item("p", "a"), sample.item("p", "b"))
    followed(client)
    assert {call.asked["ReturnConsumedCapacity"] for call in client.calls} == {"TOTAL"}
    assert [call.asked["ConsistentRead"] for call in client.calls if call.name != "put_item"] == [True] * 2


def test_a_write_that_another_one_overtook_is_a_request_without_units() -> None:
    client = looking(sample.item("p", "a"), put_item=repeat("ConditionalCheckFailedException"))
    markers = marker_keeping(client, sample.marker(), check=lambda: None)
    key = {"pk": {"S": "p"}, "sk": {"S": "b"}}
    markers.apply(Change(key, (StreamRecord("record-1", key, "REMOVE"),)))
    puts = len(client.asked("put_item"))
    assert puts > 0
    assert markers.spent == Spent(len(client.calls), read_units=len(client.calls) - puts)


def test_a_keeper_reads_no_more_items_than_it_takes_to_see_one_beside_the_marker() -> None:
    client = looking(sample.item("p", "a"), sample.item("p", "b"))
    followed(client)
    assert {asked["Limit"] for asked in client.asked("query")} == {2}


@pytest.mark.parametrize("sort_keys", [["a"], ["a", "b"], ["!"], ["!", '"', "a"]])
def test_an_empty_page_that_does_not_end_is_no_ended_collection(sort_keys: list[str]) -> None:
    """A living collection gets its marker, which sorts before or behind its items."""
    engine = FakeDynamoDB()
    table = engine.add(sample.definition("Orders"), [dict(sample.item("p", sort_key)) for sort_key in sort_keys])
    found = followed(EmptyQueries(engine, 2))
    assert (found.failed, found.outcomes) == ([], {MarkerOutcome.AGREES.value: 1})
    assert table.get(dict(sample.marker().key({"S": "p"}))) is not None
    for sort_key in sort_keys:
        table.delete({"pk": {"S": "p"}, "sk": {"S": sort_key}})
    assert followed(EmptyQueries(engine, 2)).outcomes == {MarkerOutcome.AGREES.value: 1}
    assert table.items() == []
