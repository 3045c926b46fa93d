"""The rivals of the race find the same keys, and the distance is as great as it says."""

from time import perf_counter

import pytest

from benchmarks.client import cpu, held, items, shapes
from benchmarks.client.blog import distinct_partition_keys
from benchmarks.client.distance import away
from benchmarks.client.load import replay
from benchmarks.client.wall import planned, recorded
from local.embedded import SESSION
from skipscan.aws import clients
from skipscan.scan.plan import WALKS

pytestmark = pytest.mark.engine

SHAPE = shapes.Shape("race", [3, 1, 40, 2, 1, 7], 100)


def test_all_rivals_list_the_same_table(dynalite: str) -> None:
    client = clients.dynamodb(SESSION, 1, dynalite)
    SHAPE.load(client)
    resource = SESSION.resource("dynamodb", endpoint_url=dynalite)
    keys = distinct_partition_keys(resource, SHAPE.name, 1_000)
    assert len(set(keys)) == len(keys) == len(SHAPE.lengths)
    assert len(distinct_partition_keys(resource, SHAPE.name, 2)) == 2

    requests = recorded(dynalite, SHAPE)
    assert len(requests) >= planned(client, SHAPE).segments
    replay(dynalite, requests, 4)

    milliseconds = 30
    with away(dynalite, milliseconds) as far:
        begun = perf_counter()
        clients.dynamodb(SESSION, 1, far).list_tables()
        assert (perf_counter() - begun) * 1000 > milliseconds


@pytest.mark.long
def test_the_lean_client_makes_the_calls_that_are_measured() -> None:
    """If boto3 makes them, the measurement ends with an error: the ready answers must survive the client's trial."""
    page = cpu.measure(8, pages=30, rounds=1)
    assert page.lean > 0
    job = items.measure(items.retrofitted, pages=2, rounds=1)
    assert job.rate > 0


def test_a_batch_holds_the_items_of_so_many_pages_that_they_fit_into_its_memory() -> None:
    """128 pages of 1 MB, which a batch far from the table would have under way, took 1,592 MB; 16 took 201."""
    pages, kept, peak = held.held(page_items=600)
    assert pages == WALKS
    assert kept < peak < 512 / 10


@pytest.mark.long
def test_nested_pages_are_held_as_bytes() -> None:
    """As objects, 16 pages of 1 MB took 999 MB; as bytes 42."""
    pages, kept, peak = held.held(page_items=2, nested=25_000)
    assert pages == WALKS
    assert kept < 10
    assert peak < 40
