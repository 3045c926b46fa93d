"""The tables of the comparison, by the length of their item collections."""

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from local import table as tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

BATCH_ITEMS = 25  # the maximum of one BatchWriteItem


@dataclass(frozen=True)
class Shape:
    """A table to be. `lengths`: the items of each item collection. `item_bytes`: the size of every item, about."""

    name: str
    lengths: Sequence[int]
    item_bytes: int

    def load(self, client: "DynamoDBClient") -> None:
        """Create the table, under the shape's name, and write its items."""
        tables.create(
            client,
            TableName=self.name,
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            AttributeDefinitions=[
                {"AttributeName": "pk", "AttributeType": "S"},
                {"AttributeName": "sk", "AttributeType": "S"},
            ],
            BillingMode="PAY_PER_REQUEST",
        )

        def write(batch: list[Any]) -> None:
            client.batch_write_item(RequestItems={self.name: [{"PutRequest": {"Item": item}} for item in batch]})

        items = self._items()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(write, iter(lambda: list(islice(items, BATCH_ITEMS)), [])))

    def _items(self) -> Iterator[dict[str, Any]]:
        for number, length in enumerate(self.lengths):
            for place in range(length):
                keys = {"pk": {"S": f"customer-{number:06d}"}, "sk": {"S": f"2026-01-01#{place:05d}"}}
                yield {**keys, "note": {"S": "." * (self.item_bytes - 40)}}


def long(collections: int) -> Shape:
    """Every item collection is long: whatever the Limit, a page brings hardly more than one key."""
    return Shape("long", [40] * collections, 400)


def short(collections: int) -> Shape:
    """Item collections are short, three items on average, and items small."""
    chance = random.Random(20260101)
    return Shape("short", [geometric(chance, 3) for _ in range(collections)], 100)


def skewed() -> Shape:
    """One item collection is huge, some are long, most are short."""
    chance = random.Random(20260101)
    long = [chance.randint(60, 220) for _ in range(250)]
    return Shape("skewed", [8_000, *long, *(chance.randint(1, 9) for _ in range(1_750))], 500)


def geometric(chance: random.Random, mean: float) -> int:
    length = 1
    while chance.random() > 1 / mean:
        length += 1
    return length
