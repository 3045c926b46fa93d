"""docs/first-items.md states the kept figures, and tables are listed for what arithmetic says."""

from typing import Any

import pytest

from benchmarks.blog_table import COLLECTIONS
from benchmarks.first_items.blog import walked
from benchmarks.first_items.document import DOCUMENT, put_in
from benchmarks.first_items.results import Results
from benchmarks.first_items.way import EXPORT, KEYS, KNOWN, LAST, THEN, WHOLE, Way
from skipscan.dynamodb.prices import US_EAST_1
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.turns import run

pytestmark = pytest.mark.engine

KEPT = Results.load()
NAMES = [KEYS, LAST, KNOWN, THEN, WHOLE, EXPORT]


def test_the_page_states_the_kept_figures() -> None:
    text = DOCUMENT.read_text()
    assert put_in(text, KEPT) == text, "renew it: python -m benchmarks.first_items.document"


@pytest.mark.parametrize("ways", [KEPT.demo, KEPT.blog], ids=["demo", "blog"])
def test_the_page_has_every_way(ways: list[Way]) -> None:
    """About the document: what last items may cost is measured below."""
    assert [way.name for way in ways] == NAMES


@pytest.mark.parametrize("items", [30, 200])
def test_last_items_cost_at_most_the_keys_and_a_query_for_each(items: int) -> None:
    """Exact counts of a small table; today 1.00 times the keys and a Query for each, in read units and in requests."""
    dynamodb, collections = FakeDynamoDB(), 100
    dynamodb.add(
        TableDefinition("Orders", KeySchema.of(("pk", "S"), ("sk", "N"))),
        (
            {"pk": {"S": f"{pk:03d}"}, "sk": {"N": f"{sk}"}, "rest": {"B": bytes(380)}}
            for pk in range(collections)
            for sk in range(items)
        ),
    )

    def listed(**asked: Any) -> tuple[float, int]:
        outcome = run(dynamodb, table="Orders", segments=1, **asked)
        assert len(outcome.keys) == collections
        return outcome.counts.read_units, outcome.counts.requests

    queries = [
        dynamodb.query(
            TableName="Orders",
            KeyConditionExpression="#pk = :key",
            ExpressionAttributeNames={"#pk": "pk"},
            ExpressionAttributeValues={":key": {"S": f"{pk:03d}"}},
            ScanIndexForward=False,
            Limit=1,
            ReturnConsumedCapacity="TOTAL",
        )["ConsumedCapacity"]["CapacityUnits"]
        for pk in range(collections)
    ]
    keys, last = listed(), listed(take={"last": "all"})
    whole = sum(entry.size_bytes for entry in dynamodb.table("Orders").views[None].entries) / 8192
    assert keys[0] < last[0] <= 1.02 * (keys[0] + sum(queries)) < whole
    assert last[1] <= 1.02 * (keys[1] + collections)


@pytest.mark.long
def test_a_page_of_the_blogs_table_needs_a_query_and_the_last_of_a_segment_none() -> None:
    keys, last = (walked(1 / 256, asked).counts for asked in ({}, {"take": {"last": "all"}}))
    assert keys.keys == pytest.approx(COLLECTIONS, rel=0.001)
    assert last.keys == pytest.approx(COLLECTIONS, rel=0.001)
    assert last.read_units == pytest.approx(2 * COLLECTIONS / 2, rel=0.02)
    assert last.requests == pytest.approx(2 * last.keys, rel=0.02)
    assert keys.read_units == pytest.approx(COLLECTIONS / 2, rel=0.02)


def test_a_script_pays_for_units_and_a_job_for_all() -> None:
    script, job = (Way("any", 1e6, 1_000_000, 600.0, workers=workers) for workers in (0, 4))
    assert script.dollars == pytest.approx(US_EAST_1.read_units.of(1e6))
    assert job.dollars > script.dollars + 4 * 600 * 2e-5
    assert job.then(script, "both").dollars == pytest.approx(job.dollars + script.dollars)
    assert Way.exported(1e12).dollars == pytest.approx(105.0)
