"""Groups within item collections: each once on every engine, as reading everything finds them."""

from functools import cache
from typing import Any

import pytest

from skipscan.dynamodb.source import Level
from skipscan.listing.execution_input import parse
from tests.engines.conformance.engine import Engine
from tests.engines.conformance.walking import items
from tests.fakes.attribute_value import Item, KeyType
from tests.fakes.definition import IndexDefinition, KeyAttribute, KeySchema, TableDefinition
from tests.fakes.turns import ListedRun, run

LONG = "L" * 1020
TEXTS = (
    *("ORDER", "ORDER#", "ORDER#1", "ORDER#2#x", "ORDER#2#y", "ORDER\x00", "#", "##", "#a#", "a##b", "PROFILE"),
    *("😀#1", "😀#2", "😀", "é#\uffff", "é#\U0010ffff", "\U0010ffff" * 256),
    *(f"{LONG}###1", f"{LONG}####", f"{LONG}#\uffff", f"{LONG}aaa#", LONG),
)
LEVELS: dict[str, dict[str, Any]] = {
    "depth-1": {"delimiter": "#"},
    "depth-2": {"delimiter": "#", "depth": 2},
    "depth-4": {"delimiter": "#", "depth": 4},
    "length-1": {"prefix_length": 1},
    "length-7": {"prefix_length": 7},
    "length-1024": {"prefix_length": 1024},
}
SOURCES = (None, "local", "global")


@cache
def levels_table(sort_type: KeyType) -> TableDefinition:
    key, local, country, other = (
        KeyAttribute("pk", "S"),
        KeyAttribute("local_sk", sort_type),
        KeyAttribute("gsi_pk", "S"),
        KeyAttribute("gsi_sk", sort_type),
    )
    return TableDefinition(
        f"levels-{sort_type}",
        KeySchema((key,), (KeyAttribute("sk", sort_type),)),
        (
            IndexDefinition("local", KeySchema((key,), (local,)), "local"),
            IndexDefinition("global", KeySchema((country,), (other,))),
        ),
    )


@cache
def levels_items(sort_type: KeyType) -> tuple[Item, ...]:
    """Return collections with all sort keys, or with some; the sort keys of indexes occur several times."""

    def value(content: str) -> dict[str, Any]:
        return {sort_type: content if sort_type == "S" else content.encode()}

    return tuple(
        {
            "pk": {"S": f"c{number}"},
            "sk": value(content),
            "local_sk": value(TEXTS[place // 2]),
            "gsi_pk": {"S": f"k{number % 3}"},
            "gsi_sk": value(TEXTS[place]),
        }
        for number in range(9)
        for place, content in enumerate(TEXTS)
        if place % (1 + number % 4) == 0
    )


def expected_groups(engine: Engine, definition: TableDefinition, index: str | None, level: Level | None) -> list[str]:
    """Return the groups by reading everything."""
    assert level is not None
    asked = {"TableName": definition.name, **({"IndexName": index} if index else {})}
    partition, sort = {None: ("pk", "sk"), "local": ("pk", "local_sk"), "global": ("gsi_pk", "gsi_sk")}[index]
    return sorted({repr((item[partition], level.prefix_of(item[sort]))) for item in items(engine, **asked)})


def listed_groups(outcome: ListedRun) -> list[str]:
    return sorted(map(repr, outcome.keys))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
@pytest.mark.parametrize("index", SOURCES, ids=["table", "local", "global"])
@pytest.mark.parametrize("sort_type", ["S", "B"])
def test_every_group_is_found_once(
    engine: Engine, sort_type: KeyType, index: str | None, level: dict[str, Any]
) -> None:
    definition = levels_table(sort_type)
    engine.load(definition, levels_items(sort_type))
    wanted = expected_groups(engine, definition, index, parse({"table": "levels", **level}).level)
    # One segment: some engines cut the segments of an index by the table's keys.
    for strategy, segments in (("auto", 1), ("page", 1), ("auto", 1 if index else 5)):
        asked: dict[str, Any] = {
            "table": definition.name,
            "index": index,
            "segments": segments,
            "workers": 1,
            "strategy": strategy,
        }
        assert listed_groups(run(engine.client, **asked, **level)) == wanted
