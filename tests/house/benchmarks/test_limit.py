"""The policy meets its targets in the product's own runs, docs/limit.md states them, the arithmetic is DynamoDB's."""

from collections.abc import Sequence
from random import Random
from statistics import geometric_mean

import numpy as np
import pytest

from benchmarks.estimate.coverage import figures
from benchmarks.estimate.unseen import cases
from benchmarks.limit.clairvoyant import clairvoyant
from benchmarks.limit.document import PAGE, RESULTS, with_table
from benchmarks.limit.figures import NAMED_SHAPES, Row, measure, summary
from benchmarks.limit.fixed import best_fixed, fixed, full_scan
from benchmarks.limit.hindsight import hindsight, mean, our_costs, over
from benchmarks.limit.ours import ours
from benchmarks.limit.random_shapes import random_shapes
from benchmarks.limit.results import read
from benchmarks.limit.shapes import SHAPES, Shape
from benchmarks.limit.simulated import Simulated
from benchmarks.limit.table import STEP_BYTES, STEP_UNITS, Table
from benchmarks.limit.without import WITHOUT
from skipscan.scan.batch import Request
from skipscan.scan.cursor import Cursor
from skipscan.scan.groups import Groups
from skipscan.scan.walk import Walk
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.turns import planned, run
from tests.house.suite.examples import ALL

pytestmark = pytest.mark.engine


def test_the_page_states_the_kept_figures() -> None:
    page = PAGE.read_text()
    assert page == with_table(page, read(RESULTS)), "renew it: python -m benchmarks.limit --full"


SOME = [SHAPES[4 * lengths + lengths % 4] for lengths in range(6)]
"""Every spread of lengths once, with one size of items or another; the longest collections are left to the whole."""


def assert_targets(rows: Sequence[Row]) -> None:
    """Every figure is a count of pages and of 4 KB steps, so the same code has the same ones on any machine."""
    ratios = summary(rows)
    assert ratios["28: ours / best fixed, geometric mean"] <= 1.06
    assert ratios["28: ours / best fixed, worst"] <= 1.35
    assert ratios["28: ours / better static, worst"] <= 1.20
    assert ratios["28: Limit=1 / ours, read units"] >= 1.8
    assert ratios["28: Limit=1 / ours, requests"] >= 3.0


def test_the_policy_meets_its_targets_on_some_shapes() -> None:
    assert_targets(list(measure(5_000, 1, SOME)))


ONCE_BAD = (
    "all 30 x 140 B",
    "all 14 x 300 B",
    "Pareto 1.1 x 500±100 B",
    "long ones of 5 KB among short small ones",
    "geometric 10, first 3 KB, then 100 B",
    "all 27 x 150 B",
    "all 100 x 40 B",
    "20 to 36 x 150 B",
    "all 50 x log-normal 200 B, sigma 2",
    "geometric 3 x 1 % of 300 KB",
)
"""Shapes on which the policy or a change of it lost more than a fifth at 2,000 collections."""


def test_rare_large_items_do_not_keep_pages_short() -> None:
    """One item each, 1 of 100 of 300 KB, at 20,000 collections: pages were too short, 1.065 times a full scan."""
    shapes = [shape for shape in NAMED_SHAPES if shape.name == "all 1 x 1 % of 300 KB"]
    (row,) = measure(20_000, 1, shapes)
    assert max(row.to_fixed, row.to_static) <= 1.03


@pytest.mark.long
def test_the_policy_meets_its_targets_on_shapes_where_it_once_lost_most() -> None:
    shapes = [shape for shape in NAMED_SHAPES if shape.name in ONCE_BAD]
    measured = list(measure(2_000, 1, shapes))
    assert len(measured) == len(ONCE_BAD)
    assert max(row.to_fixed for row in measured) <= 1.25
    assert max(row.to_static for row in measured) <= 1.15


