"""How long a request keeps a worker: the processor time it costs, measured, and its share of the waiting, assumed."""

import time
from collections.abc import Callable
from time import process_time
from typing import NamedTuple

import boto3

from benchmarks.blog_table.blog import limit_1
from benchmarks.blog_table.server import served
from benchmarks.blog_table.table import VirtualTable
from skipscan.aws import clients
from skipscan.aws.faults import fault
from skipscan.aws.table import Table
from skipscan.dynamodb.page import Page
from skipscan.keys.formats import encoder
from skipscan.loop.part import Part
from skipscan.loop.run_batch import run_batch
from skipscan.pace.bounds import Bounds
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import Plan
from skipscan.scan.progress import Progress
from skipscan.scan.segments import share

WAIT_SECONDS = 0.005
"""What a client waits for an answer: an assumption, and a kind one to pages of 1 MB."""

ROUNDS = 5  # of which the fastest counts: what else runs on the machine only slows it down

SESSION = boto3.Session("example", "example", region_name="us-east-1")  # an account that nobody has


class Pace(NamedTuple):
    """Seconds per request. `walks`: how many of them are under way at once."""

    cpu_seconds: float
    walks: int

    @property
    def seconds(self) -> float:
        """Return what a request adds to the time of a worker: walks share the waiting, not the processor."""
        return self.cpu_seconds + WAIT_SECONDS / self.walks


def ours(plan: Plan, table: VirtualTable, requests: int) -> Pace:
    """Return the pace of a deployed worker: threads, boto3 and HTTP, but no encryption."""
    with served(table) as url:
        scan = Table(clients.dynamodb(SESSION, plan.walks, url), plan).scan
        cpu_seconds = min(_walked(plan, scan, requests) for _ in range(ROUNDS))
    return Pace(cpu_seconds, min(plan.walks, share(0, plan.workers, plan.segments)))


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
    part = Part(encoder(plan.source, plan.format))
    batch = Batch(plan, Progress.start(plan, 0), bounds=Bounds(pages=requests), clock=time.monotonic, write=part.write)
    begun = process_time()
    error = run_batch(batch, scan, plan.walks, fault=fault)
    seconds = process_time() - begun
    if error is not None:
        raise error
    return seconds / batch.counts.requests
