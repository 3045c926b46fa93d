"""Python values in place of DynamoDB's: the same as boto3's resource gives, but `bytes` for binary."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Item, Source
from skipscan.scan.take import FIRST, ITEM, LAST, Taken


class Group(NamedTuple):
    """A group: its key, its first and last item as dictionaries, and when they were read; or how many items it has.

    An item is `None` if it was not asked for, or if its collection was emptied meanwhile. `read`: ISO 8601, UTC.
    `counted`, `more`, `read_units`: `None` unless `count` was asked for. `item`: one of the group's items, if `items`
    was.
    """

    key: Any
    first: Mapping[str, Any] | None
    last: Mapping[str, Any] | None
    read: str
    counted: int | None = None
    more: bool | None = None
    read_units: float | None = None
    item: Mapping[str, Any] | None = None


def python_value(value: AttributeValue) -> Any:
    """Return `str`, `Decimal`, `bytes`, `bool`, `None`, `list`, `dict` or `set`."""
    ((kind, content),) = value.items()
    match kind:
        case "N":
            return Decimal(content)
        case "NULL":
            return None
        case "L":
            return [python_value(each) for each in content]
        case "M":
            return python_item(content)
        case "SS" | "NS" | "BS":
            return {python_value({kind[0]: each}) for each in content}
    return content


def python_item(item: Item) -> dict[str, Any]:
    return {name: python_value(value) for name, value in item.items()}


def python_key(source: Source) -> Callable[[Any], Any]:
    """Return the function that reads a partition key: a value, or a tuple of values if it has several attributes."""
    if len(source.partition_key) == 1:
        return python_value
    return lambda key: tuple(python_value(part) for part in source.parts(key))


def python_group(source: Source) -> Callable[[Taken], Group]:
    """Return the function that makes a `Group` of a key and the items taken of its collection."""
    key = python_key(source)

    def item(taken: Taken, end: str) -> dict[str, Any] | None:
        found = taken.items.get(end)
        return None if found is None else python_item(found)

    def group(taken: Taken) -> Group:
        found = Group(key(taken.key), item(taken, FIRST), item(taken, LAST), taken.read, item=item(taken, ITEM))
        return (
            found
            if taken.counted is None
            else found._replace(
                counted=taken.counted.items, more=taken.counted.more, read_units=taken.counted.read_units
            )
        )

    return group
