"""DescribeTable's answer. Sizes are up to date here; the service refreshes them about every six hours."""

from datetime import UTC, datetime
from typing import Any

from tests.fakes.table import FakeTable
from tests.fakes.view import View


def description(table: FakeTable) -> dict[str, Any]:
    definition = table.definition
    base = table.views[None]
    document: dict[str, Any] = {
        "TableName": definition.name,
        "TableArn": definition.arn,
        "TableId": definition.id,
        "TableStatus": definition.status,
        "CreationDateTime": datetime(2026, 1, 1, tzinfo=UTC),
        "KeySchema": definition.key.request(),
        "AttributeDefinitions": definition.attribute_definitions(),
        "ItemCount": len(base.entries),
        "TableSizeBytes": base.size_bytes,
        "ProvisionedThroughput": _throughput(definition.read_capacity_units),
    }
    if definition.read_capacity_units is None:
        document["BillingModeSummary"] = {"BillingMode": "PAY_PER_REQUEST"}
    if definition.stream:
        document["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
        document["LatestStreamArn"] = definition.stream
    for kind, field in (("local", "LocalSecondaryIndexes"), ("global", "GlobalSecondaryIndexes")):
        views = [table.views[index.name] for index in definition.indexes if index.kind == kind]
        if views:
            document[field] = [_index(view) for view in views]
    return document


def _index(view: View) -> dict[str, Any]:
    index = view.index
    assert index
    document: dict[str, Any] = {
        **index.request(),
        "IndexArn": f"{view.definition.arn}/index/{index.name}",
        "ItemCount": len(view.entries),
        "IndexSizeBytes": view.size_bytes,
    }
    if index.kind == "global":
        document["IndexStatus"] = index.status
        document["ProvisionedThroughput"] = _throughput(view.definition.read_capacity_units)
    return document


def _throughput(read_capacity_units: int | None) -> dict[str, int]:
    units = read_capacity_units or 0
    return {"NumberOfDecreasesToday": 0, "ReadCapacityUnits": units, "WriteCapacityUnits": units}
