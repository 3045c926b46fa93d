"""How long a request occupies a worker: its processor time, measured, and its part of the waiting time, assumed."""

from collections.abc import Callable, Sequence
from time import process_time
from typing import TYPE_CHECKING, NamedTuple, cast

import boto3

from benchmarks.blog_table.blog import limit_1
from benchmarks.blog_table.server import served
from benchmarks.blog_table.table import VirtualTable
from skipscan.aws import clients
from skipscan.aws.faults import fault
from skipscan.aws.lean import LeanClient
from skipscan.aws.table import Table
from skipscan.dynamodb.page import Page
from skipscan.lines.formats import line_encoder
from skipscan.loop.run_batch import run_batch
from skipscan.loop.storage import Part
from skipscan.pace.bounds import Bounds, Clock
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import Plan, segments_of_worker
from skipscan.scan.progress import ScanProgress
from skipscan.scan.width import MOST_WALKS, Width

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

WAIT_SECONDS = 0.005
"""Seconds that a client waits for an answer: an assumption, and a favourable one for pages of 1 MB."""

ROUNDS = 5  # the fastest of so many rounds counts, because other load only slows a round down

SESSION = boto3.Session("example", "example", region_name="us-east-1")  # an account that does not exist


class Pace(NamedTuple):
    """Seconds per request. `walks`: the number of concurrent walks."""

    cpu_seconds: float
    walks: int

    @property
    def seconds(self) -> float:
        """Return the time that a request adds to a worker: walks share the waiting, not the processor."""
        return max(self.cpu_seconds, (self.cpu_seconds + WAIT_SECONDS) / self.walks)


def ours(plan: Plan, table: VirtualTable, requests: int) -> Pace:
    """Return the pace of a deployed worker: threads, our client and HTTP, without encryption."""
    with served(table) as url:
        return _fastest(plan, [_client(url)], requests)[0]


def both(plan: Plan, table: VirtualTable, requests: int) -> tuple[Pace, Pace]:
    """Return the pace of a deployed worker, and of one with `"client": "boto3"`, measured in turns."""
    with served(table) as url:
        lean_pace, boto3_pace = _fastest(plan, [_client(url), clients.dynamodb(SESSION, MOST_WALKS, url)], requests)
    return lean_pace, boto3_pace


def walks_that_pay(cpu_seconds: float, segments: int) -> int:
    """Return the width that a worker reaches if one processor handles the answers in turn."""
    width = Width.after(1 << 20, learns=True)
    due: list[float] = []
    now = free = 0.0
    for _ in range(1 << 14):
        while len(due) < min(width.walks, segments):
            width.begin(now)
            due.append(now + WAIT_SECONDS)
        now = free = max(due.pop(0), free) + cpu_seconds
        width.receive(now)
    return min(width.walks, segments)


def _client(url: str) -> "DynamoDBClient":
    inner = clients.dynamodb(SESSION, MOST_WALKS, url)
    return cast("DynamoDBClient", LeanClient(inner, SESSION, lambda *_: None))


def _fastest(plan: Plan, clients_of: Sequence["DynamoDBClient"], requests: int) -> list[Pace]:
    scans = [Table(client, plan).scan for client in clients_of]
    rounds = [[_walked(plan, scan, requests) for scan in scans] for _ in range(ROUNDS)]
    segments = segments_of_worker(0, plan.workers, plan.segments)
    fastest = map(min, zip(*rounds, strict=True))
    return [Pace(cpu_seconds, walks_that_pay(cpu_seconds, segments)) for cpu_seconds in fastest]


def blog(table: VirtualTable, requests: int) -> Pace:
    """Return the pace of the blog's sample, on boto3's low-level client."""
    with served(table) as url:
        client = SESSION.client("dynamodb", endpoint_url=url)
        walk = limit_1(lambda asked: client.scan(TableName="Blog", ProjectionExpression="pk", **asked))
        cpu_seconds = []
        for _ in range(ROUNDS):
            begun = process_time()
            for _ in range(requests):
                next(walk)
            cpu_seconds.append((process_time() - begun) / requests)
    return Pace(min(cpu_seconds), 1)


def _walked(plan: Plan, scan: Callable[[Request], Page], requests: int) -> float:
    part = Part(line_encoder(plan.source, plan.format, plan.take))
    batch = Batch(
        plan, ScanProgress.start(plan, 0), bounds=Bounds(pages=requests), clock=Clock.started(), write=part.write
    )
    begun = process_time()
    error = run_batch(batch, scan, MOST_WALKS, fault=fault, wanted=lambda: batch.wanted)
    seconds = process_time() - begun
    if error is not None:
        raise error
    return seconds / batch.counts.requests
