"""DynamoDB in memory, as strict as the service about what it is asked.

    dynamodb = FakeDynamoDB()
    dynamodb.add(TableDefinition("Orders", KeySchema.of(("customer", "S"), ("placed", "N"))), items)
    page = dynamodb.scan(TableName="Orders", Limit=1, ReturnConsumedCapacity="TOTAL")

Bad requests raise what boto3 raises: ClientError with the service's code, or ParamValidationError for what boto3
refuses before sending (unknown parameters, wrong Python types, Limit below 1).
"""

from collections.abc import Iterable, Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any

from botocore.exceptions import ParamValidationError
from botocore.loaders import Loader
from botocore.model import ServiceModel, Shape
from botocore.validate import ParamValidator

from tests.fakes.attribute_value import Item
from tests.fakes.definition import TableDefinition
from tests.fakes.description import description
from tests.fakes.error import ConditionalCheckError, not_found
from tests.fakes.item_size import item_bytes
from tests.fakes.page import page
from tests.fakes.query import query
from tests.fakes.scan_request import ScanRequest
from tests.fakes.table import FakeTable
from tests.fakes.update import update
from tests.fakes.write import write


class FakeDynamoDB:
    """The calls of boto3's low-level client that Skipscan makes; any number of threads may call."""

    def __init__(self) -> None:
        self._tables: dict[str, FakeTable] = {}
        self.meta = SimpleNamespace(region_name="us-east-1", endpoint_url="http://localhost:8000")
        self.exceptions = SimpleNamespace(ConditionalCheckFailedException=ConditionalCheckError)

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
        _check_shape("Scan", parameters)
        table = self._existing(parameters["TableName"], "Scan")
        with table.lock:
            return page(ScanRequest.checked(table, parameters), parameters["TableName"])

    def get_item(self, **parameters: Any) -> dict[str, Any]:
        _check_shape("GetItem", parameters)
        table = self._existing(parameters["TableName"], "GetItem")
        found = table.get(table.checked(parameters["Key"]))
        units = max(1, -(-item_bytes(found or {}) // 4096)) * (1.0 if parameters.get("ConsistentRead") else 0.5)
        answer: dict[str, Any] = {} if found is None else {"Item": found}
        return {**answer, "ConsumedCapacity": {"TableName": parameters["TableName"], "CapacityUnits": units}}

    def query(self, **parameters: Any) -> dict[str, Any]:
        _check_shape("Query", parameters)
        table = self._existing(parameters["TableName"], "Query")
        with table.lock:
            return query(table, parameters)

    def put_item(self, **parameters: Any) -> dict[str, Any]:
        _check_shape("PutItem", parameters)
        return write(self._existing(parameters["TableName"], "PutItem"), parameters, "PutItem")

    def delete_item(self, **parameters: Any) -> dict[str, Any]:
        _check_shape("DeleteItem", parameters)
        return write(self._existing(parameters["TableName"], "DeleteItem"), parameters, "DeleteItem")

    def update_item(self, **parameters: Any) -> dict[str, Any]:
        _check_shape("UpdateItem", parameters)
        return update(self._existing(parameters["TableName"], "UpdateItem"), parameters)

    def describe_continuous_backups(self, **parameters: Any) -> dict[str, Any]:
        _check_shape("DescribeContinuousBackups", parameters)
        table = self._existing(parameters["TableName"], "DescribeContinuousBackups")
        status = "ENABLED" if table.definition.has_recovery else "DISABLED"
        recovery = {"PointInTimeRecoveryStatus": status}
        return {
            "ContinuousBackupsDescription": {
                "ContinuousBackupsStatus": "ENABLED",
                "PointInTimeRecoveryDescription": recovery,
            }
        }

    def describe_table(self, **parameters: Any) -> dict[str, Any]:
        _check_shape("DescribeTable", parameters)
        table = self._existing(parameters["TableName"], "DescribeTable")
        with table.lock:
            return {"Table": description(table), "ResponseMetadata": {"HTTPStatusCode": 200, "RetryAttempts": 0}}

    def describe_time_to_live(self, **parameters: Any) -> dict[str, Any]:
        _check_shape("DescribeTimeToLive", parameters)
        self._existing(parameters["TableName"], "DescribeTimeToLive")
        return {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}}

    def _existing(self, name_or_arn: str, operation: str) -> FakeTable:
        try:
            return self.table(name_or_arn)
        except KeyError:
            raise not_found(f"Requested resource not found: Table: {name_or_arn} not found", operation) from None


def _check_shape(operation: str, parameters: Mapping[str, Any]) -> None:
    report = ParamValidator().validate(parameters, _input_shape(operation))
    if report.has_errors():
        raise ParamValidationError(report=report.generate_report())


@cache
def _input_shape(operation: str) -> Shape:
    model = ServiceModel(Loader().load_service_model("dynamodb", "service-2"))
    shape = model.operation_model(operation).input_shape
    assert shape
    return shape