@pytest.mark.long
def test_the_policy_meets_its_targets_on_small_tables() -> None:
    """The goals are 1.10, 1.80 and 1.30; the first pages decide here. `make test` tries a third of the shapes."""
    shapes = [shape for shape in NAMED_SHAPES if not shape.name.startswith(SINGLE_GIANT)]
    measured = list(measure(300, 2, shapes if ALL else shapes[::3]))
    to_fixed = [row.to_fixed for row in measured]
    assert geometric_mean(to_fixed) <= 1.11
    assert max(to_fixed) <= 1.65
    assert max(row.to_static for row in measured) <= 1.42  # 300 items of 40 bytes: four steps, not three


SINGLE_GIANT = "one of "
"""How the names of shapes with a single giant among collections of one item begin."""


def test_a_single_giant_costs_the_ends_of_its_segments() -> None:
    """DescribeTable shows 128 MB: 16 segments, and each takes a page. They cost 9.28, the best fixed Limit 2.90."""
    shapes = [shape for shape in NAMED_SHAPES if shape.name.startswith(SINGLE_GIANT)]
    measured = list(measure(300, 1, shapes))
    assert len(measured) == 2
    for row in measured:
        ends = row.segments * (STEP_UNITS + row.request_units)
        assert ends < row.cost("ours") <= ends + row.cost("best_fixed")


def test_a_large_second_item_costs_few_tries() -> None:
    """1.24 times Limit=1, while a try counted as it was expected."""
    shapes = [shape for shape in NAMED_SHAPES if shape.name == "geometric 5, first 40 B, second 200 KB, then 60 B"]
    (row,) = measure(2_000, 1, shapes)
    assert row.to_static <= 1.04


def test_a_drawn_estimate_case_finds_all_figures() -> None:
    (case,) = cases(3, 1)
    names = {name for name, _, _ in figures(case)}
    assert {"keys", "skip scan, requests", "Limit=1, requests"} <= names
    assert sum(case.table.full_scan(1)[:1]) >= STEP_UNITS * case.table.size_bytes / STEP_BYTES


@pytest.mark.long
@pytest.mark.parametrize(("collections", "seed"), [(10_000, 1), (5_000, 2)])
def test_the_policy_meets_its_targets_on_all_shapes(collections: int, seed: int) -> None:
    assert_targets(list(measure(collections, seed, SHAPES)))


def test_there_are_the_28_shapes_and_forty_more_with_names_of_their_own() -> None:
    assert len(SHAPES) == 28
    assert len({shape.name for shape in NAMED_SHAPES}) == len(NAMED_SHAPES) >= 68
    names = {shape.name for shape in random_shapes(1, 40)}
    assert len(names) == 40
    assert not names & {shape.name for shape in random_shapes(2, 40)}


@pytest.mark.parametrize("shape", [SHAPES[1], SHAPES[4], SHAPES[10], SHAPES[19]], ids=str)
def test_nothing_is_cheaper_than_the_clairvoyant(shape: Shape) -> None:
    table = shape.table(500, seed=4)
    least = clairvoyant(table, 0.25).cost(0.25)
    assert least <= min(fixed(table, limit).bill.cost(0.25) for limit in (1, 2, 5, 12, 40, 150, 1000))
    assert least <= best_fixed(table, 0.25).bill.cost(0.25)
    assert least <= full_scan(table).cost(0.25)
    assert least <= ours(table, segments=1).bill.cost(0.25)


@pytest.mark.parametrize("shape", [SHAPES[2], SHAPES[5], SHAPES[14], SHAPES[17]], ids=str)
def test_the_best_fixed_limit_is_the_best_of_all(shape: Shape) -> None:
    """All Limits are tried here; the benchmark tries some."""
    table = shape.table(300, seed=5)
    longest = int((table.full - table.starts).max())
    best = min(fixed(table, limit).bill.cost(0.25) for limit in range(1, longest + 1))
    assert best <= best_fixed(table, 0.25).bill.cost(0.25) <= 1.01 * best


