"""One PutItem or DeleteItem: its condition, what it changes, what it costs."""

from collections.abc import Mapping
from typing import Any

from tests.fakes.attribute_value import Item
from tests.fakes.condition import condition
from tests.fakes.error import ConditionalCheckError, validation_error
from tests.fakes.item_size import item_bytes
from tests.fakes.table import FakeTable
from tests.fakes.view import View

UNIT_BYTES = 1024


def write(table: FakeTable, parameters: Mapping[str, Any], operation: str) -> dict[str, Any]:
    """The service's answer to a write. A condition that fails raises, with the item that is there if so asked.

    Costs follow `write_units`. The answer to a failed condition names none, though the service bills it.
    """
    holds = condition(parameters, operation)
    new: Item | None = parameters.get("Item")
    if new is None:
        _check_key(table, parameters["Key"])
    else:
        new = table.checked(new)
    with table.lock:
        old = table.get(parameters["Key"] if new is None else new)
        if not holds(old):
            returned = old if parameters.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD" else None
            raise ConditionalCheckError(operation, returned)
        if new is None:
            table.delete(parameters["Key"])
        else:
            table.put(new)
        units = {name: _units(view, old, new) for name, view in table.views.items()}
    answer: dict[str, Any] = {"ResponseMetadata": {"HTTPStatusCode": 200, "RetryAttempts": 0}}
    if old is not None and parameters.get("ReturnValues") == "ALL_OLD":
        answer["Attributes"] = old
    if parameters.get("ReturnConsumedCapacity", "NONE") != "NONE":
        units[None] = max(units[None], 1.0)
        answer["ConsumedCapacity"] = {"TableName": parameters["TableName"], "CapacityUnits": sum(units.values())}
    if parameters.get("ReturnConsumedCapacity") == "INDEXES":
        answer["ConsumedCapacity"] |= _by_index(table, units)
    return answer


def _by_index(table: FakeTable, units: Mapping[str | None, float]) -> dict[str, Any]:
    """Indexes that consumed nothing are absent."""
    found: dict[str, Any] = {"Table": {"CapacityUnits": units[None]}}
    for index in table.definition.indexes:
        if units[index.name]:
            named = found.setdefault(f"{index.kind.capitalize()}SecondaryIndexes", {})
            named[index.name] = {"CapacityUnits": units[index.name]}
    return found


def _units(view: View, old: Item | None, new: Item | None) -> float:
    """A unit for each KB begun of the larger of an entry before and after; a changed index key is two writes.

    An index whose entry stays the same is not written to.
    """
    before, after = (view.projection_of(item) if item else None for item in (old, new))
    if view.index is not None and before == after:
        return 0.0
    if before and after and view.key_of(before) != view.key_of(after):
        return _size(before) + _size(after)
    return max((_size(entry) for entry in (before, after) if entry), default=0.0)


def _size(entry: Item) -> float:
    return float(max(1, -(-item_bytes(entry) // UNIT_BYTES)))


def _check_key(table: FakeTable, key: Item) -> None:
    wanted = {attribute.name: attribute.type for attribute in table.definition.key.attributes}
    if {name: next(iter(value)) for name, value in key.items()} != wanted:
        raise validation_error("The provided key element does not match the schema", "DeleteItem")
