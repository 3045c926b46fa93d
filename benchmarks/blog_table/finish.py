"""What Finish takes for a run of many parts: S3 answers from a formula, so waiting and HTTP are left out."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from time import process_time
from typing import Any, NamedTuple

from benchmarks.blog_table.memory import peak_memory_mb
from benchmarks.blog_table.table import description
from skipscan.aws.results import Results
from skipscan.listing.execution_input import parse
from skipscan.listing.run import Run
from skipscan.loop.layout import Layout
from skipscan.loop.manifest import Report, last_parts, manifest, prove
from skipscan.scan.counts import Counts
from skipscan.scan.plan import plan
from skipscan.scan.progress import Progress

PART_KEYS = 100_000


class Finished(NamedTuple):
    """`manifest_bytes`: as it is put on S3."""

    parts: int
    workers: int
    cpu_seconds: float
    peak_memory_mb: float
    manifest_bytes: int


class Parts:
    """An S3 client that has seen every worker of a run leave as many parts, and remembers how long the manifest is."""

    def __init__(self, layout: Layout, workers: int, parts: int) -> None:
        self._names = [layout.part(worker, batch) for worker in range(workers) for batch in range(parts // workers)]
        self.manifest_bytes = 0

    def get_paginator(self, _: str) -> "Parts":
        return self

    def paginate(self, **_: object) -> Iterator[Mapping[str, Any]]:
        return ({"Contents": [{"Key": name}]} for name in self._names)

    def head_object(self, **_: object) -> Mapping[str, Any]:
        metadata = {"attempt": "0" * 32, "keys": str(PART_KEYS), "sha256": "0" * 64}
        return {"ContentLength": 30 * PART_KEYS, "Metadata": metadata}

    def put_object(self, *, Body: bytes, **_: object) -> None:  # noqa: N803 - boto3's name
        self.manifest_bytes = len(Body)


def finished(parts: int, workers: int) -> Finished:
    """Return what a process takes that does nothing else."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_finished, parts, workers).result()


def _finished(parts: int, workers: int) -> Finished:
    asked = parse({"table": "Blog", "segments": workers, "workers": workers})
    run = Run("nightly", "arn", "2026-01-01T00:00:00+00:00", plan(asked, description(parts)))
    layout = Layout("skipscan", "Blog", run.name)
    client = Parts(layout, workers, parts)
    results = Results(client, "bucket", layout)  # type: ignore[arg-type]  # has the calls that Finish makes
    counts = Counts(keys=PART_KEYS * (parts // workers))
    reached = [Progress(worker, opened=1, counts=counts) for worker in range(workers)]
    reports = [Report(worker, parts // workers, counts) for worker in range(workers)]
    begun = process_time()
    stored = results.parts()
    last_parts(run.plan.workers, stored)
    total = prove(run, stored, reached, reports)
    results.put_manifest(manifest(run, stored, total, 0, now=datetime.now(UTC), version="0"))
    return Finished(parts, workers, process_time() - begun, peak_memory_mb(), client.manifest_bytes)
