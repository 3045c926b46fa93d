"""A run that counts: the number of items of every group, each once, however pages, batches and engines are."""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.errors import InputError
from skipscan.pace.bounds import Bounds
from skipscan.scan.plan import Strategy
from skipscan.scan.taken import Taken
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeyAttribute, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.tables import GeneratedTable
from tests.fakes.turns import ListedRun, planned, run
from tests.refusal import refused
from tests.unit.scan.take.test_last import customers
from tests.unit.scan.take.test_range import SAID, WRITTEN, Kind, numbered
from tests.unit.scan.take.test_take import ANY_TABLE, BOUNDS, SPLITS, asked, oddly

UP_TO = st.none() | st.integers(1, 12)


def count(up_to: int | None) -> dict[str, Any]:
    return {"count": {} if up_to is None else {"up_to": up_to}}


def counted_lines(outcome: ListedRun) -> dict[str, tuple[int, bool]]:
    """Return what a run counted, by group; each group comes once."""
    several = len(outcome.plan.source.line.partition_key) > 1
    found: dict[str, tuple[int, bool]] = {}
    for line in outcome.keys:
        assert isinstance(line, Taken)
        assert line.counted
        found[repr(list(line.key) if several else [line.key])] = line.counted.items, line.counted.more
    assert len(found) == len(outcome.keys) == outcome.counts.keys
    return found


def as_lines(counts: Counter[str], up_to: int | None) -> dict[str, tuple[int, bool]]:
    return {
        key: (number, False) if up_to is None or number <= up_to else (up_to, True) for key, number in counts.items()
    }


def items_by_group(fake: FakeDynamoDB, index: str | None) -> Counter[str]:
    view = fake.table("Generated").views[index]
    names = [attribute.name for attribute in view.order.key.partition]
    return Counter(repr([entry.item[name] for name in names]) for entry in view.entries)


@given(ANY_TABLE, SPLITS, BOUNDS, st.integers(0, 1000), st.sampled_from(["auto", "page"]), UP_TO)
def test_every_group_is_counted(  # noqa: PLR0917 (what is drawn)
    table: GeneratedTable, split: tuple[int, int], bounds: Bounds, seed: int, strategy: str, up_to: int | None
) -> None:
    """Also where pages are cut anywhere or empty, skips are ignored or not made, and batches end after any page."""
    fake = table.load(FakeDynamoDB())
    outcome = run(oddly(fake, seed), bounds, **asked(table, split, take=count(up_to), strategy=strategy))
    assert counted_lines(outcome) == as_lines(items_by_group(fake, table.index), up_to)
    for state in outcome.states:
        for cursor in json.loads(state)["cursors"]:
            assert cursor.get("counted", [0])[0] <= (up_to or 10**9)


@given(
    st.integers(0, 10**6),
    st.sampled_from(list(WRITTEN)),
    SPLITS,
    BOUNDS,
    st.integers(0, 5),
    st.integers(0, 5),
    st.booleans(),
    UP_TO,
)
def test_a_range_is_counted(  # noqa: PLR0917 (what is drawn)
    seed: int, kind: Kind, split: tuple[int, int], bounds: Bounds, one: int, other: int, pages: bool, up_to: int | None
) -> None:
    """Only what is in it, and groups without such items have no line."""
    fake, held = numbered(seed, kind)
    low, high = sorted((one, other))
    given_: dict[str, Any] = {"table": "Generated", "segments": split[0], "workers": split[1], "take": count(up_to)}
    given_["between"] = [SAID[kind](low), SAID[kind](high)]
    outcome = run(oddly(fake, seed), bounds, **given_, strategy="page" if pages else "auto")
    among = Counter(
        {
            repr([{"S": key}]): found
            for key, numbers in held.items()
            if (found := sum(low <= n <= high for n in numbers))
        }
    )
    assert counted_lines(outcome) == as_lines(among, up_to)
    if pages:
        assert not outcome.counts.lookups


