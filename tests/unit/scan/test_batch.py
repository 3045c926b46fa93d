"""A batch's pages and end, and that the order of answers changes nothing."""

import json
import tracemalloc
from itertools import repeat
from time import monotonic
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.pace.bounds import Bounds, Clock, Pause
from skipscan.pace.pace import Fault
from skipscan.pace.progress import Progress
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import WALKS
from skipscan.scan.progress import ScanCounts, ScanPosition, first_progress
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.error import validation_error
from tests.fakes.faulty import faulty
from tests.fakes.tables import GeneratedTable
from tests.fakes.turns import ListedRun, run
from tests.unit.scan.take.test_take import ANY_TABLE, asked
from tests.unit.scan.worker import KEY_BYTES, ORDERS, Worker, after_the_start, page, taken  # noqa: F401 (a fixture)


@pytest.mark.parametrize(
    ("bounds", "pages"),
    [({"pages": 3}, 3), ({"keys": 5}, 3), ({"bytes": 45}, 3), ({"bytes": 41}, 3), ({"bytes": 40}, 2)],
)
def test_ends_at_whichever_bound_comes_first(bounds: dict[str, Any], pages: int) -> None:
    """Pages of two keys, twenty bytes."""
    batch = Worker(segments=1, workers=1).batch(worker=0, **bounds)
    for number in range(pages):
        batch.give(taken(batch), page(f"{number}a", f"{number}b", last=f"{number}b"))
    assert batch.take() is None
    assert batch.counts.requests == pages


@pytest.mark.parametrize("bounds", [{"keys": 20}, {"bytes": 20 * KEY_BYTES}])
def test_pages_under_way_count_as_much_as_the_mean_of_those_before(bounds: dict[str, Any]) -> None:
    """Or as many full pages as there are walks would come after the bound: a batch four times as large."""
    batch = Worker(workers=1).batch(worker=0, **bounds)
    batch.give(taken(batch), page(*"abcde", last="e"))
    under_way = [taken(batch) for _ in range(3)]
    assert (batch.take(), batch.concurrency) == (None, 3)
    batch.give(under_way[0], page("f", last="f"))  # fewer than expected: the batch goes on
    under_way.append(taken(batch))
    for request in under_way[1:]:
        batch.give(request, page(*"ghijk", last="k"))
    assert batch.counts.keys == 21
    assert batch.take() is None


@pytest.mark.parametrize("fault", [Fault.PASSING, Fault.KEY_RANGE, Fault.CAPACITY])
def test_the_profile_shows_when_requests_were_throttled(fault: Fault) -> None:
    worker = Worker(segments=1, workers=1)
    batch = worker.batch(worker=0)
    batch.fail(taken(batch), fault)
    assert [slot[3] for slot in batch.profile["slots"]] == ([] if fault is Fault.PASSING else [1])


def test_waits_are_random_only_with_jitter() -> None:
    worker = Worker(segments=1, workers=1)
    start = first_progress(worker.plan, 0)
    batch = Batch(worker.plan, start, bounds=Bounds(), clock=Clock(lambda: worker.now), write=len)
    assert batch.fail(taken(batch), Fault.CAPACITY)
    step = batch.take()
    assert isinstance(step, Pause)
    assert step.seconds == pytest.approx(0.1)


def test_a_batch_waits_for_the_first_of_its_hot_walks() -> None:
    worker = Worker(segments=2, workers=1)
    batch = worker.batch(worker=0)
    often, once = taken(batch), taken(batch)
    for wait in (0.1, 0.2):
        assert batch.fail(often, Fault.KEY_RANGE)
        worker.now += wait
        assert taken(batch).segment == often.segment
    assert batch.fail(often, Fault.KEY_RANGE)  # its next wait is 0.4 s
    assert batch.fail(once, Fault.KEY_RANGE)
    step = batch.take()
    assert isinstance(step, Pause)
    assert step.seconds == pytest.approx(0.1)


def test_a_page_that_the_rate_puts_off_is_the_one_that_comes_later() -> None:
    """A Limit is chosen once: choosing again would try other Limits the longer a page has to wait."""
    worker = Worker(segments=2, workers=1, max_read_units_per_second=5)
    batch = worker.batch(worker=0)
    first = taken(batch)
    worker.now += 60.0
    assert isinstance(batch.take(), Pause)
    waiting = batch._put_off
    assert waiting
    burst = worker.plan.limits.reads.burst(1) or 0
    assert waiting.booking.ceiling.read_units + first.booking.ceiling.read_units > burst
    batch.give(first, page("a"))
    assert taken(batch) is waiting


