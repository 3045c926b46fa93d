"""Ways through a table or index, as plainly as they can be written: what the engines are asked, not our core."""

from collections.abc import Callable, Iterator
from typing import Any

from skipscan.dynamodb.attribute_value import MAXIMUM
from tests.engines.conformance.engine import Engine
from tests.fakes.attribute_value import AttributeValue, Item, Orderable, orderable
from tests.fakes.definition import KeySchema, TableDefinition


class EndlessError(AssertionError):
    """A walk that took many more pages than the table has items."""


def schema(definition: TableDefinition, index: str | None) -> KeySchema:
    found = definition.index(index) if index else None
    return found.key if found else definition.key


def source(definition: TableDefinition, index: str | None) -> dict[str, Any]:
    """The parameters of a request that name the table or its index."""
    return {"TableName": definition.name, **({"IndexName": index} if index else {})}


def pages(
    engine: Engine, *, page_limit: int = 400, ask: Callable[..., Any] | None = None, **parameters: Any
) -> Iterator[dict[str, Any]]:
    """Every page, from LastEvaluatedKey to LastEvaluatedKey, of a Scan or what else `ask` asks."""
    for _ in range(page_limit):
        page = (ask or engine.scan)(**parameters)
        yield page
        if "LastEvaluatedKey" not in page:
            return
        parameters["ExclusiveStartKey"] = page["LastEvaluatedKey"]
    raise EndlessError


def items(engine: Engine, **parameters: Any) -> list[Item]:
    return [item for page in pages(engine, **parameters) for item in page["Items"]]


def skip_scan(
    engine: Engine,
    definition: TableDefinition,
    index: str | None = None,
    *,
    skip_to: dict[str, AttributeValue] | None = None,
    page_limit: int = 60,
    **parameters: Any,
) -> list[tuple[Orderable, ...]]:
    """The partition key of the first item of every page; each page starts behind the collection of the last one."""
    parameters = {**source(definition, index), "Limit": 1, **parameters}
    skip_to = skip_to or maxima(definition, index)
    found = []
    for _ in range(page_limit):
        page = engine.scan(**parameters)
        found += [partition_key(item, schema(definition, index)) for item in page["Items"][:1]]
        if "LastEvaluatedKey" not in page:
            return found
        parameters["ExclusiveStartKey"] = {**page["LastEvaluatedKey"], **skip_to}
    raise EndlessError


def maxima(definition: TableDefinition, index: str | None) -> dict[str, AttributeValue]:
    """The greatest sort key; a local index has the table's as well, to break ties."""
    found = definition.index(index) if index else None
    sort = schema(definition, index).sort
    if found and found.kind == "local":
        sort += definition.key.sort
    return {attribute.name: MAXIMUM[attribute.type] for attribute in sort}


def partition_key(item: Item, key: KeySchema) -> tuple[Orderable, ...]:
    return tuple(orderable(item[attribute.name]) for attribute in key.partition)


def sort_key(item: Item, key: KeySchema) -> tuple[Orderable, ...]:
    return tuple(orderable(item[attribute.name]) for attribute in key.sort)
