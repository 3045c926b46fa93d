"""Handwritten ways to put an item for each key of a list, in one thread; each returns its requests and write units."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from skipscan.items.mark import MARK

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

BENCH_MARK = "bench-0123456789abcdef/job"
BATCH_ITEMS = 25  # the maximum of one BatchWriteItem


def put_one_by_one(client: "DynamoDBClient", table: str, keys: Sequence[str]) -> tuple[int, float]:
    """The loop: one PutItem after the other, with the condition that no item exists."""
    write_units = 0.0
    for item in items(keys):
        answer = client.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(pk)",
            ReturnConsumedCapacity="TOTAL",
        )
        write_units += answer["ConsumedCapacity"]["CapacityUnits"]
    return len(keys), write_units


def put_in_batches(client: "DynamoDBClient", table: str, keys: Sequence[str]) -> tuple[int, float]:
    """BatchWriteItem with its maximum; it has no conditions, so it overwrites existing items."""
    requests, write_units = 0, 0.0
    left = items(keys)
    while batch := [{"PutRequest": {"Item": item}} for item in islice(left, BATCH_ITEMS)]:
        asked: Any = {table: batch}
        while asked:  # items that the service could not write come back
            answer = client.batch_write_item(RequestItems=asked, ReturnConsumedCapacity="TOTAL")
            requests += 1
            write_units += sum(each["CapacityUnits"] for each in answer["ConsumedCapacity"])
            asked = answer["UnprocessedItems"]
    return requests, write_units


def items(keys: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Return the same markers that the job puts."""
    for key in keys:
        yield {"pk": {"S": key}, "sk": {"S": "#static"}, "GSI-pk": {"S": key}, MARK: {"S": BENCH_MARK}}
