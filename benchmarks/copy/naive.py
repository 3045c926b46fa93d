"""The post's second way, reproduced faithfully: its loop puts whole items into a new table while a replicator follows.

The loop is that of the retrofit's benchmark, with another target table. The replicator obeys each record of the stream:
it puts the new image, or deletes the item.
"""

from typing import TYPE_CHECKING

from benchmarks.retrofit import naive as loop
from skipscan.dynamodb.source import Item

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class Naive:
    """Copies and follows without checking existing items."""

    def __init__(self, client: "DynamoDBClient", source: str, target: str) -> None:
        self._client = client
        self._source, self._target = source, target

    def copy(self) -> dict[str, float]:
        """Return its results and its consumption."""
        return loop.naive(self._client, self._source, self._target)

    def follow(self, key: Item, image: Item | None) -> None:
        if image is None:
            self._client.delete_item(TableName=self._target, Key=key)
        else:
            self._client.put_item(TableName=self._target, Item={**image, **loop.made(image)})

    def come_to_rest(self) -> None:
        """Do nothing: the post's way checks nothing again."""
