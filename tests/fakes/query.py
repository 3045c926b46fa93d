"""One answer of Query: a collection of a table or an index, read forwards or backwards from its end."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from itertools import groupby, takewhile
from typing import Any

from tests.fakes.attribute_value import Item
from tests.fakes.condition import same
from tests.fakes.error import validation_error
from tests.fakes.page import PAGE_LIMIT_BYTES, read_units
from tests.fakes.table import FakeTable

_EQUAL = re.compile(r"(#\w+) = (:\w+)")
_PREFIX = re.compile(r"begins_with\((#\w+), (:\w+)\)")
_RANGES: Mapping[re.Pattern[str], Callable[..., bool]] = {
    _PREFIX: lambda each, start: each.startswith(start),
    re.compile(r"(#\w+) BETWEEN (:\w+) AND (:\w+)"): lambda each, low, high: low <= each <= high,
    re.compile(r"(#\w+) >= (:\w+)"): lambda each, low: low <= each,
    re.compile(r"(#\w+) <= (:\w+)"): lambda each, high: each <= high,
}
_AND = re.compile(r"(?<!:since) AND ")


def query(table: FakeTable, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a Query of one collection, by the forms of condition that the product writes."""
    view = table.views[parameters.get("IndexName")]
    names, values = parameters["ExpressionAttributeNames"], parameters["ExpressionAttributeValues"]
    wanted: Item = {}
    is_in_range: Callable[[Item], bool] = _always
    end: Mapping[str, Any] | None = None
    forward = parameters.get("ScanIndexForward", True)
    sort_key = view.order.key.sort[0].name if view.order.key.sort else ""
    used = set(filter(None, parameters.get("ProjectionExpression", "").split(",")))
    for condition in _AND.split(parameters["KeyConditionExpression"]):
        if match := _EQUAL.fullmatch(condition):
            wanted |= {names[match[1]]: values[match[2]]}
            used.add(match[1])
        else:
            used.add(next(name for name in names if name in re.findall(r"#\w+", condition)))
            is_in_range = _range(condition, names, values, sort_key)
            end = _end(condition, values, forward=forward)
    if used != names.keys():
        raise validation_error("Value provided in ExpressionAttributeNames unused in expressions")
    if wanted.keys() != {attribute.name for attribute in view.order.key.partition}:
        raise validation_error("Query condition missed key schema element")
    collection = takewhile(
        lambda entry: all(same(entry.item[name], value) for name, value in wanted.items()),
        view.entries[view.first_at(view.order.collection(wanted)) :],
    )
    # In an index, items with equal sort keys have another order than in a Scan: DynamoDB Local does so in a local one.
    ties = groupby(collection, key=lambda entry: entry.position[:3])
    entries = [entry for _, tied in ties for entry in [*tied][::-1] if is_in_range(entry.item)]

    def is_end(key: Item) -> bool:
        return view.index is None and end is not None and _ordered(key[sort_key]) == _ordered(end)

    if start_key := parameters.get("ExclusiveStartKey"):
        # Measured on DynamoDB Local, and reported of the service (aws-sdk-ruby, issue 2456).
        if not is_in_range(start_key) or is_end(start_key):
            raise validation_error("The provided starting key does not match the range key predicate")
        *start, tie = view.order.position(start_key)
        around = [(entry, ([*entry.position[:3]], tie), (start, entry.position[3])) for entry in entries]
        entries = [entry for entry, own, other in around if own != other and (own > other) == forward]
    if not forward:
        entries.reverse()
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
    is_full = len(evaluated) == parameters.get("Limit") or size_bytes >= PAGE_LIMIT_BYTES
    if is_full and not is_end(
        evaluated[-1]
    ):  # or the Query could not be continued (Alternator, test_query_reverse_paging)
        answer["LastEvaluatedKey"] = view.key_of(evaluated[-1])
    return answer


def _always(_item: Item) -> bool:
    return True


def _range(
    condition: str, names: Mapping[str, str], values: Mapping[str, Any], sort_key: str
) -> Callable[[Item], bool]:
    """Return whether an item is in the range of a condition on the sort key."""
    for form, holds in _RANGES.items():
        if not (match := form.fullmatch(condition)):
            continue
        if names[match[1]] != sort_key:
            raise validation_error("Query condition missed key schema element")
        ends = [_ordered(values[each]) for each in match.groups()[1:]]
        if sorted(ends) != ends:
            raise validation_error(
                "The BETWEEN operator requires upper bound to be greater than or equal to lower bound"
            )
        return lambda item: holds(_ordered(item[sort_key]), *ends)
    raise NotImplementedError(f"The fake knows no condition {condition}")


def _end(condition: str, values: Mapping[str, Any], *, forward: bool) -> Mapping[str, Any] | None:
    """Return the sort key at which a table refuses to begin, as nothing follows; a prefix has none."""
    ends = [] if _PREFIX.fullmatch(condition) else re.findall(r":\w+", condition)
    has_end = "BETWEEN" in condition or ("<=" in condition) == forward
    return values[ends[-1 if forward else 0]] if ends and has_end else None


def _ordered(value: Mapping[str, Any]) -> Any:
    """Return a sort key as its order needs it: a text by its UTF-8 bytes."""
    ((kind, content),) = value.items()
    return Decimal(content) if kind == "N" else content.encode() if kind == "S" else bytes(content)
