"""Groups in a range with what is taken of each, on every engine as reading everything finds them."""

from decimal import Decimal
from functools import cache
from typing import Any

import pytest

from tests.engines.conformance.engine import Engine
from tests.engines.conformance.walking import items, source
from tests.fakes.attribute_value import Item, KeyType
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.turns import run
from tests.unit.scan.take.test_groups_taken import as_base64, as_lines, content, groups_among, lines_of

LONG = "L" * 1020
TEXTS = (
    *("ORDER", "ORDER#", "ORDER#1", "ORDER#2#x", "ORDER#2#y", "ORDER\x00", "#", "##", "#a#", "a##b", "PROFILE"),
    *("😀#1", "😀#2", "😀", "é#\uffff", "é#\U0010ffff", "\U0010ffff" * 256),
    *(f"{LONG}###1", f"{LONG}####", f"{LONG}#\uffff", f"{LONG}aaa#", LONG),
)
SOURCES = (None, "local", "global")
NAMES = {None: ("pk", "sk"), "local": ("pk", "local_sk"), "global": ("gsi_pk", "gsi_sk")}


@cache
def levels_table(sort_type: KeyType) -> TableDefinition:
    local = IndexDefinition("local", KeySchema.of(("pk", "S"), ("local_sk", sort_type)), "local")
    other = IndexDefinition("global", KeySchema.of(("gsi_pk", "S"), ("gsi_sk", sort_type)))
    return TableDefinition(f"levels-{sort_type}", KeySchema.of(("pk", "S"), ("sk", sort_type)), (local, other))


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


ENDS, LAST_TWO = {"first": "all", "last": "all"}, {"items": "all", "most": 2, "order": "descending"}
ALL_BUT_TWO = {"items": "all", "beyond": 2, "order": "descending"}
CASES: dict[str, tuple[dict[str, Any], dict[str, Any] | None]] = {
    "keys since": ({"since": "ORDER#2"}, None),
    "keys before": ({"until": "#a"}, None),
    "groups of depth 4": ({"delimiter": "#", "depth": 4}, None),
    "groups of a length": ({"prefix_length": 7}, None),
    "groups since": ({"delimiter": "#", "since": "ORDER#2"}, None),
    "groups until": ({"prefix_length": 3, "until": "ORDER#2#x"}, None),
    "groups behind a prefix": ({"delimiter": "#", "prefix": "ORDER#"}, None),
    "groups behind an emoji": ({"prefix_length": 1, "prefix": "😀"}, None),
    "groups without room": ({"prefix_length": 2, "prefix": LONG[:1019]}, None),
    "ends of groups": ({"delimiter": "#"}, ENDS),
    "ends of groups in a range": ({"delimiter": "#", "depth": 2, "between": ["##", "ORDER#2#x"]}, ENDS),
    "items of groups": ({"prefix_length": 1}, {"items": "all"}),
    "last two of groups": ({"prefix_length": 5}, LAST_TWO),
    "last two of groups in a range": ({"delimiter": "#", "prefix": "ORDER"}, LAST_TWO),
    "all but the last two of groups": ({"prefix_length": 5}, ALL_BUT_TWO),
    "all but the last two of groups in a range": ({"delimiter": "#", "prefix": "ORDER"}, ALL_BUT_TWO),
    "counts of groups in a range": ({"delimiter": "#", "since": "#a"}, {"count": {"up_to": 2}}),
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("asked", "take"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("index", SOURCES, ids=["table", "local", "global"])
@pytest.mark.parametrize("sort_type", ["S", "B"])
def test_every_group_comes_once_with_what_is_taken_of_it(
    engine: Engine,
    sort_type: KeyType,
    index: str | None,
    asked: dict[str, Any],
    take: dict[str, Any] | None,
) -> None:
    definition, (partition, sort) = levels_table(sort_type), NAMES[index]
    engine.load(definition, levels_items(sort_type))
    held = items(engine, **source(definition, index))
    in_order = sorted(held, key=lambda item: content(item[sort]))
    has_level = "delimiter" in asked or "prefix_length" in asked
    groups = groups_among(in_order, (partition, sort), asked if has_level else {**asked, "prefix_length": 1024})
    expected = as_lines(groups, take, sort) if has_level else sorted({repr(key) for key, _ in groups})
    assert expected or index == "local"  # whose sort keys are the first half of all
    names = ("prefix", "since", "until", "between")
    given = asked if sort_type == "S" else asked | {name: as_base64(asked[name]) for name in names if name in asked}
    ways: list[dict[str, Any]] = [{"strategy": "auto", "segments": 1}, {"strategy": "page", "segments": 1}]
    if index is None or take is None:  # which of equal sort keys comes first is not the same for Queries
        ways.append({"only": "\n".join({*(item[partition]["S"] for item in held), "nobody"}).encode()})
    for way in ways:
        every: dict[str, Any] = {"table": definition.name, "index": index, "workers": 1}
        outcome = run(engine.client, **every, **given, **way, take=take)
        found = lines_of(outcome, sort) if has_level else sorted(repr(key["S"]) for key in outcome.keys)
        assert found == expected


NUMBERS = ("-1e125", "-2.5", "-1E-130", "0", "1E-130", "0.1", "4.99999999999999999999999999999999999", "5", "7e100")


@pytest.mark.parametrize("since", NUMBERS)
@pytest.mark.parametrize("index", SOURCES, ids=["table", "local", "global"])
def test_a_range_begins_at_its_very_number(engine: Engine, index: str | None, since: str) -> None:
    """The page that begins with it has a start key directly before, whatever digits the number has."""
    held: list[Item] = [
        {
            "pk": {"S": f"c{each}"},
            "sk": {"N": number},
            "local_sk": {"N": number},
            "gsi_pk": {"S": f"k{each}"},
            "gsi_sk": {"N": number},
        }
        for each in range(len(NUMBERS))
        for number in NUMBERS[: each + 1]
    ]
    engine.load(levels_table("N"), held)
    asked: dict[str, Any] = {"table": "levels-N", "index": index, "segments": 1, "workers": 1, "since": since}
    inside = [number for number in NUMBERS if Decimal(number) >= Decimal(since)]
    outcome = run(engine.client, **asked, take={"count": {}}, strategy="skip")
    found = sorted((line.key["S"][1:], line.counted.items) for line in outcome.keys)
    begun = len(NUMBERS) - len(inside)
    assert found == [(str(each), each - begun + 1) for each in range(begun, len(NUMBERS))]
