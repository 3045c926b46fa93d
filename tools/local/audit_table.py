"""The audit table of the AWS Database Blog's "Querying on Multiple Attributes in Amazon DynamoDB", larger on request.

The post shows five items. The first three were written before the index's attribute existed, so `by-all-three` does not
contain them, and "when has jane edited 123ccc?" finds nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from local import table as tables
from local.sample_table import BATCH_ITEMS

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

SEED = 20260101
ATTRIBUTE = "resourceId-Action-AccessedBy"
TEMPLATE = "{resourceId}-{action}-{accessedBy}"
INDEX = "by-all-three"

POST = (
    ("111aaa", "123bbb", "Thing1", "viewed", "joe1", "2017-05-01T00:00:00.000", None),
    ("111aab", "123bbb", "Thing1", "viewed", "jane", "2017-05-01T00:00:01.000", None),
    ("111aac", "123ccc", "Thing2", "edited", "jane", "2017-05-01T00:00:25.000", None),
    ("111aad", "123ccc", "Thing2", "viewed", "bill", "2017-05-01T00:01:05.000", "123ccc-viewed-bill"),
    ("111aae", "123ccc", "Thing2", "viewed", "joe1", "2017-05-01T00:01:48.000", "123ccc-viewed-joe1"),
)


def items(count: int = 0, seed: int = SEED) -> Iterator[dict[str, AttributeValueTypeDef]]:
    """Return the post's items, and so many older items of the same kind."""
    for id_, resource, name, action, person, timestamp, made in POST:
        item = _item(id_, resource, name, action=action, person=person, timestamp=timestamp)
        yield item | ({ATTRIBUTE: {"S": made}} if made else {})
    chance = random.Random(seed)
    for number in range(count):
        resource = f"{chance.randint(100, 999)}{chance.choice(('aaa', 'bbb', 'ccc'))}"
        moment = f"2016-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}T{chance.randint(0, 23):02d}:00:00.000"
        action, person = chance.choice(("viewed", "edited")), chance.choice(("joe1", "jane", "bill", "ann"))
        thing = f"Thing{number % 97}"
        yield _item(f"{number:06d}", resource, thing, action=action, person=person, timestamp=moment)


def create(client: DynamoDBClient, table: str) -> None:
    """Create an empty audit table with the post's index."""
    tables.create(
        client,
        TableName=table,
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[
            {"AttributeName": "id", "AttributeType": "S"},
            {"AttributeName": ATTRIBUTE, "AttributeType": "S"},
            {"AttributeName": "timestamp", "AttributeType": "S"},
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": INDEX,
                "KeySchema": [
                    {"AttributeName": ATTRIBUTE, "KeyType": "HASH"},
                    {"AttributeName": "timestamp", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        BillingMode="PAY_PER_REQUEST",
    )


def load(client: DynamoDBClient, table: str, rows: Iterable[dict[str, AttributeValueTypeDef]]) -> int:
    """Put all items into the table; return their number."""
    rows = iter(rows)
    loaded = 0
    while batch := list(islice(rows, BATCH_ITEMS)):
        client.batch_write_item(RequestItems={table: [{"PutRequest": {"Item": item}} for item in batch]})
        loaded += len(batch)
    return loaded


def when(client: DynamoDBClient, table: str, resource: str, action: str, person: str) -> list[str]:
    """Return when a person did that to a resource, from the index: the post's query."""
    answer = client.query(
        TableName=table,
        IndexName=INDEX,
        KeyConditionExpression="#made = :made",
        ExpressionAttributeNames={"#made": ATTRIBUTE},
        ExpressionAttributeValues={":made": {"S": f"{resource}-{action}-{person}"}},
    )
    return [item["timestamp"]["S"] for item in answer["Items"]]


def _item(
    id_: str, resource: str, name: str, *, action: str, person: str, timestamp: str
) -> dict[str, AttributeValueTypeDef]:
    return {
        "id": {"S": id_},
        "resourceId": {"S": resource},
        "resourceName": {"S": name},
        "action": {"S": action},
        "accessedBy": {"S": person},
        "timestamp": {"S": timestamp},
    }
