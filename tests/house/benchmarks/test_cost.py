"""The article's table as a formula bills what a stored one bills, and is listed for what the article says and less."""

from dataclasses import replace
from typing import Any

import pytest

from benchmarks.cost import FULL_SCAN, KEYS, SKIPSCAN, Run, cost, listed, script
from benchmarks.formula import COLLECTIONS, DAYS, INDEX, KINDS, TYPES, Formula, description
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.turns import run as stored_run

pytestmark = pytest.mark.engine

BLOG = TableDefinition("Blog", KeySchema.of(("pk", "S"), ("sk", "S")))
MEASURED = {"short": {"items": 8, "whole_ms": 0.2, "bare_ms": 1.0}, "long": {"items": 2_098, "whole_ms": 3.0}}


def stored(table: Formula) -> FakeDynamoDB:
    dynamodb = FakeDynamoDB()
    places = range(table.collections * len(table.sort_keys))
    items = [table._item(place) for place in places]
    rest = table.item_bytes - len("pkskrest") - len("customer-0000000000")
    dynamodb.add(BLOG, ({**item, "rest": {"B": bytes(rest - len(item["sk"]["S"]))}} for item in items))
    return dynamodb


@pytest.mark.parametrize(
    ("asked", "table"),
    [
        ({"strategy": "skip"}, Formula(40, DAYS[:9])),
        ({"strategy": "page"}, Formula(7, DAYS[:300], 2_000)),
        ({"strategy": "skip"}, Formula(60, DAYS[:1], 5_000)),
        ({"take": {"last": "all"}, "strategy": "skip"}, Formula(30, DAYS[:40])),
        ({"since": DAYS[38], "take": {"items": "all"}}, Formula(30, DAYS[:40], since=DAYS[38])),
        ({"delimiter": "#", "strategy": "skip"}, Formula(10, TYPES[::20])),
        ({"take": {"count": {"up_to": 20}}, "strategy": "skip"}, Formula(30, DAYS[:40])),
    ],
)
def test_a_run_consumes_what_it_does_on_a_stored_table(asked: dict[str, Any], table: Formula) -> None:
    outcome = stored_run(stored(table), table="Blog", segments=1, **asked)
    counts = listed(Run("any", "any", asked, table), outcome.plan, 1.0)
    known = outcome.counts
    assert (counts.keys, counts.items, counts.requests) == (known.keys, known.items, known.requests)
    assert counts.read_units == known.read_units


def test_segments_are_equal_shares_and_together_the_table() -> None:
    pages = [Formula(100, segments=9).page(segment, None, None) for segment in range(9)]
    keys = [{item["pk"]["S"] for item in page.items} for page in pages]
    assert sum(map(len, keys)) == len(set().union(*keys))
    decided = plan_listing(parse({"table": "Blog", "segments": 9, "workers": 1}), description(100))
    assert listed(Run(KEYS, SKIPSCAN, {}, Formula(100)), decided, 1.0).keys == 100


@pytest.mark.parametrize(
    ("asked", "table", "read_units"),
    [
        ({"strategy": "page"}, Formula(2_000), 125_000 * 1.025),
        ({"index": INDEX}, Formula.of_markers(2_000), 37.5 * 1.025),
        ({}, Formula(2_000), 1_000 * 1.02),
    ],
    ids=["full scan", "markers", "Skipscan"],
)
def test_the_table_is_listed_for_what_the_article_says(
    asked: dict[str, Any], table: Formula, read_units: float
) -> None:
    """A thousandth of its two million collections; segments end where they do in the whole table."""
    decided = replace(plan_listing(parse({"table": "Blog", **asked}), description(2_000)), segments=1, workers=1)
    counts = listed(Run(KEYS, SKIPSCAN, asked, table), decided, 1.0)
    assert counts.keys == 2_000
    assert 0.975 / 1.025 * read_units <= counts.read_units <= read_units


def test_the_script_reads_an_item_a_key_and_pays_for_reads_alone() -> None:
    found = script(MEASURED, share=1 / 1000)
    assert (found.read_units, found.requests) == (COLLECTIONS / 2 + 0.5, COLLECTIONS + 1)
    assert found.minutes == pytest.approx(COLLECTIONS * 0.006 / 60, rel=1e-4)
    assert found.dollars == pytest.approx(0.125, rel=1e-3)


@pytest.mark.parametrize(
    ("asked", "table", "units_a_line"),
    [
        ({}, Formula(COLLECTIONS), 0.53),
        ({"take": {"last": "all"}}, Formula(COLLECTIONS), 1.05),
        ({"since": DAYS[-1], "take": {"items": "all"}}, Formula(COLLECTIONS, since=DAYS[-1]), 0.53),
        ({"delimiter": "#"}, Formula(COLLECTIONS, TYPES), 0.53),
    ],
    ids=["keys", "last items", "last day", "types"],
)
def test_a_deployed_run_takes_about_a_page_for_each_line(
    asked: dict[str, Any], table: Formula, units_a_line: float
) -> None:
    """The goals: half a unit, the Query for a last item included, and what the Limit is learned with.

    A share is of whole collections: some 50 in each of the 20 segments of types, or one more in all of them.
    """
    found = cost(Run("any", SKIPSCAN, asked, table), MEASURED, share=1 / 2048)
    lines = COLLECTIONS * (len(KINDS) if table.sort_keys == TYPES else 1)
    assert found.lines == pytest.approx(lines, rel=0.006)
    assert 0.5 <= found.read_units / lines <= units_a_line
    assert found.dollars < 0.2 * lines / COLLECTIONS * (found.read_units / lines / 0.5)
    assert found.way != FULL_SCAN
