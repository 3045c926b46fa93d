"""DynamoDB in memory, as strict as the service about what it is asked.

    dynamodb = FakeDynamoDB(TableDefinition("Orders", KeySchema.of(("customer", "S"), ("placed", "N"))), items)
    page = dynamodb.scan(TableName="Orders", Limit=1, ReturnConsumedCapacity="TOTAL")

Bad requests raise what boto3 raises: ClientError with the service's code, or ParamValidationError for what boto3
refuses before sending (unknown parameters, wrong Python types, Limit below 1).
"""

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

from tests.fakes.attribute_value import Item
from tests.fakes.definition import TableDefinition
from tests.fakes.description import description
from tests.fakes.error import ConditionalCheckError, not_found
from tests.fakes.hostile.refusal import check_parameters
from tests.fakes.item_size import item_bytes
from tests.fakes.page import page, read_units, returned
from tests.fakes.projection import projected_names
from tests.fakes.query import query
from tests.fakes.scan_request import ScanRequest
from tests.fakes.table import FakeTable
from tests.fakes.update import update
from tests.fakes.write import write


class FakeDynamoDB:
    """The calls of boto3's low-level client that Skipscan makes; any number of threads may call."""

    def __init__(self, definition: TableDefinition | None = None, items: Iterable[Item] = ()) -> None:
        self._tables: dict[str, FakeTable] = {}
        self.meta = SimpleNamespace(region_name="us-east-1", endpoint_url="http://localhost:8000")
        self.exceptions = SimpleNamespace(ConditionalCheckFailedException=ConditionalCheckError)
        if definition:
            self.add(definition, items)

    def add(self, definition: TableDefinition, items: Iterable[Item] = ()) -> FakeTable:
        """Create the table with the items and return it; its `put` and `delete` may run between pages.

        Of tables of one name in several accounts, the first added is the one that the name alone means.
        """
        table = FakeTable(definition)
        table.load(items)
        self._tables[definition.arn] = table
        return table

    def remove(self, name: str) -> None:
        """Delete the table that this name means."""
        del self._tables[self.table(name).definition.arn]

    def table(self, name_or_arn: str) -> FakeTable:
        """The table that a request with this TableName would meet; KeyError without one."""
        if ":" in name_or_arn:
            return self._tables[name_or_arn]
        named = [table for table in self._tables.values() if table.definition.name == name_or_arn]
        if not named:
            raise KeyError(name_or_arn)
        return named[0]

    def list_tables(self) -> dict[str, Any]:
        return {"TableNames": [table.definition.name for table in self._tables.values()]}

    def scan(self, **parameters: Any) -> dict[str, Any]:
        table = self._asked("Scan", parameters)
        with table.lock:
            return page(ScanRequest.checked(table, parameters), parameters["TableName"])

    def get_item(self, **parameters: Any) -> dict[str, Any]:
        table = self._asked("GetItem", parameters)
        found = table.get(table.checked(parameters["Key"]))
        units = read_units(item_bytes(found or {}), parameters.get("ConsistentRead", False))
        names = projected_names(parameters.get("ProjectionExpression"), parameters.get("ExpressionAttributeNames"))
        answer: dict[str, Any] = {} if found is None else {"Item": returned(found, names)}
        return {**answer, "ConsumedCapacity": {"TableName": parameters["TableName"], "CapacityUnits": units}}

    def query(self, **parameters: Any) -> dict[str, Any]:
        table = self._asked("Query", parameters)
        with table.lock:
            return query(table, parameters)

    def put_item(self, **parameters: Any) -> dict[str, Any]:
        return write(self._asked("PutItem", parameters), parameters, "PutItem")

    def delete_item(self, **parameters: Any) -> dict[str, Any]:
        return write(self._asked("DeleteItem", parameters), parameters, "DeleteItem")

    def update_item(self, **parameters: Any) -> dict[str, Any]:
        return update(self._asked("UpdateItem", parameters), parameters)

    def describe_continuous_backups(self, **parameters: Any) -> dict[str, Any]:
        table = self._asked("DescribeContinuousBackups", parameters)
        recovery = {"PointInTimeRecoveryStatus": "ENABLED" if table.definition.has_recovery else "DISABLED"}
        backups = {"ContinuousBackupsStatus": "ENABLED", "PointInTimeRecoveryDescription": recovery}
        return {"ContinuousBackupsDescription": backups}

    def describe_table(self, **parameters: Any) -> dict[str, Any]:
        table = self._asked("DescribeTable", parameters)
        with table.lock:
            return {"Table": description(table), "ResponseMetadata": {"HTTPStatusCode": 200, "RetryAttempts": 0}}

    def describe_time_to_live(self, **parameters: Any) -> dict[str, Any]:
        self._asked("DescribeTimeToLive", parameters)
        return {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}}

    def _asked(self, operation: str, parameters: Mapping[str, Any]) -> FakeTable:
        """Return the table of a request that boto3 would send."""
        check_parameters("dynamodb", operation, parameters)
        try:
            return self.table(parameters["TableName"])
        except KeyError as name:
            raise not_found(f"Requested resource not found: Table: {name.args[0]} not found", operation) from None
