"""The keeper's function over a real engine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from types import ModuleType
from typing import TYPE_CHECKING, Any

import boto3
import pytest

from local import table as tables
from local.checkout import ACCESS_KEY, REGION
from skipscan.aws import clients
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.items import mark
from tests.engines.jobs.conftest import VARIABLES
from tests.engines.jobs.engine import CREATED, STREAM, Engine
from tests.fakes.handlers.execution import CONTEXT
from tests.fakes.handlers.loading import loaded
from tests.unit.markers import sample

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

NUMBERS = count(1)


@dataclass
class KeptMarkers:
    """A table with a keeper, and the events of what is written to it."""

    table: str
    client: Engine
    module: ModuleType

    def put(self, item: Item) -> dict[str, Any]:
        self.client.client.put_item(TableName=self.table, Item=item)
        return self.record("INSERT", item)

    def delete(self, item: Item) -> dict[str, Any]:
        self.client.client.delete_item(TableName=self.table, Key={name: item[name] for name in ("pk", "sk")})
        return self.record("REMOVE", item)

    def record(self, name: str, item: Item) -> dict[str, Any]:
        keys = {name: item[name] for name in ("pk", "sk")}
        return {"eventName": name, "dynamodb": {"Keys": keys, "SequenceNumber": str(next(NUMBERS))}}

    def handle(self, *records: dict[str, Any], context: Any = CONTEXT) -> list[str]:
        """Return the sequence numbers that the function wants again."""
        answer = json.loads(json.dumps(self.module.handler({"Records": list(records)}, context)))
        assert answer.keys() == {"batchItemFailures"}
        return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]

    @property
    def home(self) -> str:
        """The prefix of the marks of the keeper's environment."""
        description = self.client.client.describe_table(TableName=self.table)["Table"]
        return mark.home("dev", CONTEXT.invoked_function_arn, TableDescription.from_json(description))

    def marker(self, pk: str) -> Item:
        """Return a collection's marker as the keeper puts it."""
        return {**sample.marker().item({"S": pk}), mark.MARK: {"S": mark.of_keeper(self.home)}}

    def items(self) -> list[Item]:
        return self.client.client.scan(TableName=self.table)["Items"]  # type: ignore[return-value]

    def listed(self) -> list[str]:
        """Return what the marker index lists."""
        answer = self.client.client.scan(TableName=self.table, IndexName="markers")
        return sorted(item["GSI-pk"]["S"] for item in answer["Items"])


@pytest.fixture
def kept(dynalite: str, shared_dynamodb: DynamoDBClient, monkeypatch: pytest.MonkeyPatch) -> Iterator[KeptMarkers]:
    name = f"Kept-{next(NUMBERS)}"
    tables.create(shared_dynamodb, **sample.definition(name).request())
    for variable, value in {
        **VARIABLES,
        "SKIPSCAN_ENVIRONMENT": "dev",
        "SKIPSCAN_TABLE": name,
        "SKIPSCAN_STREAM": STREAM.format(name, CREATED),
        "SKIPSCAN_MARKER": json.dumps(sample.TEMPLATE),
    }.items():
        monkeypatch.setenv(variable, value)
    module: Any = loaded("keeper")
    module.dynamodb.close()
    session = boto3.Session(ACCESS_KEY, ACCESS_KEY, region_name=REGION)
    client = clients.dynamodb(session, connections=8, endpoint_url=dynalite)
    module.dynamodb = Engine(client)
    yield KeptMarkers(name, module.dynamodb, module)
    client.close()
