"""A whole run over the strict fake: the right keys for any table and any segments."""

from itertools import repeat
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.pace.bounds import Bounds
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.error import validation_error
from tests.fakes.faults import EmptyPages, SkipIgnored
from tests.fakes.faulty import faulty
from tests.fakes.tables import GeneratedTable, indexed_tables, tables
from tests.fakes.turns import ListedRun, run

pytestmark = pytest.mark.slow

BOUNDS = st.builds(
    Bounds,
    pages=st.none() | st.integers(1, 7),
    keys=st.none() | st.integers(1, 7),
    bytes=st.none() | st.integers(1, 70),
)
SPLITS = st.sampled_from([(1, 1), (2, 1), (3, 3), (7, 2), (40, 4)])
ANY_TABLE = tables() | indexed_tables()


def listed(outcome: ListedRun) -> list[Any]:
    """The keys found, in the form of `GeneratedTable.partition_keys`, sorted."""
    names = [attribute.name for attribute in outcome.plan.source.partition_key]
    found = [dict(zip(names, key if len(names) > 1 else (key,), strict=True)) for key in outcome.keys]
    return sorted(found, key=repr)


def expected(table: GeneratedTable) -> list[Any]:
    return sorted(table.partition_keys(), key=repr)


def asked(table: GeneratedTable, split: tuple[int, int], **more: Any) -> dict[str, Any]:
    return {"table": "Generated", "index": table.index, "segments": split[0], "workers": split[1], **more}


@given(ANY_TABLE, SPLITS, BOUNDS, st.sampled_from(["auto", "page"]))
def test_finds_every_key_once_however_the_run_is_cut_up(
    table: GeneratedTable, split: tuple[int, int], bounds: Bounds, strategy: str
) -> None:
    outcome = run(table.load(FakeDynamoDB()), bounds, **asked(table, split, strategy=strategy))
    assert listed(outcome) == expected(table)
    assert outcome.counts.keys == len(outcome.keys)


@given(ANY_TABLE, SPLITS, BOUNDS, st.booleans())
def test_counts_are_what_the_requests_consumed(
    table: GeneratedTable, split: tuple[int, int], bounds: Bounds, consistent: bool
) -> None:
    client = faulty(table.load(FakeDynamoDB()))
    outcome = run(client, bounds, **asked(table, split, consistent_read=consistent and table.index is None))
    pages = [call.answer for call in client.calls if call.name == "scan"]
    assert outcome.counts.requests == len(pages)
    assert outcome.counts.items == sum(page["ScannedCount"] for page in pages)
    consumed = [page["ConsumedCapacity"]["CapacityUnits"] for page in pages]
    assert outcome.counts.read_units == sum(consumed)


@given(ANY_TABLE, SPLITS)
def test_a_run_does_not_depend_on_where_its_batches_end(table: GeneratedTable, split: tuple[int, int]) -> None:
    whole = run(table.load(FakeDynamoDB()), **asked(table, split))
    turned = run(table.load(FakeDynamoDB()), Bounds(pages=1), **asked(table, split))
    assert sorted(map(repr, turned.keys)) == sorted(map(repr, whole.keys))
    assert len(turned.states) == turned.counts.requests


@given(ANY_TABLE, SPLITS, BOUNDS)
def test_an_engine_that_ignores_skips_still_gives_every_key_once(
    table: GeneratedTable, split: tuple[int, int], bounds: Bounds
) -> None:
    outcome = run(SkipIgnored(table.load(FakeDynamoDB())), bounds, **asked(table, split))
    assert listed(outcome) == expected(table)


def test_an_engine_that_refuses_made_up_start_keys_is_paged(orders: FakeDynamoDB) -> None:
    def scan(honest: Any, asked: Any) -> Any:
        if MAXIMUM["S"] in asked.get("ExclusiveStartKey", {}).values():
            raise validation_error("The provided starting key is invalid", "Scan")
        return honest(**asked)

    outcome = run(faulty(orders, {"scan": repeat(scan)}), table="Orders", segments=3)
    assert len(outcome.keys) == len({key["S"] for key in outcome.keys}) == 20
    assert outcome.counts.skips_ignored == 3


def test_an_ignored_skip_is_counted_once_a_walk(orders: FakeDynamoDB) -> None:
    outcome = run(SkipIgnored(orders), Bounds(pages=1), table="Orders", segments=3)
    assert outcome.counts.skips_ignored == 3


@given(ANY_TABLE, SPLITS, BOUNDS)
def test_empty_pages_lose_nothing(table: GeneratedTable, split: tuple[int, int], bounds: Bounds) -> None:
    outcome = run(EmptyPages(table.load(FakeDynamoDB())), bounds, **asked(table, split))
    assert listed(outcome) == expected(table)


@given(ANY_TABLE, SPLITS)
def test_skipping_never_evaluates_more_items_than_there_are(table: GeneratedTable, split: tuple[int, int]) -> None:
    outcome = run(table.load(FakeDynamoDB()), **asked(table, split))
    assert outcome.counts.items <= len(table.items)
    assert outcome.counts.skips_ignored == 0


@pytest.mark.parametrize("threads", [1, 4])
def test_threads_share_a_batch(orders: FakeDynamoDB, threads: int) -> None:
    outcome = run(orders, Bounds(pages=9), threads=threads, table="Orders", segments=20)
    assert len(outcome.keys) == len({key["S"] for key in outcome.keys}) == 20


def test_one_giant_collection_costs_a_single_page_and_its_end(orders: FakeDynamoDB) -> None:
    definition = TableDefinition("Giant", KeySchema.of(("pk", "S"), ("sk", "N")))
    orders.add(definition, ({"pk": {"S": "all"}, "sk": {"N": str(n)}} for n in range(5000)))
    outcome = run(orders, table="Giant", segments=1)
    assert outcome.keys == [{"S": "all"}]
    assert (outcome.counts.requests, outcome.counts.read_units) == (2, 1.0)


def test_an_empty_table_has_no_keys(orders: FakeDynamoDB) -> None:
    orders.add(TableDefinition("Empty", KeySchema.of(("pk", "S"))))
    outcome = run(orders, table="Empty", segments=4)
    assert outcome.keys == []
    assert outcome.counts.requests == 4


@pytest.fixture
def orders() -> FakeDynamoDB:
    """Twenty customers with 1 to 20 orders of 1.5 KB each."""
    dynamodb = FakeDynamoDB()
    dynamodb.add(
        TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "S"))),
        (
            {"customer": {"S": f"c{customer}"}, "order": {"S": f"o{order}"}, "lines": {"B": bytes(1500)}}
            for customer in range(20)
            for order in range(customer + 1)
        ),
    )
    return dynamodb
