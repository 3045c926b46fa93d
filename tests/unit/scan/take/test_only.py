"""A run of given keys: what a run of all keys says of them, by Queries, and no more of these than it takes."""

import json
import re
from collections.abc import Callable, Iterable
from random import Random
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.attribute_value import AttributeValue, to_json
from skipscan.pace.bounds import Bounds
from skipscan.scan.taken import Taken
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import Wrapper
from tests.fakes.tables import GeneratedTable
from tests.fakes.turns import ListedRun, run
from tests.unit.scan.take.test_range import SAID, WRITTEN, Kind, numbered
from tests.unit.scan.take.test_take import ANY_TABLE, BOUNDS, asked, oddly
from tests.unit.scan.test_counting import giants

TAKES: list[dict[str, Any] | None] = [
    None,
    {"first": "all"},
    {"last": "all"},
    {"first": "all", "last": "all"},
    {"count": {}},
    {"count": {"up_to": 2}},
    {"items": "all"},
    {"items": "all", "most": 3, "beyond": 1},
    {"items": "all", "order": "descending"},
    {"items": "all", "order": "descending", "most": 2, "beyond": 1},
]

OF_ALL = [{"count": {}}, {"count": {"up_to": 2}}, {"items": "all"}]


def key_of(outcome: ListedRun, line: Any) -> tuple[Any, ...]:
    """Return the values of a line's partition key."""
    key = line.key if isinstance(line, Taken) else line
    source = outcome.plan.source
    return tuple(key[: len(source.partition_key)] if len(source.line.partition_key) > 1 else (key,))


def said(outcome: ListedRun) -> list[tuple[str, list[str]]]:
    """Return what the lines say of each key, in their order; not when they were read, and for how much."""
    found: dict[str, list[str]] = {}
    for line in outcome.keys:
        what: Any = line
        if isinstance(line, Taken):
            what = line.key, line.items, line.counted and line.counted._replace(read_units=0.0)
        found.setdefault(repr(key_of(outcome, line)), []).append(repr(what))
    has_order = outcome.plan.source.index is None
    return sorted((key, lines if has_order else sorted(lines)) for key, lines in found.items())


def some_of(outcome: ListedRun, random: Random) -> tuple[bytes, set[str]]:
    """Return a file with some of the keys, of which some come twice, and with a key that the table does not have."""
    keys = {repr(key): key for key in (key_of(outcome, line) for line in outcome.keys)}
    chosen = [key for key in keys.values() if random.random() < 0.5]
    other = {"N": {"N": "77"}, "S": {"S": "other"}, "B": {"B": b"other"}}
    written = [*chosen, *chosen[:2], tuple(other[each.type] for each in outcome.plan.source.partition_key)]
    random.shuffle(written)
    return b"".join(file_line(key) for key in written), {repr(key) for key in chosen}


def file_line(key: Iterable[AttributeValue]) -> bytes:
    return json.dumps([to_json(value) for value in key]).encode() + b"\n"


def check(fake: FakeDynamoDB, seed: int, bounds: Bounds, given_: dict[str, Any], take: dict[str, Any] | None) -> None:
    whole = run(fake, **{**given_, "segments": 1, "workers": 1}, take=take)
    body, chosen = some_of(whole, Random(seed))
    outcome = run(oddly(fake, seed), bounds, **{**given_, "segments": None, "workers": 1}, take=take, only=body)
    assert said(outcome) == [(key, lines) for key, lines in said(whole) if key in chosen]
    assert outcome.counts.keys == len(outcome.keys)
    assert outcome.counts.ended == 0


@given(ANY_TABLE, BOUNDS, st.integers(0, 1000), st.sampled_from(TAKES))
def test_given_keys_have_the_lines_of_a_run_of_all(
    table: GeneratedTable, bounds: Bounds, seed: int, take: dict[str, Any] | None
) -> None:
    """Also where pages are cut anywhere or empty, skips are ignored, and batches end after any page.

    In an index, which of several items with equal sort keys is the first is not the same for a Query.
    """
    fake = table.load(FakeDynamoDB())
    if table.index and take not in OF_ALL:
        take = None
    if take and {"beyond", "order"} & take.keys() and not table.definition.key.sort:
        take = {"items": "all"}  # without an order these are refused
    check(fake, seed, bounds, asked(table, (1, 1)), take)


@given(
    st.integers(0, 10**6),
    st.sampled_from(list(WRITTEN)),
    BOUNDS,
    st.sampled_from(TAKES),
    st.tuples(st.integers(0, 5), st.integers(0, 5)),
    st.sampled_from(["since", "until", "between", ""]),
    st.booleans(),
)
def test_of_a_range_and_of_groups_too(  # noqa: PLR0917 (what is drawn)
    seed: int,
    kind: Kind,
    bounds: Bounds,
    take: dict[str, Any] | None,
    ends: tuple[int, int],
    form: str,
    has_level: bool,
) -> None:
    fake, _ = numbered(seed, kind)
    low, high = (SAID[kind](end) for end in sorted(ends))
    among = {"since": {"since": low}, "until": {"until": high}, "between": {"between": [low, high]}, "": {}}[form]
    level = {"prefix_length": 1} if has_level and kind != "N" else {}
    check(fake, seed, bounds, {"table": "Generated", **among, **level}, take)


