"""A Query that goes on where a Scan's page ended: counts, items and last items of ranges rest on it."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.engines.conformance.engine import Engine
from tests.engines.conformance.walking import items, maxima, pages, schema, source
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeyAttribute, KeySchema, TableDefinition

TIES = (1, 1, 1, 2, 2, 3, 4)
"""The sort keys of an index: of some the same, so that only the table's keys tell the items apart."""


COMMON = KeySchema.of(("pk", "S"), ("sk", "N"))
TABLE = TableDefinition(
    "continued",
    COMMON,
    (
        IndexDefinition("local", KeySchema.of(("pk", "S"), ("local_sk", "N")), "local"),
        IndexDefinition("global", KeySchema.of(("gsi_pk", "S"), ("gsi_sk", "N"))),
    ),
)
A, B, C, D = KeyAttribute("a", "S"), KeyAttribute("b", "S"), KeyAttribute("c", "N"), KeyAttribute("d", "S")
SEVERAL = TableDefinition("continued-several", COMMON, (IndexDefinition("several", KeySchema((A, B), (C, D))),))
SOURCES = {
    "table": (TABLE, None),
    "local": (TABLE, "local"),
    "global": (TABLE, "global"),
    "several": (SEVERAL, "several"),
}
RANGES = {"whole": None, "between-items": (0.5, 4.5), "both-ends-on-items": (2, 3), "one-value": (1, 1)}


def continued(definition: TableDefinition) -> list[Item]:
    """Return three collections of seven items each."""
    return [
        {
            "pk": {"S": f"c{collection}"},
            "sk": {"N": str(place + 1)},
            "local_sk": {"N": str(TIES[(place * 3 + collection) % 7])},
            "gsi_pk": {"S": f"g{collection}"},
            "gsi_sk": {"N": str(TIES[(place * 5 + collection) % 7])},
            "a": {"S": "a"},
            "b": {"S": f"b{collection}"},
            "c": {"N": str(TIES[place])},
            "d": {"S": f"{place % 3}"},
        }
        for collection in range(3)
        for place in range(7)
    ]


def queried(engine: Engine, definition: TableDefinition, index: str | None, of: Item, **asked: Any) -> list[Item]:
    """Return the items of all pages of a Query of the collection that an item is in."""
    key = schema(definition, index)
    between, limit = asked.pop("between", None), asked.pop("limit", None)
    conditions = [f"#{number} = :{number}" for number in range(len(key.partition))]
    names = {f"#{number}": attribute.name for number, attribute in enumerate(key.partition)}
    values = {f":{number}": of[attribute.name] for number, attribute in enumerate(key.partition)}
    if between:
        conditions.append("#sk BETWEEN :since AND :until")
        names["#sk"] = key.sort[0].name
        values |= {":since": {"N": str(between[0])}, ":until": {"N": str(between[1])}}
    parameters = {
        **source(definition, index),
        **({"Limit": limit} if limit else {}),
        "KeyConditionExpression": " AND ".join(conditions),
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": values,
        **asked,
    }
    return [item for page in pages(engine, ask=engine.client.query, **parameters) for item in page["Items"]]


def cuts(
    engine: Engine, definition: TableDefinition, index: str | None
) -> Iterator[tuple[Item, list[Item], list[Item]]]:
    """Yield the LastEvaluatedKey of a Scan's page that ends at each item, and the items up to it and behind it."""
    where = source(definition, index)
    scanned, key = items(engine, **where), schema(definition, index)
    ends = [page["LastEvaluatedKey"] for page in pages(engine, Limit=1, **where) if "LastEvaluatedKey" in page]
    assert len(ends) >= len(scanned) - 1
    for place, (end, item) in enumerate(zip(ends, scanned, strict=False)):
        own = [other for other in scanned if all(other[each.name] == item[each.name] for each in key.partition)]
        at = own.index(item)
        assert scanned[place - at : place - at + len(own)] == own
        yield end, own[: at + 1], own[at + 1 :]


def texts(items: Iterable[Item]) -> list[str]:
    return sorted(repr(sorted(item.items())) for item in items)


def inside(item: Item, sort_key: str, between: Any) -> bool:
    return between is None or between[0] <= float(item[sort_key]["N"]) <= between[1]


@pytest.mark.parametrize("between", RANGES.values(), ids=RANGES)
@pytest.mark.parametrize("source", SOURCES)
def test_a_query_goes_on_from_a_scan(engine: Engine, source: str, between: Any) -> None:
    """As the product asks.

    On a table behind the page's last item, unless the range ends with it; on an index before the items that have its
    sort key.
    """
    definition, index = SOURCES[source]
    engine.load(definition, continued(definition))
    sort_key = schema(definition, index).sort[0].name
    for end, before, behind in cuts(engine, definition, index):
        at = float(end[sort_key]["N"])
        if not inside(end, sort_key, between) or (not index and between and at == between[1]):
            continue
        start, expected = end, behind
        if index:
            start = {**end, **maxima(definition, index), sort_key: {"N": str(at - 0.5)}}
            expected = [item for item in [*before, *behind] if float(item[sort_key]["N"]) >= at]
            if not inside(start, sort_key, between):
                continue  # the product asks for the whole range
        expected = [item for item in expected if inside(item, sort_key, between)]
        for limit in (None, 1):
            asked: dict[str, Any] = {"between": between, "limit": limit, "ExclusiveStartKey": start}
            found = queried(engine, definition, index, before[-1], **asked)
            assert texts(found) == texts(expected)
            ascending = [float(item[sort_key]["N"]) for item in found]
            assert ascending == sorted(ascending)


@pytest.mark.parametrize("between", RANGES.values(), ids=RANGES)
@pytest.mark.parametrize("source", SOURCES)
def test_a_query_follows_its_own_pages(engine: Engine, source: str, between: Any) -> None:
    """Forward and backward, with a Limit that cuts at each item, and both ends of the range on items."""
    definition, index = SOURCES[source]
    engine.load(definition, continued(definition))
    sort_key, held = schema(definition, index).sort[0].name, continued(definition)[:7]
    expected = texts(item for item in held if inside(item, sort_key, between))
    for forward in (True, False):
        for limit in (1, 2, 7):
            asked: dict[str, Any] = {"between": between, "limit": limit, "ScanIndexForward": forward}
            found = queried(engine, definition, index, held[0], **asked)
            assert texts(found) == expected
            order = [float(item[sort_key]["N"]) for item in found]
            assert order == sorted(order, reverse=not forward)


@pytest.mark.parametrize("forward", [True, False], ids=["forward", "backward"])
def test_a_query_at_the_end_of_its_range_is_refused(engine: Engine, forward: bool) -> None:
    assert _refused(engine, forward, 5 if forward else 2)


@pytest.mark.parametrize("forward", [True, False], ids=["forward", "backward"])
@pytest.mark.parametrize("at", [1, 6])
def test_a_query_outside_its_range_is_refused(engine: Engine, at: int, forward: bool) -> None:
    assert _refused(engine, forward, at)


def _refused(engine: Engine, forward: bool, at: int) -> bool:
    """Return whether a table refuses a Query of the sort keys from 2 to 5 that begins behind or before this one."""
    engine.load(TABLE, continued(TABLE))
    start: Item = {"pk": {"S": "c0"}, "sk": {"N": str(at)}}
    try:
        queried(engine, TABLE, None, start, between=(2, 5), ExclusiveStartKey=start, ScanIndexForward=forward)
    except ClientError as error:
        return error.response["Error"]["Code"] == "ValidationException"
    return False
