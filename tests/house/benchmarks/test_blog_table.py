"""The blog's table as a formula bills what a stored one bills, and is listed for what the blog says and less."""

import tracemalloc
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.blog_table import document
from benchmarks.blog_table.blog import limit_1
from benchmarks.blog_table.results import Results
from benchmarks.blog_table.scale import HEADS_PER_SECOND, Scale
from benchmarks.blog_table.table import INDEX, Shape, VirtualTable, description
from benchmarks.blog_table.turns import LAMBDA_SECONDS, turns
from skipscan.dynamodb.page import Page
from skipscan.lines.formats import encoder
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing
from skipscan.loop.storage import Part
from skipscan.loop.work import ExecutionId
from skipscan.pace.bounds import Bounds, Clock
from skipscan.scan.batch import Batch, Request
from skipscan.scan.progress import ScanProgress
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.turns import run as stored_run

pytestmark = pytest.mark.engine

BLOG = TableDefinition(
    "Blog",
    KeySchema.of(("pk", "S"), ("sk", "S")),
    (IndexDefinition(INDEX, KeySchema.of((INDEX, "S")), projection="KEYS_ONLY"),),
)
COLLECTIONS = 2_000
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
    virtual = turns(run, VirtualTable(outcome.plan.source, shape), [ScanProgress.start(outcome.plan, 0)], 0.0)
    assert virtual.counts == outcome.counts
    assert virtual.counts.keys == shape.collections


def test_segments_are_equal_shares_and_together_the_table() -> None:
    decided = plan_listing(parse({"table": "Blog", "segments": 9}), description(100))
    table = VirtualTable(decided.source, Shape.table(100), 9)
    keys = [{item["pk"]["S"] for item in table.page(segment, None, None).items} for segment in range(9)]
    assert sum(map(len, keys)) == len(set().union(*keys))
    virtual = turns(
        LISTING.begun(ExecutionId("any", "arn", "2026"), decided), table, [ScanProgress.start(decided, 0)], 0.0
    )
    assert virtual.counts.keys == 100


def test_a_batch_ends_when_its_time_is_up() -> None:
    decided = plan_listing(parse({"table": "Blog", "segments": 1}), description(100))
    table = VirtualTable(decided.source, Shape.table(100))
    virtual = turns(
        LISTING.begun(ExecutionId("any", "arn", "2026"), decided), table, [ScanProgress.start(decided, 0)], 24.0
    )
    assert virtual.turns == [11]
    assert virtual.extrapolated(1.0, 1, 24.0).turns == [11]


@pytest.mark.parametrize(
    ("asked", "shape", "read_units"),
    [
        ({"strategy": "page"}, Shape.table(COLLECTIONS), 125_000 * 1.025),
        ({"index": INDEX}, Shape.marker_index(COLLECTIONS), 37.5 * 1.025),
        ({}, Shape.table(COLLECTIONS), 1_000 * 1.02),
    ],
    ids=["full scan", "marker index", "Skipscan"],
)
def test_the_blogs_table_is_listed_for_what_the_blog_says(
    asked: dict[str, Any], shape: Shape, read_units: float
) -> None:
    """A thousandth of its two million collections; segments end where they do in the whole table."""
    decided = replace(plan_listing(parse({"table": "Blog", **asked}), description(COLLECTIONS)), segments=1, workers=1)
    table = VirtualTable(decided.source, shape)
    run = LISTING.begun(ExecutionId("any", "arn", "2026"), decided)
    counts = turns(run, table, [ScanProgress.start(decided, 0)], 0.0).counts
    assert counts.keys == COLLECTIONS
    assert 0.975 / 1.025 * read_units <= counts.read_units <= read_units


def test_the_blogs_own_sample_reads_an_item_a_key() -> None:
    source = plan_listing(parse({"table": "Blog"}), description(COLLECTIONS)).source
    table = VirtualTable(source, Shape.table(COLLECTIONS))
    pages: list[Page] = []

    def scan(asked: Mapping[str, Any]) -> Mapping[str, Any]:
        page = table.page(0, asked.get("ExclusiveStartKey"), asked["Limit"])
        pages.append(page)
        return {"LastEvaluatedKey": page.last_evaluated_key} if page.last_evaluated_key else {}

    assert len(list(limit_1(scan))) == COLLECTIONS + 1
    assert sum(page.read_units for page in pages) == COLLECTIONS / 2 + 0.5


def test_memory_does_not_grow_with_the_keys() -> None:
    """A batch holds its part and nothing else of what it found: a key takes 34 bytes in it."""
    keys = 24_000
    decided = plan_listing(parse({"table": "Blog", "segments": 64}), description(keys))
    table = VirtualTable(decided.source, Shape(keys, 1, 500), 64)
    progress, peaks, found = ScanProgress.start(decided, 0), [], 0
    tracemalloc.start()
    while not progress.done(decided):
        tracemalloc.reset_peak()
        part = Part(encoder(decided.source, decided.format))
        batch = Batch(decided, progress, bounds=Bounds(keys=4_000), clock=Clock(lambda: 0.0), write=part.write)
        while isinstance(request := batch.take(), Request):
            batch.give(request, table.scan(request))
        progress, found = batch.progress, found + part.lines
        peaks.append(tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()
    assert found == keys
    assert len(peaks) >= 5
    assert max(peaks) < 2 << 20
    assert peaks[-2] < 1.3 * peaks[1]


@pytest.mark.long
def test_scale_states_the_kept_figures() -> None:
    text = document.DOCUMENT.read_text()
    assert document.put_in(text, Results.load()) == text, "renew it: python -m benchmarks.blog_table.document"


def test_what_scale_says_of_ten_billion_keys_follows_from_the_results() -> None:
    results = Results.load()
    few, many = results.finish
    scale = Scale(results.tables[1][-1], (few, many), document.BILLIONS, 1000)
    text = " ".join(document.DOCUMENT.read_text().split())
    workers = document.TABLE_READ_UNITS_PER_SECOND / (scale.read_units_per_second / scale.workers)
    assert round(workers, -1) == 30
    assert "The table's read units, from about thirty workers." in text
    days = scale.read_units / document.TABLE_READ_UNITS_PER_SECOND / 86_400
    assert round(2 * days) == 3
    assert "at the quota, ten billion keys take a day and a half" in text
    kilobytes = 1000 * (many.peak_memory_mb - few.peak_memory_mb) / (many.parts - few.parts)
    by_memory = 1000 * (document.FINISH_MB - few.peak_memory_mb) / kilobytes
    by_time = LAMBDA_SECONDS / (1 / HEADS_PER_SECOND + many.cpu_seconds / many.parts)
    assert f"{kilobytes:.1f} KB for each part: enough for about {round(min(by_memory, by_time), -5):,.0f} |" in text