@pytest.mark.parametrize("take", [{"count": {}}, {"items": "all"}], ids=["count", "items"])
@pytest.mark.parametrize("index", ["local", "global"])
def test_no_item_with_an_equal_sort_key_is_lost_or_repeated(index: str, take: dict[str, Any]) -> None:
    """A Query has those of an index in another order than a Scan, and a page ends among them."""
    pk, sk, day = KeyAttribute("pk", "S"), KeyAttribute("sk", "N"), KeyAttribute("day", "N")
    indexes = (
        IndexDefinition("local", KeySchema((pk,), (day,)), "local"),
        IndexDefinition("global", KeySchema((pk,), (day,))),
    )
    fake = FakeDynamoDB()
    fake.add(
        TableDefinition("Generated", KeySchema((pk,), (sk,)), indexes),
        [
            {"pk": {"S": f"p{length}"}, "sk": {"N": f"{place}"}, "day": {"N": f"{place // 5}"}, "v": {"B": bytes(700)}}
            for length in range(1, 30)
            for place in range(length)
        ],
    )
    asked: dict[str, Any] = {"table": "Generated", "index": index, "segments": 1, "workers": 1, "strategy": "skip"}
    lookups = 0
    for since, until in ((0, 9), (1, 3), (2, 2)):
        outcome = run(fake, **asked, between=[since, until], take=take)
        lookups += outcome.counts.lookups
        expected = {f"p{n}": max(0, min(n, until * 5 + 5) - since * 5) for n in range(1, 30)}
        found = Counter[str]()
        for line in outcome.keys:
            found[line.key["S"]] += line.counted.items if line.counted else 1
        assert found == +Counter(expected)
    assert lookups > 10


def giants(lengths: dict[str, int], size: int = 100) -> FakeDynamoDB:
    items: list[Item] = [
        {"pk": {"S": key}, "sk": {"N": str(n)}, "v": {"B": bytes(size)}}
        for key, length in lengths.items()
        for n in range(length)
    ]
    fake = FakeDynamoDB()
    fake.add(TableDefinition("Generated", KeySchema.of(("pk", "S"), ("sk", "N"))), items)
    return fake


def test_no_item_is_read_twice() -> None:
    random = Random(1)
    lengths = {f"c{n}": random.choice([1, 7, 40, 300]) for n in range(40)}
    fake = giants(lengths, size=4000)  # of which one fits into 4 KB
    whole = run(fake, table="Generated", segments=3, take={"count": {}})
    assert whole.counts.items == sum(lengths.values())
    assert whole.plan.strategy is Strategy.PAGE
    some = run(fake, Bounds(pages=2), table="Generated", segments=3, take={"count": {"up_to": 100}})
    assert some.counts.items == sum(min(length, 101) for length in lengths.values())
    assert some.counts.lookups == 0


def test_small_groups_share_a_page() -> None:
    """As many items as fit into 4 KB cost the same as one, so a small bound makes no short pages."""
    few = run(giants(dict.fromkeys(map(str, range(200)), 2)), table="Generated", segments=1, take=count(1))
    assert few.counts.read_units < 200 * 0.5 / 4
    assert sum(line.counted.read_units for line in few.keys) == pytest.approx(few.counts.read_units, abs=1.0)


def test_a_range_of_any_size_goes_on_in_the_next_batch() -> None:
    fake = giants({"a": 40, "b": 3}, size=100_000)
    outcome = run(fake, Bounds(pages=1), table="Generated", segments=1, since=5, take={"count": {}}, strategy="skip")
    assert counted_lines(outcome) == {repr([{"S": "a"}]): (35, False)}
    assert outcome.counts.lookups >= 3
    assert len(outcome.states) >= outcome.counts.requests
    assert outcome.counts.items < 45


def test_a_budget_stops_within_a_group_and_loses_nothing() -> None:
    fake = giants({"a": 3000})
    plan = planned(fake, table="Generated", segments=1, workers=1, take={"count": {"up_to": 500}}, max_read_units=4)
    outcome = run(fake, Bounds(), table="Generated", segments=1, take={"count": {"up_to": 500}}, max_read_units=4)
    assert plan.limits.budget.read_units == 4
    (state,) = outcome.states
    reached = json.loads(state)
    assert reached["counts"]["keys"] == 0
    assert reached["cursors"][0]["counted"][0] > 100


@pytest.mark.parametrize(
    ("given_", "field", "value", "remedy", "rule"),
    [
        ({"take": {"count": 5}}, "take.count", 5, "", "with up_to$"),
        ({"take": {"count": {"up_to": 0}}}, "take.count.up_to", 0, "", "1 to 1000000000$"),
        ({"take": {"count": {"to": 1}}}, "take.count", {"to": 1}, "", "with up_to$"),
        ({"take": {"count": {}, "first": "all"}}, "take.count", {}, "take.count", "counts items or takes them"),
        ({"take": {"count": {}}, "strategy": "skip"}, "strategy", "skip", "strategy", "every item"),
    ],
)
def test_a_count_that_cannot_be_is_refused(
    given_: dict[str, Any], field: str, value: object, remedy: str, rule: str
) -> None:
    with refused(InputError, field, value, remedy, rule=rule):
        planned(customers(1, 1), table="Customers", **given_)
