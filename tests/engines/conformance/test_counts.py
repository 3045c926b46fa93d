"""The items of every collection and group, counted on every engine as reading everything counts them."""

from collections import Counter
from typing import Any

import pytest

from skipscan.listing.execution_input import parse
from tests.engines.conformance.engine import Engine
from tests.engines.conformance.test_levels import SOURCES, levels_items, levels_table
from tests.engines.conformance.walking import items
from tests.fakes.turns import run

NAMES = {None: ("pk", "sk"), "local": ("pk", "local_sk"), "global": ("gsi_pk", "gsi_sk")}
ASKED: dict[str, dict[str, Any]] = {
    "collections": {},
    "prefix": {"prefix": "ORDER"},
    "range": {"between": ["#", "ORDER#1"]},
    "level": {"delimiter": "#"},
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("up_to", [None, 1, 4])
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
@pytest.mark.parametrize("index", SOURCES, ids=["table", "local", "global"])
def test_every_count_is_right(engine: Engine, index: str | None, asked: dict[str, Any], up_to: int | None) -> None:
    definition = levels_table("S")
    engine.load(definition, levels_items("S"))
    partition, sort = NAMES[index]
    read = items(engine, **{"TableName": definition.name, **({"IndexName": index} if index else {})})
    level = parse({"table": "levels", **asked}).level
    low, high = asked.get("between", (None, None))
    held = Counter(
        repr((item[partition], level.prefix_of(item[sort])) if level else item[partition])
        for item in read
        if item[sort]["S"].startswith(asked.get("prefix", "")) and (low is None or low <= item[sort]["S"] <= high)
    )
    wanted = {
        key: (number, False) if up_to is None or number <= up_to else (up_to, True) for key, number in held.items()
    }
    for strategy in ("auto", "page"):
        given = {"table": definition.name, "index": index, "segments": 1, "workers": 1, "strategy": strategy, **asked}
        outcome = run(engine.client, **given, take={"count": {} if up_to is None else {"up_to": up_to}})
        found = {repr(line.key): (line.counted.items, line.counted.more) for line in outcome.keys}
        assert len(found) == len(outcome.keys)
        assert found == wanted
