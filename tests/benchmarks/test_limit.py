"""The figures in docs/limit.md are the kept ones, they meet the targets, and the arithmetic is DynamoDB's."""

import numpy as np
import pytest

from benchmarks.limit.bill import Bill
from benchmarks.limit.clairvoyant import clairvoyant
from benchmarks.limit.document import PAGE, RESULTS, with_block
from benchmarks.limit.figures import summary
from benchmarks.limit.fixed import every_fixed, full_scan
from benchmarks.limit.ours import ours
from benchmarks.limit.results import read
from benchmarks.limit.shapes import SHAPES, Shape
from benchmarks.limit.table import Table
from skipscan.scan.limit.policy import LimitPolicy
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.unit.turns import planned, run


def test_the_page_states_the_kept_figures() -> None:
    page = PAGE.read_text()
    assert page == with_block(page, read(RESULTS)), "renew it: python -m benchmarks.limit --full"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_kept_figures_meet_the_targets(seed: int) -> None:
    rows = [row for row in read(RESULTS) if row.collections == 20_000 and row.seed == seed]
    for ratios in summary(rows).values():
        assert ratios["ours_vs_best_fixed_geomean"] <= 1.05
        assert ratios["ours_vs_best_fixed_worst"] <= 1.15
        assert ratios["ours_vs_better_static_worst"] <= 1.03
        assert ratios["blog_vs_ours_read_units_geomean"] >= 2.0
        assert ratios["blog_vs_ours_requests_geomean"] >= 6.0


@pytest.mark.parametrize("shape", [SHAPES[1], SHAPES[4], SHAPES[10], SHAPES[19]], ids=str)
def test_nothing_is_cheaper_than_the_clairvoyant(shape: Shape) -> None:
    table = shape.table(500, seed=4)
    least = clairvoyant(table, 0.25).cost(0.25)
    assert least <= min(each.bill.cost(0.25) for each in every_fixed(table))
    assert least <= full_scan(table).cost(0.25)
    assert least <= Bill.of([page.steps for page in ours(table, LimitPolicy())]).cost(0.25)


def test_pages_are_billed_as_a_scan_is() -> None:
    """The whole path over the strict fake consumes, request by request, what the arithmetic says."""
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
    bill = Bill.of([page.steps for page in ours(table, LimitPolicy.of(planned(dynamodb, table="Same")))])
    assert (counts.read_units, counts.requests) == bill
