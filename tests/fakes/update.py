"""UpdateItem as the writers write it: SET and REMOVE of top-level attributes, and a condition."""

import re
from collections.abc import Mapping
from typing import Any

from tests.fakes.attribute_value import Item
from tests.fakes.condition import condition
from tests.fakes.error import ConditionalCheckError
from tests.fakes.table import FakeTable


def update(table: FakeTable, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The service's answer to an UpdateItem, at the price of an item of a KB."""
    with table.lock:
        old = table.get(asked["Key"])
        if not condition(conditional(asked), "UpdateItem")(old):
            returned = old if asked.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD" else None
            raise ConditionalCheckError("UpdateItem", returned)
        table.put(updated({**asked["Key"], **(old or {})}, asked))
    return {"ConsumedCapacity": {"TableName": asked["TableName"], "CapacityUnits": 1.0}}


def updated(item: Item, asked: Mapping[str, Any]) -> Item:
    """Return an item as an UpdateItem leaves it."""
    names, values = asked["ExpressionAttributeNames"], asked["ExpressionAttributeValues"]
    sets, _, removes = asked["UpdateExpression"].partition("REMOVE ")
    removed = {names[name] for name in re.findall(r"#\w+", removes)}
    made = {names[name]: values[value] for name, value in re.findall(r"(#\w+) = (:\w+)", sets)}
    return {**{name: value for name, value in item.items() if name not in removed}, **made}


def conditional(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a request is its condition: an update names other attributes besides."""
    text = asked.get("ConditionExpression")
    if text is None:
        return {}
    used = set(re.findall(r"[#:]\w+", text))
    given: dict[str, Any] = {"ConditionExpression": text}
    for field in ("ExpressionAttributeNames", "ExpressionAttributeValues"):
        if found := {name: value for name, value in asked.get(field, {}).items() if name in used}:
            given[field] = found
    return given
