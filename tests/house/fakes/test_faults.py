"""The misbehaving engines misbehave, each in its own way."""

from random import Random
from typing import Any

import pytest

from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import Client, EmptyPages, Recorded
from tests.fakes.odd_pages import ShortPages, Vanished

TABLE = TableDefinition("Orders", KeySchema.of(("customer", "S"), ("placed", "N")))


@pytest.fixture
def fake() -> FakeDynamoDB:
    fake = FakeDynamoDB()
    fake.add(TABLE, [{"customer": {"S": each}, "placed": {"N": str(n)}} for each in "abcde" for n in range(4)])
    return fake


def walked(client: Client, **parameters: Any) -> list[str]:
    """The customers of all items, in order, by way of LastEvaluatedKey."""
    found = []
    for _ in range(100):
        page = client.scan(TableName="Orders", **parameters)
        found += [item["customer"]["S"] for item in page["Items"]]
        if "LastEvaluatedKey" not in page:
            return found
        parameters["ExclusiveStartKey"] = page["LastEvaluatedKey"]
    raise AssertionError("endless")


def test_empty_pages_lose_nothing(fake: FakeDynamoDB) -> None:
    client = Recorded(EmptyPages(fake))
    assert walked(client, Limit=3) == walked(fake)
    assert [answer["Count"] for _, answer in client.pages] == [3, 0, 3, 0, 3, 0, 3, 0, 3, 0, 3, 0, 2]


def test_items_that_vanish_leave_empty_pages_that_end_further_on(fake: FakeDynamoDB) -> None:
    stays = walked(fake)[8]
    client = Recorded(Vanished(fake, lambda item: item["customer"]["S"] != stays))
    assert walked(client, Limit=2) == [stays] * 4
    empty = [asked.get("ExclusiveStartKey") != answer.get("LastEvaluatedKey") for asked, answer in client.pages]
    counts = [answer["Count"] for _, answer in client.pages]
    assert counts == [0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0]
    assert all(empty)
    assert all(answer["Items"] == [] for _, answer in client.pages[-5:])


def test_short_pages_lose_nothing_and_some_end_where_a_collection_does(fake: FakeDynamoDB) -> None:
    client = Recorded(ShortPages(fake, Random(3)))
    assert walked(client, Limit=7) == walked(fake)
    counts = [answer["Count"] for _, answer in client.pages]
    assert 0 in counts
    assert any(count % 4 == 0 for count in counts if count)
