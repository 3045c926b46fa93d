"""One answer of Query: a collection of a table or an index, read forwards or backwards from its end."""

import re
from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from tests.fakes.attribute_value import Item
from tests.fakes.condition import same
from tests.fakes.error import validation_error
from tests.fakes.page import PAGE_LIMIT_BYTES, read_units
from tests.fakes.table import FakeTable

_EQUAL = re.compile(r"(#\w+) = (:\w+)")
_BEGINS = re.compile(r"begins_with\((#\w+), (:\w+)\)")


def query(table: FakeTable, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a Query of one collection, by the forms of condition that the product writes."""
    view = table.views[parameters.get("IndexName")]
    names, values = parameters["ExpressionAttributeNames"], parameters["ExpressionAttributeValues"]
    wanted: Item = {}
    prefix: tuple[str, str] | None = None
    used = set(filter(None, parameters.get("ProjectionExpression", "").split(",")))
    for condition in parameters["KeyConditionExpression"].split(" AND "):
        if match := _EQUAL.fullmatch(condition):
            wanted |= {names[match[1]]: values[match[2]]}
        elif match := _BEGINS.fullmatch(condition):
            prefix = names[match[1]], values[match[2]]["S"]
        else:
            raise NotImplementedError(f"The fake knows no condition {condition}")
        used.add(match[1])
    if used != names.keys():
        raise validation_error("Value provided in ExpressionAttributeNames unused in expressions")
    if wanted.keys() != {attribute.name for attribute in view.order.key.partition}:
        raise validation_error("Query condition missed key schema element")
    if prefix is not None and prefix[0] != view.order.key.sort[0].name:
        raise validation_error("Query condition missed key schema element")
    collection = takewhile(
        lambda entry: all(same(entry.item[name], value) for name, value in wanted.items()),
        view.entries[view.first_at(view.order.collection(wanted)) :],
    )
    entries = [entry for entry in collection if prefix is None or entry.item[prefix[0]]["S"].startswith(prefix[1])]
    if not parameters.get("ScanIndexForward", True):
        entries.reverse()
    if start_key := parameters.get("ExclusiveStartKey"):
        keys = [view.key_of(entry.item) for entry in entries]
        entries = entries[keys.index(start_key) + 1 :]
    evaluated, size_bytes = [], 0
    for entry in entries[: parameters.get("Limit")]:
        evaluated.append(entry.item)
        size_bytes += entry.size_bytes
        if size_bytes >= PAGE_LIMIT_BYTES:
            break
    projected = [names[each] for each in parameters.get("ProjectionExpression", "").split(",") if each]
    items = [{name: dict(item[name]) for name in projected or item if name in item} for item in evaluated]
    units = read_units(size_bytes, parameters.get("ConsistentRead", False))
    answer: dict[str, Any] = {
        "Items": items,
        "Count": len(items),
        "ConsumedCapacity": {"TableName": parameters["TableName"], "CapacityUnits": units},
    }
    if len(evaluated) == parameters.get("Limit") or size_bytes >= PAGE_LIMIT_BYTES:
        answer["LastEvaluatedKey"] = view.key_of(evaluated[-1])
    return answer
