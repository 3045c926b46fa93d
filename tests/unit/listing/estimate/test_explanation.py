"""The explanation of a plan, and its warnings."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.library.stream import given_keys
from skipscan.listing.estimate.cost import UNIT_SECONDS, Concurrency, unit_seconds
from skipscan.listing.estimate.explanation import Explanation, explain
from skipscan.listing.estimate.offer import SAMPLED
from skipscan.listing.estimate.warning import costly_queries
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.sample.interval import Interval
from tests.unit.sample.hashed_table import HashedTable
from tests.unit.sample.random_table import run
from tests.unit.sample.sampled import sampled

pytestmark = pytest.mark.slow


def explained(table: HashedTable, given: Mapping[str, Any] | None = None, **more: Any) -> Explanation:
    """Return the explanation of a table with DescribeTable's answer changed by `more`, and the input by `given`."""
    description = TableDescription.from_json({**described(table), **more})
    asked = parse({"table": "Hashed", "dry_run": True, **(given or {})})
    decided = plan_listing(asked, description)
    sample = sampled(table, decided, knows=bool(description.size_bytes))
    return explain(asked, decided, description, sample=sample)


def described(table: HashedTable) -> Mapping[str, Any]:
    return {
        "TableStatus": "ACTIVE",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "N"} for name in ("pk", "sk", "marker")],
        "ItemCount": table.items,
        "TableSizeBytes": table.size_bytes,
    }


def table(keys: int, items: int, item_bytes: int = 500) -> HashedTable:
    return HashedTable.spread(np.full(keys, items), np.full(keys, item_bytes), seed=2)


def test_an_empty_table_has_a_plan_and_no_size_to_wait_for() -> None:
    document = explained(table(0, 1)).to_json()
    assert document["keys"] == {"estimate": 0, "low": 0, "high": 0}
    assert (document["choice"]["segments"], document["choice"]["workers"]) == (1, 1)
    empty, unknown = explained(table(0, 0)), explained(table(3_000, 20), TableSizeBytes=0, ItemCount=0)
    assert empty.reason == "A skip scan takes 0.5 read units."
    assert empty.warnings == []
    assert unknown.reason.endswith("; what a full scan takes is not known yet.")
    assert any("DescribeTable does not show the table's size yet" in warning for warning in unknown.warnings)


def test_provisioned_capacity_costs_nothing_more_and_is_warned_of() -> None:
    explanation = explained(table(20_000, 100), ProvisionedThroughput={"ReadCapacityUnits": 100})
    assert explanation.chosen
    assert explanation.chosen.bill.read_units == 0
    assert explanation.chosen.minutes
    assert explanation.chosen.minutes > explanation.chosen.read_units.estimate / 100 / 60
    [said] = [warning for warning in explanation.warnings if "100 read units a second" in warning]
    assert re.search(r"equivalent of \d+ min \d\d s of the whole", said)
    small = explained(table(10, 10), ProvisionedThroughput={"ReadCapacityUnits": 100})
    assert any("equivalent of 0.03 s of the whole" in warning for warning in small.warnings)
    least = explained(table(10, 10), ProvisionedThroughput={"ReadCapacityUnits": 1})
    assert any("capacity: 1 read unit a second" in warning for warning in least.warnings)


def test_the_document_has_price_dates_sample_and_intervals() -> None:
    document = explained(table(20_000, 100)).to_json()
    assert document["prices"]["read_units"]["as_of"] == US_EAST_1.read_units.as_of
    assert document["choice"]["expected"]["sample_read_units"] == document["sample"]["read_units"] > 0
    assert not document["sample"]["is_exact"]
    key = {"partition_key": [{"name": "pk", "type": "N"}], "sort_key": [{"name": "sk", "type": "N"}]}
    expected = {**key, "kind": "table", "items": 20_000 * 100, "served_read_units": 12_000}
    assert document["facts"] == {**document["facts"], **expected}
    assert document["keys"]["low"] < document["keys"]["estimate"] < document["keys"]["high"]
    sampled_ways = {way["strategy"]: way["basis"] == SAMPLED for way in document["strategies"]}
    assert sampled_ways == {"skip scan": True, "skip scan, Limit=1": True, "full scan": False}


def test_dollars_add_up_and_grow_with_what_is_read() -> None:
    four = table(10, 10).plan(workers=4)
    concurrency = Concurrency(four, 12_000)
    small, large = concurrency.bill(1000, 2000), concurrency.bill(1_000_000, 2_000_000)
    assert large.read_units == pytest.approx(0.125)
    assert small.total < large.total
    assert large.total == pytest.approx(sum(vars(large).values()), rel=1e-3)
    keys, items = (explained(table(10, 10), take).plan for take in ({}, {"take": {"items": "all"}}))
    assert unit_seconds(items) > unit_seconds(keys) == UNIT_SECONDS
    alone = Concurrency(replace(four, workers=1), 12_000)
    assert alone.seconds(1000, 2000) == pytest.approx(4 * concurrency.seconds(1000, 2000))