class Vanishing(Wrapper):
    """Items that are deleted while Queries evaluate them: a page may bring none of them, and not be the last."""

    def __init__(self, client: FakeDynamoDB, is_gone: Callable[[Item], bool]) -> None:
        super().__init__(client)
        self._is_gone = is_gone

    def query(self, **parameters: Any) -> Any:
        names = parameters["ExpressionAttributeNames"]
        used = {name: names[name] for name in re.findall(r"#\w+", parameters["KeyConditionExpression"])}
        whole = {name: value for name, value in parameters.items() if name not in {"ProjectionExpression", "Select"}}
        answer = self.client.query(**{**whole, "ExpressionAttributeNames": used})
        kept = [item for item in answer["Items"] if not self._is_gone(item)]
        return {**answer, "Items": kept, "Count": len(kept)}


@given(st.integers(0, 10**6), BOUNDS, st.sampled_from(TAKES), st.sampled_from([2, 3]))
def test_what_vanishes_while_it_is_read_has_no_line_and_ends_nothing(
    seed: int, bounds: Bounds, take: dict[str, Any] | None, share: int
) -> None:
    fake, held = numbered(seed, "S")

    def is_gone(item: Item) -> bool:
        return bool(crc32(repr((item["pk"], item["sk"])).encode()) % share)

    left = FakeDynamoDB(
        fake.table("Generated").definition, [item for item in fake.table("Generated").items() if not is_gone(item)]
    )
    body = "\n".join([*held, "nobody"]).encode()
    outcome = run(Vanishing(fake, is_gone), bounds, table="Generated", take=take, only=body)
    assert said(outcome) == said(run(left, table="Generated", segments=1, take=take))


@pytest.mark.parametrize(
    ("take", "units", "requests"),
    [
        (None, 0.5, 1),
        ({"first": "all"}, 0.5, 1),
        ({"last": "all"}, 0.5, 1),
        ({"first": "all", "last": "all"}, 1.0, 2),
        ({"count": {"up_to": 3}}, 0.5, 1),
        ({"items": "all", "most": 4, "order": "descending"}, 0.5, 1),
        ({"items": "all", "order": "descending"}, 62.0, 1),
        ({"items": "all"}, 62.0, 1),
    ],
)
def test_a_key_takes_no_more_than_its_query(take: dict[str, Any] | None, units: float, requests: int) -> None:
    """Of 500 items, of which four are in a step of 4 KB; keys that the table does not have cost half a read unit."""
    fake = giants({f"c{n}": 500 for n in range(4)}, size=1000)
    outcome = run(fake, table="Generated", take=take, only=b"c1\nc3\nc9\n")
    assert outcome.counts.read_units == 2 * units + 0.5
    assert outcome.counts.requests == 2 * requests + 1
    assert {key_of(outcome, line)[0]["S"] for line in outcome.keys} == {"c1", "c3"}


def test_a_given_key_of_an_index_that_cannot_be_skipped_takes_one_item() -> None:
    index = IndexDefinition("by-status", KeySchema.of(("status", "S")))
    items: list[Item] = [
        {"pk": {"S": f"{n}"}, "status": {"S": f"s{n % 3}"}, "body": {"B": bytes(3000)}} for n in range(60)
    ]
    fake = FakeDynamoDB(TableDefinition("Generated", KeySchema.of(("pk", "S")), (index,)), items)
    outcome = run(fake, table="Generated", index="by-status", only=b"s1\ns2\n")
    assert (len(outcome.keys), outcome.counts.read_units, outcome.counts.items) == (2, 1.0, 2)


def test_a_page_that_shows_both_ends_saves_the_query_for_the_last() -> None:
    fake = giants({f"c{n}": 3 for n in range(40)}, size=100)
    body = "\n".join(f"c{n}" for n in range(40)).encode()
    outcome = run(fake, table="Generated", take={"first": "all", "last": "all"}, only=body)
    assert len(outcome.keys) == 40
    assert outcome.counts.read_units < 40 * 0.5 + 5


class OneByOne(Wrapper):
    """Queries that bring an item a page."""

    def query(self, **parameters: Any) -> Any:
        return self.client.query(**{**parameters, "Limit": 1})


@pytest.mark.parametrize("order", ["ascending", "descending"])
def test_a_page_that_ends_where_its_range_begins_is_not_the_last(order: str) -> None:
    """Read from its end, a range has its greatest sort key first."""
    take = {"items": "all", "order": order}
    outcome = run(OneByOne(giants({"a": 6}, size=10)), table="Generated", take=take, between=[1, 5], only=b"a\n")
    numbers = [int(line.items["item"]["sk"]["N"]) for line in outcome.keys]
    assert numbers == ([1, 2, 3, 4, 5] if order == "ascending" else [5, 4, 3, 2, 1])


@pytest.mark.parametrize("among", [{"until": "B#9"}, {"until": "B#1"}, {}])
def test_behind_the_last_group_of_a_given_key_nothing_is_asked_for(among: dict[str, Any]) -> None:
    """A table refuses a Query whose start key is outside its condition."""
    groups = ["A#1", "A#2", "B#1"]
    items: list[Item] = [{"pk": {"S": key}, "sk": {"S": each}} for key in "xyz" for each in groups]
    fake = FakeDynamoDB(TableDefinition("Generated", KeySchema.of(("pk", "S"), ("sk", "S"))), items)
    outcome = run(OneByOne(fake), table="Generated", prefix_length=2, **among, only=b"x\ny\n")
    assert len(outcome.keys) == 4
    assert outcome.counts.skips_ignored == 0
    assert outcome.counts.requests == (4 if among else 6)  # without an end, who knows what follows
