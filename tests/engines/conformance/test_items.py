"""The items of every collection and range, taken on every engine as reading everything finds them."""

from typing import Any

import pytest

from tests.engines.conformance.engine import Engine
from tests.engines.conformance.test_counts import NAMES
from tests.engines.conformance.test_levels import SOURCES, levels_items, levels_table
from tests.engines.conformance.walking import items
from tests.fakes.attribute_value import Item
from tests.fakes.turns import run

RANGES: dict[str, dict[str, Any]] = {
    "collections": {},
    "prefix": {"prefix": "ORDER"},
    "range": {"between": ["#", "ORDER#1"]},
}
TAKES: dict[str, dict[str, Any]] = {
    "all": {"items": "all"},
    "two": {"items": "all", "most": 2},
    "last-three": {"items": "all", "most": 3, "order": "descending"},
    "descending": {"items": "all", "order": "descending"},
}


def held(engine: Engine, index: str | None, asked: dict[str, Any]) -> dict[str, list[Item]]:
    """Return the items of each collection in the range, in their order, by reading everything."""
    partition, sort = NAMES[index]
    low, high = asked.get("between", ("", "\U0010ffff" * 256))
    found: dict[str, list[Item]] = {}
    for item in items(engine, TableName=levels_table("S").name, **({"IndexName": index} if index else {})):
        if item[sort]["S"].startswith(asked.get("prefix", "")) and low <= item[sort]["S"] <= high:
            rest = {name: value for name, value in item.items() if name != partition}
            found.setdefault(item[partition]["S"], []).append(rest)
    return {key: sorted(own, key=lambda item: item[sort]["S"].encode()) for key, own in found.items()}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("take", TAKES.values(), ids=TAKES)
@pytest.mark.parametrize("asked", RANGES.values(), ids=RANGES)
@pytest.mark.parametrize("index", SOURCES, ids=["table", "local", "global"])
def test_every_item_that_is_wanted_has_one_line_in_its_order(
    engine: Engine, index: str | None, asked: dict[str, Any], take: dict[str, Any]
) -> None:
    """Which of the items with one sort key of an index comes first, the engines decide."""
    definition = levels_table("S")
    engine.load(definition, levels_items("S"))
    sort = NAMES[index][1]
    whole = held(engine, index, asked)
    assert whole
    for strategy in ("auto", "page"):
        given = {"table": definition.name, "index": index, "segments": 1, "workers": 1, "strategy": strategy, **asked}
        found: dict[str, list[Item]] = {}
        for line in run(engine.client, **given, take=take).keys:
            found.setdefault(line.key["S"], []).append(line.items["item"])
        wanted = {key: own[::-1] if "order" in take else own for key, own in whole.items()}
        wanted = {key: own[: take.get("most")] for key, own in wanted.items()}
        assert {key: [item[sort] for item in own] for key, own in found.items()} == {
            key: [item[sort] for item in own] for key, own in wanted.items()
        }
        for key, own in found.items():
            lines = [repr(sorted(item.items(), key=repr)) for item in own]
            assert len(set(lines)) == len(lines)
            assert set(lines) <= {repr(sorted(item.items(), key=repr)) for item in whole[key]}
