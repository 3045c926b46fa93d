"""The blog's table as a formula bills what a stored one bills; the figures in the documents are those kept."""

import pytest

from benchmarks.blog_table import document
from benchmarks.blog_table.results import Results
from benchmarks.blog_table.table import INDEX, Shape, VirtualTable, description
from benchmarks.blog_table.turns import turns
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.loop.work import ExecutionId
from skipscan.scan.plan import plan
from skipscan.scan.progress import Progress
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.unit.turns import run as stored_run

BLOG = TableDefinition(
    "Blog",
    KeySchema.of(("pk", "S"), ("sk", "S")),
    (IndexDefinition(INDEX, KeySchema.of((INDEX, "S")), projection="KEYS_ONLY"),),
)
NAMES_BYTES = len("pk" + "customer-0000000000" + "sk" + "0000" + "rest")


def stored(shape: Shape) -> FakeDynamoDB:
    dynamodb = FakeDynamoDB()
    dynamodb.add(
        BLOG,
        (
            {
                "pk": {"S": f"customer-{collection:010d}"},
                "sk": {"S": f"{item:04d}"},
                "rest": {"B": bytes(shape.item_bytes - NAMES_BYTES)},
            }
            for collection in range(shape.collections)
            for item in range(shape.length)
        ),
    )
    return dynamodb


@pytest.mark.parametrize("strategy", ["skip", "page"])
@pytest.mark.parametrize("shape", [Shape(40, 9, 500), Shape(7, 300, 2000), Shape(60, 1, 5000)])
def test_a_run_consumes_what_it_does_on_a_stored_table(shape: Shape, strategy: str) -> None:
    outcome = stored_run(stored(shape), table="Blog", strategy=strategy, segments=1)
    run = LISTING.begun(ExecutionId("any", "arn", "2026-01-01"), outcome.plan)
    virtual = turns(run, VirtualTable(outcome.plan.source, shape), [Progress.start(outcome.plan, 0)], 0.0)
    assert virtual.counts == outcome.counts
    assert virtual.counts.keys == shape.collections


def test_segments_are_equal_shares_and_together_the_table() -> None:
    decided = plan(parse({"table": "Blog", "segments": 9}), description(100))
    table = VirtualTable(decided.source, Shape.table(100), 9)
    keys = [{item["pk"]["S"] for item in table.page(segment, None, None).items} for segment in range(9)]
    assert sum(map(len, keys)) == len(set().union(*keys))
    virtual = turns(LISTING.begun(ExecutionId("any", "arn", "2026"), decided), table, [Progress.start(decided, 0)], 0.0)
    assert virtual.counts.keys == 100


def test_a_batch_ends_when_its_time_is_up() -> None:
    decided = plan(parse({"table": "Blog", "segments": 1}), description(100))
    table = VirtualTable(decided.source, Shape.table(100))
    virtual = turns(
        LISTING.begun(ExecutionId("any", "arn", "2026"), decided), table, [Progress.start(decided, 0)], 24.0
    )
    assert virtual.turns == [11]
    assert virtual.extrapolated(1.0, 1, 24.0).turns == [11]


def test_the_kept_figures_are_those_of_the_blog() -> None:
    full_scan, marker_index, skip, ours = Results.load().tables[0]
    assert full_scan.read_units == pytest.approx(125_000_000, rel=0.025)
    assert marker_index.read_units == pytest.approx(37_500, rel=0.025)
    assert skip.read_units == 1_000_000.5
    assert ours.read_units == pytest.approx(1_000_000, rel=0.01)
    assert [way.keys for way in (full_scan, marker_index, ours)] == [2_000_000] * 3
    assert [way.share for way in (full_scan, marker_index, ours)] == [1.0] * 3


def test_memory_stays_below_200_mb_however_many_keys() -> None:
    for table in Results.load().tables:
        for way in table:
            if way.peak_memory_mb is not None and way.first_batch_memory_mb is not None:
                assert way.peak_memory_mb < 200
                assert way.peak_memory_mb - way.first_batch_memory_mb < 20


def test_scale_states_the_kept_figures() -> None:
    text = document.DOCUMENT.read_text()
    assert document.put_in(text, Results.load()) == text, "renew it: python -m benchmarks.blog_table.document"