DESCRIPTION = TableDescription.from_json(
    {
        "TableName": "Held",
        "TableStatus": "ACTIVE",
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("id", "sk")],
        "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
    }
)


def held(page_items: int, *, nested: int = 0) -> tuple[int, float, float]:
    """Return how many pages a batch holds far from the table, their megabytes, and those at the worst moment.

    `nested`: a list of so many nothings in each item. DynamoDB counts two bytes for each.
    """
    asked = parse({"table": "Held", "segments": 1024, "workers": 1, "take": {"last": "all"}})
    batch = Batch(
        plan_listing(asked, DESCRIPTION),
        Progress(0, ScanPosition(), ScanCounts()),
        bounds=Bounds(),
        clock=Clock(monotonic),
        write=len,
    )
    batch._width.walks = batch._width.ceiling  # as wide as it becomes far away
    attributes = {name: {"S": f"{name} of an item"} for name in ("resource", "action", "person", "time")}
    more = {"list": {"L": [{"NULL": True}] * nested}} if nested else {}
    items = [{"id": {"S": f"{number:06d}"}, "sk": {"S": "1"}, **attributes, **more} for number in range(page_items)]
    answer = json.dumps(items)
    tracemalloc.start()
    requests = list(iter(batch.take, None))
    for request in requests:
        assert isinstance(request, Request)
        found = json.loads(answer)
        batch.give(request, Page(found, {name: found[-1][name] for name in ("id", "sk")}, 128.5))
        del found
    kept, peak = (taken / (1 << 20) for taken in tracemalloc.get_traced_memory())
    tracemalloc.stop()
    return len(requests), kept, peak


@pytest.mark.long
def test_nested_pages_are_held_as_bytes() -> None:
    """As objects, 16 pages of 1 MB took 999 MB; as bytes 42."""
    pages, kept, peak = held(2, nested=25_000)
    assert pages == WALKS
    assert kept < 10
    assert peak < 40


BOUNDS = st.builds(
    Bounds,
    pages=st.none() | st.integers(1, 7),
    keys=st.none() | st.integers(1, 7),
    bytes=st.none() | st.integers(1, 70),
)
SPLITS = st.sampled_from([(1, 1), (2, 1), (3, 3), (7, 2), (40, 4)])


def listed(outcome: ListedRun) -> list[Any]:
    """The keys found, in the form of `GeneratedTable.partition_keys`, sorted."""
    names = [attribute.name for attribute in outcome.plan.source.partition_key]
    found = [dict(zip(names, key if len(names) > 1 else (key,), strict=True)) for key in outcome.keys]
    return sorted(found, key=repr)


def expected(table: GeneratedTable) -> list[Any]:
    return sorted(table.partition_keys(), key=repr)


@pytest.mark.slow
@given(ANY_TABLE, SPLITS, BOUNDS, st.sampled_from(["auto", "page"]))
def test_finds_every_key_once_however_the_run_is_cut_up(
    table: GeneratedTable, split: tuple[int, int], bounds: Bounds, strategy: str
) -> None:
    outcome = run(table.load(FakeDynamoDB()), bounds, **asked(table, split, strategy=strategy))
    assert listed(outcome) == expected(table)
    assert outcome.counts.keys == len(outcome.keys)


def test_an_engine_that_refuses_made_up_start_keys_is_paged(orders: FakeDynamoDB) -> None:
    def scan(honest: Any, asked: Any) -> Any:
        if MAXIMUM["S"] in asked.get("ExclusiveStartKey", {}).values():
            raise validation_error("The provided starting key is invalid", "Scan")
        return honest(**asked)

    outcome = run(faulty(orders, {"scan": repeat(scan)}), table="Orders", segments=3)
    assert len(outcome.keys) == len({key["S"] for key in outcome.keys}) == 20
    assert outcome.counts.skips_ignored == 3


@pytest.fixture
def orders() -> FakeDynamoDB:
    """Twenty customers with 1 to 20 orders of 1.5 KB each."""
    return FakeDynamoDB(
        TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "S"))),
        (
            {"customer": {"S": f"c{customer}"}, "order": {"S": f"o{order}"}, "lines": {"B": bytes(1500)}}
            for customer in range(20)
            for order in range(customer + 1)
        ),
    )
