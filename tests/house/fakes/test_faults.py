"""The misbehaving engines misbehave, each in its own way."""

from random import Random
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.dynamodb.attribute_value import MAXIMUM
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.error import service_error
from tests.fakes.faults import Client, Described, EmptyPages, Interrupted, Recorded, SkipIgnored
from tests.fakes.odd_pages import Cut, ShortPages, Vanished

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


@pytest.mark.parametrize("segments", [{}, {"Segment": 0, "TotalSegments": 1}])
def test_an_ignored_skip_begins_the_collection_again(fake: FakeDynamoDB, segments: dict[str, int]) -> None:
    client = SkipIgnored(fake)
    for customer in walked(fake):
        start_key = {"customer": {"S": customer}, "placed": MAXIMUM["N"]}
        page = client.scan(TableName="Orders", ExclusiveStartKey=start_key, **segments)
        assert page["Items"][0] == {"customer": {"S": customer}, "placed": {"N": "0"}}
    assert walked(client, Limit=3, **segments) == walked(fake)


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


def test_an_item_is_returned_as_requested_while_others_vanish(fake: FakeDynamoDB) -> None:
    names = {"ProjectionExpression": "#k", "ExpressionAttributeNames": {"#k": "customer"}}
    page = Vanished(fake, lambda item: item["placed"]["N"] != "2").scan(TableName="Orders", **names)
    assert sorted(item["customer"]["S"] for item in page["Items"]) == list("abcde")
    assert all(item.keys() == {"customer"} for item in page["Items"])


def test_short_pages_lose_nothing_and_some_end_where_a_collection_does(fake: FakeDynamoDB) -> None:
    client = Recorded(ShortPages(fake, Random(3)))
    assert walked(client, Limit=7) == walked(fake)
    counts = [answer["Count"] for _, answer in client.pages]
    assert 0 in counts
    assert any(count % 4 == 0 for count in counts if count)


def test_a_truncated_answer_is_ignored_and_requested_again(fake: FakeDynamoDB) -> None:
    client = Cut(fake, 2, ("Count",))
    answers = [client.scan(TableName="Orders", ReturnConsumedCapacity="TOTAL") for _ in range(3)]
    assert [answer.keys() for answer in answers[:2]] == [{"ResponseMetadata", "Count"}] * 2
    assert answers[2]["Count"] == len(answers[2]["Items"]) == 20


def test_an_interrupted_scan_can_be_repeated(fake: FakeDynamoDB) -> None:
    throttled = service_error("ProvisionedThroughputExceededException", "Slow down", "Scan")
    client = Interrupted(fake, iter([None, throttled]))
    first = client.scan(TableName="Orders", Limit=3)
    with pytest.raises(ClientError, match="Slow down"):
        client.scan(TableName="Orders", ExclusiveStartKey=first["LastEvaluatedKey"])
    assert client.scan(TableName="Orders", ExclusiveStartKey=first["LastEvaluatedKey"])["Count"] == 17


def test_a_description_may_be_out_of_date(fake: FakeDynamoDB) -> None:
    client = Described(fake, lambda table: table.update(ItemCount=0, TableSizeBytes=0))
    table = client.describe_table(TableName="Orders")["Table"]
    assert (table["ItemCount"], table["TableSizeBytes"]) == (0, 0)
    assert fake.describe_table(TableName="Orders")["Table"]["ItemCount"] == 20