def test_the_sample_looks_for_the_range() -> None:
    """A collection in which it is empty has no line, and takes a page all the same."""
    held = replace(table(500, 1000), shows_sort_keys=True)
    ranged, empty = (explained(held, given) for given in ({"since": 600}, {"since": 5000}))
    assert ranged.sample.keys.low <= 500 <= ranged.sample.keys.high
    assert empty.sample.keys.estimate == 0
    for explanation in (ranged, empty):
        assert explanation.chosen
        took = run(held, replace(explanation.plan, workers=1))
        assert explanation.chosen.read_units.low <= took.read_units <= explanation.chosen.read_units.high
        assert explanation.chosen.requests.low <= took.requests <= explanation.chosen.requests.high


def unbounded(document: Any) -> bool:
    """Tell whether any interval in a document has no upper end."""
    if isinstance(document, Mapping):
        return ("high" in document and document["high"] is None) or any(map(unbounded, document.values()))
    return isinstance(document, list) and any(map(unbounded, document))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("pages", [1, 18, 40, 200])
@pytest.mark.parametrize("counted", [{}, {"ItemCount": 0, "TableSizeBytes": 0}], ids=["counted", "new"])
@pytest.mark.parametrize("strategy", ["auto", "page"])
def test_what_a_short_sample_cannot_bound_is_said_with_what_would_bound_it(
    strategy: str, counted: dict[str, int], pages: int
) -> None:
    """A sample ends after 90 seconds, wherever it is then."""
    long = table(20_000, 100)
    description = TableDescription.from_json({**described(long), **counted})
    asked = parse({"table": "Hashed", "dry_run": True, "strategy": strategy})
    decided = plan_listing(asked, description)
    sample = sampled(long, decided, knows=not counted, most_pages=pages)
    explanation = explain(asked, decided, description, sample=sample)
    document, said = explanation.to_json(), " ".join(explanation.warnings)
    bounds_keys = "DescribeTable counts " in said and "gives no upper bound for the number of keys" in said
    assert (document["keys"]["high"] is None) == bounds_keys == (not any(walk.ended for walk in sample.seen))
    full = [row for row in document["strategies"] if row["strategy"] == "full scan"]
    assert (not full or unbounded(full)) == ("It shows the size within about six hours of a write" in said)
    assert unbounded(document) <= (bounds_keys or unbounded(full))


def given_keys_explained(over: HashedTable, keys: int, **more: Any) -> Explanation:
    """Return the explanation of a run of the keys 0 to `keys`."""
    description = TableDescription.from_json(described(over))
    body = b"".join(b"%d\n" % number for number in range(keys))
    asked = parse({"table": "Hashed", "dry_run": True, "only": body, **more})
    decided = plan_listing(asked, description, only=given_keys(asked, description).only)
    return explain(asked, decided, description, sample=sampled(over, replace(decided, only=None)))


def test_given_keys_take_a_query_each_beside_what_all_keys_take() -> None:
    explanation = given_keys_explained(table(20_000, 1000), 40)
    assert explanation.chosen == explanation.offers["queries"]
    assert (explanation.chosen.strategy, explanation.chosen.read_units) == ("queries", Interval(20.0, 20.0, 40.0))
    assert (explanation.lines, explanation.plan.segments) == (Interval(40, 0.0, 40), 40)
    all_keys = r"a skip scan of all keys takes [\d,]+ read units; a full scan of all keys takes [\d,]+ read units"
    assert re.fullmatch(rf"Queries of 40 keys take 20 read units; {all_keys}\.", explanation.reason)
    assert [*explanation.offers][:3] == ["queries", "skip scan", "skip scan, Limit=1"]


def test_the_items_of_given_keys_take_their_part_of_all() -> None:
    explanation = given_keys_explained(table(2_000, 100), 20, take={"items": "all"})
    assert explanation.chosen
    units, all_ = explanation.chosen.read_units, 2_000 * 100 * 500 / 4096 / 2
    assert units.low == 10.0
    assert units.estimate == pytest.approx(all_ / 100, rel=0.5)
    assert all_ < units.high < 3 * all_
    assert explanation.lines.estimate == pytest.approx(20 * 100, rel=0.5)


def test_queries_of_too_many_keys_are_called_costly() -> None:
    many = given_keys_explained(table(2_000, 1), 1_000)
    assert re.search("take 500 read units; a skip scan of all keys takes 1..? read units", many.reason)
    [said] = [warning for warning in many.warnings if warning.startswith("Queries")]
    assert "at least 500 read units" in said
    few = given_keys_explained(table(2_000, 1), 10)
    assert not [*costly_queries(few.plan, few.facts)]
    assert not [*costly_queries(replace(many.plan, only=None), many.facts)]