def test_pages_are_billed_as_a_scan_is() -> None:
    """The whole path over the strict fake consumes, request by request, what the simulated table says."""
    collections, items, item_bytes = 300, 3, 700
    dynamodb = FakeDynamoDB()
    stored = dynamodb.add(
        TableDefinition("Same", KeySchema.of(("pk", "S"), ("sk", "S"))),
        (
            {"pk": {"S": f"{pk:03d}"}, "sk": {"S": f"{sk}"}, "rest": {"B": bytes(item_bytes)}}
            for pk in range(collections)
            for sk in range(items)
        ),
    )
    (size_bytes,) = {entry.size_bytes for entry in stored.views[None].entries}
    counts = run(dynamodb, table="Same", segments=1).counts
    table = Table.of(np.full(collections, items), np.full(collections * items, size_bytes))
    is_known = planned(dynamodb, table="Same").item_bytes > 0
    assert (counts.read_units, counts.requests) == ours(table, segments=1, is_known=is_known).bill


def test_segments_hold_every_item_once_whatever_the_limits() -> None:
    random = Random(3)
    table = SHAPES[9].table(200, seed=3)
    simulated = Simulated(table, 7, seed=3)
    items, source = 0, planned(_keys_of_numbers(), table="Numbers").source
    for segment in range(7):
        walk = Walk(Groups(source), Cursor(segment, skipping=False))
        while not walk.finished:
            page = simulated.scan(Request(walk, segment, walk.start_key, random.choice([None, 1, 2, 7, 100])))
            walk.receive(page)
            items += len(page.items)
    assert items == table.items


def _keys_of_numbers() -> FakeDynamoDB:
    dynamodb = FakeDynamoDB()
    dynamodb.add(TableDefinition("Numbers", KeySchema.of(("pk", "N"), ("sk", "N"))), ())
    return dynamodb


def test_hindsight_explains_a_part_of_the_worst_rows() -> None:
    """A Limit chosen for the shape, before the table is known, can cost 4.75 times the best one of that table."""
    (shape,) = (shape for shape in NAMED_SHAPES if shape.name == "geometric 3 x 1 % of 300 KB")
    found = hindsight(shape, 300)
    assert mean(found.ratios) == pytest.approx(1.35, abs=0.01)
    assert max(found.ratios) == pytest.approx(4.75, abs=0.01)
    assert min(found.ratios) >= 0.99


@pytest.mark.long
def test_costs_little_more_than_the_best_limit_of_a_shape_whose_best_is_chance() -> None:
    """Nobody who does not know the table costs less on average than the best Limit of its shape."""
    (shape,) = (shape for shape in NAMED_SHAPES if shape.name == "geometric 3 x 1 % of 300 KB")
    found, costs = hindsight(shape, 300), our_costs(shape, 300)
    assert sum(costs) == pytest.approx(1.044 * sum(found.costs), rel=0.005)
    assert mean(over(costs, found.least)) == pytest.approx(1.37, abs=0.01)
    assert max(over(costs, found.least)) == pytest.approx(2.64, abs=0.01)


@pytest.mark.long
def test_the_worst_row_is_not_hindsight() -> None:
    (shape,) = (shape for shape in NAMED_SHAPES if shape.name == "1 % giants x 60 B")
    assert mean(hindsight(shape, 300).ratios) == pytest.approx(1.01, abs=0.01)


@pytest.mark.parametrize("rule", WITHOUT)
def test_a_rule_without_which_limits_are_compared_is_one_of_the_policy_s(rule: str) -> None:
    """A rule that is renamed cannot be taken out; one that is taken out leaves a policy that lists every key."""
    with WITHOUT[rule]():
        [shape] = [shape for shape in SHAPES if shape.name == "geometric 3 x 500±100 B"]
        assert ours(shape.table(300, 1)).bill.requests > 1
