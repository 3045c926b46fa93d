"""The engines behind one face, so that every scenario asks all of them the same."""

from collections.abc import Iterable, Sequence
from typing import Any

from botocore.exceptions import ClientError

from local import table as tables
from tests.fakes.attribute_value import Item
from tests.fakes.definition import TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB

BATCH_ITEMS = 25


class Engine:
    """Something that answers DynamoDB's requests. A table loaded twice under one name is the same table.

    `client`: boto3's low-level client, or what has its calls.
    """

    def __init__(self, client: Any) -> None:
        self.client = client
        self._loaded: dict[str, TableDefinition] = {}
        self.scan = client.scan

    def load(self, definition: TableDefinition, items: Sequence[Item]) -> None:
        if self._loaded.get(definition.name) == definition:
            return
        self.create(definition, items)
        self._loaded[definition.name] = definition
        for batch in _batches(items):
            asked: Any = {definition.name: [{"PutRequest": {"Item": item}} for item in batch]}
            while asked:
                asked = self.client.batch_write_item(RequestItems=asked).get("UnprocessedItems")
        self.settle(definition, items)

    def create(self, definition: TableDefinition, items: Sequence[Item]) -> None:
        tables.create(self.client, **definition.request())

    def settle(self, definition: TableDefinition, items: Sequence[Item]) -> None:
        """Wait until all reads have the items: an engine in one process has them at once."""

    def describe(self, table_name: str) -> dict[str, Any]:
        document: dict[str, Any] = self.client.describe_table(TableName=table_name)["Table"]
        return document

    def put(self, table_name: str, item: Item) -> None:
        self.client.put_item(TableName=table_name, Item=item)

    def delete(self, table_name: str, key: Item) -> None:
        self.client.delete_item(TableName=table_name, Key=key)


class FakeEngine(Engine):
    def __init__(self) -> None:
        super().__init__(FakeDynamoDB())

    def load(self, definition: TableDefinition, items: Sequence[Item]) -> None:
        self.client.add(definition, items)


def _batches(items: Sequence[Item]) -> Iterable[Sequence[Item]]:
    return (items[start : start + BATCH_ITEMS] for start in range(0, len(items), BATCH_ITEMS))


def refused(engine: Engine, code: str = "ValidationException", **parameters: Any) -> bool:
    """True when the Scan fails with the code; an error with another code is raised."""
    try:
        engine.scan(**parameters)
    except ClientError as error:
        if error.response["Error"]["Code"] == code:
            return True
        raise
    return False
