"""Wall clock: Skipscan beside the blog's algorithm and a bare load generator, all as far from the same dynalite."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import truediv
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from benchmarks.client import blog
from benchmarks.client.bare import asked, scan
from benchmarks.client.distance import away
from benchmarks.client.load import Recorder, replay
from benchmarks.client.ours import listed
from benchmarks.client.shapes import Shape
from benchmarks.client.workers import workers
from local.dynalite import dynalite
from local.embedded import SESSION
from skipscan.aws import clients, table
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.scan.plan import WALKS, Plan

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

DISTANCE_MILLISECONDS = 5.0

T = TypeVar("T")


@dataclass(frozen=True)
class Race:
    """What one table took, in medians over the rounds.

    `seconds` and `blog_seconds` are for all keys. Rates are requests a second: ours, ours with the hot calls left to
    boto3 (`boto3_rate`), and for the same requests what bare `client.scan` on as many threads gets (`engine_rate`), and
    what bytes that are ready get (`wire_rate`). The ratios are medians too, of what ran side by side.
    """

    shape: str
    keys: int
    blog_seconds: float
    seconds: float
    ratio: float
    requests: int
    rate: float
    boto3_rate: float
    of_boto3_rate: float
    engine_rate: float
    of_engine_rate: float
    wire_rate: float
    of_wire_rate: float


def races(shapes: Sequence[Shape], *, rounds: int, blog_keys: int) -> Iterator[Race]:
    """Race over each table. The blog's algorithm stops after so many keys: each takes it one request like any other."""
    with dynalite() as near, away(near, DISTANCE_MILLISECONDS) as far:
        for shape in shapes:
            shape.load(clients.dynamodb(SESSION, WALKS, near))
            yield race(far, shape, rounds, blog_keys)


def race(url: str, shape: Shape, rounds: int, blog_keys: int) -> Race:
    resource = SESSION.resource("dynamodb", endpoint_url=url)
    blog_seconds, seconds, rates, boto3_rates, engine_rates, wire_rates = [], [], [], [], [], []
    with workers(url) as of:  # all have their client ready when the clock starts, and ours its trial behind it
        whole = planned(of.over_boto3, shape)
        parameters, requests = asked(of.over_boto3, whole), recorded(url, shape)
        of.lean.scan(**parameters[0])
        for _ in range(rounds):
            taken, keys = timed(lambda: blog.distinct_partition_keys(resource, shape.name, blog_keys))
            blog_seconds.append(taken * len(shape.lengths) / len(keys))
            taken, counts = timed(lambda: listed(of.lean, planned(of.lean, shape)))
            if counts.keys != len(shape.lengths):
                raise RuntimeError(f"{shape.name}: {counts.keys} keys of {len(shape.lengths)}")
            seconds.append(taken)
            rates.append(counts.requests / taken)
            taken, over_boto3 = timed(lambda: listed(of.over_boto3, planned(of.over_boto3, shape)))
            boto3_rates.append(over_boto3.requests / taken)
            engine_rates.append(len(parameters) / timed(lambda: scan(of.bare, parameters))[0])
            wire_rates.append(len(requests) / timed(lambda: replay(url, requests, WALKS))[0])
    return Race(
        shape=shape.name,
        keys=len(shape.lengths),
        blog_seconds=median(blog_seconds),
        seconds=median(seconds),
        ratio=median(map(truediv, blog_seconds, seconds)),
        requests=counts.requests,
        rate=median(rates),
        boto3_rate=median(boto3_rates),
        of_boto3_rate=median(map(truediv, rates, boto3_rates)),
        engine_rate=median(engine_rates),
        of_engine_rate=median(map(truediv, rates, engine_rates)),
        wire_rate=median(wire_rates),
        of_wire_rate=median(map(truediv, rates, wire_rates)),
    )


def planned(client: "DynamoDBClient", shape: Shape) -> Plan:
    return plan_listing(parse({"table": shape.name, "workers": 1}), table.describe(client, shape.name))


def recorded(url: str, shape: Shape) -> list[bytes]:
    """Return the requests with which Skipscan lists the table, as they go over the wire."""
    client = clients.dynamodb(SESSION, WALKS, url)
    recorder = Recorder(client)
    listed(client, planned(client, shape))
    return recorder.requests


def timed(run: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds it took, and what it returned."""
    begun = perf_counter()
    returned = run()
    return perf_counter() - begun, returned
