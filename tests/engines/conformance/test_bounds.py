"""Ranges whose ends are items: a table refuses a Query that begins at the end of its own condition."""

from base64 import b64encode
from dataclasses import replace
from typing import Any

import pytest

from skipscan.scan.taken import Taken
from tests.engines.conformance.conftest import marks
from tests.engines.conformance.engine import Engine
from tests.engines.conformance.sample import ASCENDING
from tests.engines.conformance.test_groups_taken import NAMES, SOURCES, levels_table
from tests.engines.conformance.walking import items, source
from tests.fakes.attribute_value import AttributeValue, Item, KeyType, orderable
from tests.fakes.turns import run

TAKES: dict[str, dict[str, Any] | None] = {
    "keys": None,
    "ends": {"first": "all", "last": "all"},
    "count": {"count": {}},
    "count-two": {"count": {"up_to": 2}},
    "items": {"items": "all"},
    "items-two": {"items": "all", "most": 2},
    "descending": {"items": "all", "order": "descending"},
    "descending-two": {"items": "all", "most": 2, "order": "descending"},
}
PLACES = [(1, 4), (2, 2), (3, None), (None, 5), (None, None)]
"""The places of a range's ends among the sort keys."""


def held(sort_type: KeyType) -> list[Item]:
    """Return collections of one to fourteen items; in the global index two have the same sort key."""
    sort_keys = ASCENDING[sort_type]
    return [
        {
            "pk": {"S": f"c{number}"},
            "sk": sort_key,
            "local_sk": sort_key,
            "gsi_pk": {"S": f"k{number // 2}"},
            "gsi_sk": sort_key,
            "payload": {"B": bytes(700)},  # so that pages are short and end anywhere
        }
        for number in range(14)
        for place, sort_key in enumerate(sort_keys[: 1 + number * 5 % 14])
    ]


def taken(own: list[Any], take: dict[str, Any] | None) -> Any:
    """Return what a run has of a collection with these sort keys in the range."""
    if take is None:
        return []
    if "count" in take:
        most = take["count"].get("up_to", len(own))
        return [(min(most, len(own)), len(own) > most)]
    if "first" in take:
        return [(own[0], own[-1])]
    return (own[::-1] if "order" in take else own)[: take.get("most")]


def found(lines: list[Any], sort: str) -> dict[str, Any]:
    """Return what a run brought of each collection, in the form of `taken`."""
    brought: dict[str, Any] = {}
    for line in lines:
        if not isinstance(line, Taken):
            assert brought.setdefault(line["S"], []) == []
            continue
        sort_keys = [orderable(item[sort]) for item in line.items.values() if item is not None]
        content = (line.counted.items, line.counted.more) if line.counted else tuple(sort_keys)
        brought.setdefault(line.key["S"], []).append(sort_keys[0] if "item" in line.items else content)
    return brought


def written(value: AttributeValue) -> str:
    """Return a sort key as an input has it."""
    ((kind, content),) = value.items()
    return b64encode(content).decode() if kind == "B" else str(content)


ENGINES = [pytest.param(name, marks=marks(name)) for name in ("fake", "dynalite", "dynamodb-local")]
"""MiniStack's deviations in ranges are those of the other tests."""


@pytest.mark.sampled(5)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
@pytest.mark.parametrize("take", TAKES.values(), ids=TAKES)
@pytest.mark.parametrize("index", SOURCES, ids=["table", "local", "global"])
@pytest.mark.parametrize("sort_type", ["S", "N", "B"])
def test_a_range_may_end_at_an_item(
    engine: Engine,
    sort_type: KeyType,
    index: str | None,
    take: dict[str, Any] | None,
) -> None:
    definition = replace(levels_table(sort_type), name=f"bounds-{sort_type}")
    engine.load(definition, held(sort_type))
    partition, sort = NAMES[index]
    whole: dict[str, list[Any]] = {}
    for item in items(engine, **source(definition, index)):
        whole.setdefault(item[partition]["S"], []).append(orderable(item[sort]))
    for places in PLACES:
        ends = {
            end: ASCENDING[sort_type][at] for end, at in zip(("since", "until"), places, strict=True) if at is not None
        }
        low, high = (orderable(ends[end]) if end in ends else None for end in ("since", "until"))
        inside = {
            key: sorted(each for each in own if (low is None or each >= low) and (high is None or each <= high))
            for key, own in whole.items()
        }
        asked: dict[str, Any] = {end: written(value) for end, value in ends.items()}
        outcome = run(engine.client, table=definition.name, index=index, segments=1, workers=1, take=take, **asked)
        expected = {key: taken(own, take) for key, own in inside.items() if own}
        assert found(outcome.keys, sort) == expected, places
