"""Earlier runs of the same keys, from their manifests."""

from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from typing import Any, cast

import pytest

from skipscan.aws.bucket import Bucket
from skipscan.listing.kind import LISTING
from skipscan.loop.results import Results
from skipscan.report.committed import StoredWork
from skipscan.report.listing import listing as reported
from skipscan.report.page import html_page
from skipscan.report.record import read_work
from skipscan.report.spread import earlier_runs
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import BUCKET, Machine


@pytest.fixture(autouse=True)
def trending_table(dynamodb: FakeDynamoDB) -> None:
    by_state = IndexDefinition("by-state", KeySchema.of(("state", "S"), ("sk", "S")))
    dynamodb.add(TableDefinition("T-1", KeySchema.of(("pk", "S"), ("sk", "S")), (by_state,)))


def run(listing: Machine, dynamodb: FakeDynamoDB, day: int, **document: str) -> Results:
    """Add a key to the table, and list it on a day of January."""
    dynamodb.table("T-1").put({"pk": {"S": f"key-{day}"}, "sk": {"S": "1"}, "state": {"S": "open"}})
    name = f"run-{day}"
    planned = listing.planned({"table": "T-1", "segments": 2, **document}, name, f"2026-01-{day:02d}T03:00:00.123Z")
    listing.finished(planned, [list(listing.turns(planned, worker))[-1]["report"] for worker in planned["workers"]])
    return Results(Bucket(cast(Any, listing.s3), BUCKET), LISTING.layout("skipscan", "T-1", name))


def page(results: Results) -> str:
    record = read_work(LISTING, StoredWork.of(results))
    return html_page(reported(record, earlier=earlier_runs(results, record)), datetime.now(UTC))


def keys_of(results: Results) -> Iterator[int]:
    return (earlier.keys for earlier in earlier_runs(results, read_work(LISTING, StoredWork.of(results))))


def test_a_report_has_the_runs_of_the_same_keys_before_it_oldest_first(
    listing: Machine, dynamodb: FakeDynamoDB
) -> None:
    first = run(listing, dynamodb, 1)
    run(listing, dynamodb, 2, index="by-state")
    third, fourth = run(listing, dynamodb, 3), run(listing, dynamodb, 4)
    assert list(keys_of(first)) == []
    assert list(keys_of(third)) == [1]  # neither a later run, nor one of the index
    assert list(keys_of(fourth)) == [1, 3]
    assert 'id="trend"' not in page(first)
    assert "4 keys, 1 more than in the run before." in unescape(page(fourth))
    assert "2026-01-03 03:00" in page(fourth)


def test_it_has_a_dozen_at_most(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    runs = [run(listing, dynamodb, day) for day in range(1, 15)]
    assert list(keys_of(runs[-1])) == list(range(3, 14)), "the eleven before the fourteenth"
    assert list(keys_of(runs[11])) == list(range(1, 12))


def test_a_removed_run_is_passed_over(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    runs = [run(listing, dynamodb, day) for day in (1, 2, 3)]
    del listing.s3.objects[runs[1].layout.manifest]
    assert list(keys_of(runs[2])) == [1]
