"""The consumption of Finish for a run with many parts: a formula replaces S3, so waiting and HTTP do not count."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from time import process_time
from typing import NamedTuple
from zlib import crc32

from benchmarks.blog_table.memory import peak_memory_mb
from benchmarks.blog_table.table import description
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing
from skipscan.loop.finish import manifest
from skipscan.loop.kind import worker_report
from skipscan.loop.layout import Layout
from skipscan.loop.proof import StoredParts, prove
from skipscan.loop.results import Results
from skipscan.loop.storage import Stored
from skipscan.loop.work import ExecutionId
from skipscan.scan.progress import ScanCounts, ScanProgress

PART_KEYS = 100_000
PUT = datetime(2026, 1, 1, tzinfo=UTC)


class Finished(NamedTuple):
    """`manifest_bytes`: as it is put on S3."""

    parts: int
    workers: int
    cpu_seconds: float
    peak_memory_mb: float
    manifest_bytes: int


class Parts:
    """Storage in which every worker of a run has the same number of parts, and that records the manifest's length."""

    def __init__(self, layout: Layout, workers: int, parts: int) -> None:
        self._layout, self._workers, self._parts = layout, workers, parts
        self.manifest_bytes = 0

    def uri(self, name: str) -> str:
        return name

    def names(self, _: str) -> Iterator[tuple[str, datetime]]:
        for worker in range(self._workers):
            for batch in range(self._parts // self._workers):
                yield self._layout.part(worker, batch), PUT

    def look(self, name: str) -> Stored:
        number = crc32(name.encode())  # every part has strings of its own, as on S3
        metadata = {
            "attempt": f"{number:032x}",
            "checkpoint": f"{number:064x}",
            "keys": str(PART_KEYS),
            "sha256": f"{number:064x}",
        }
        return Stored(name, 30 * PART_KEYS, PUT, metadata)

    def put_once(self, _: str, body: bytes, metadata: Mapping[str, str] | None = None) -> bool:
        self.manifest_bytes = len(body)
        return True


def finished(parts: int, workers: int) -> Finished:
    """Return the consumption of a process that does nothing else."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_finished, parts, workers).result()


def _finished(parts: int, workers: int) -> Finished:
    asked = parse({"table": "Blog", "segments": workers, "workers": workers})
    run = LISTING.begun(
        ExecutionId("nightly", "arn", "2026-01-01T00:00:00+00:00"), plan_listing(asked, description(parts))
    )
    layout = LISTING.layout("skipscan", "Blog", run.name)
    storage = Parts(layout, workers, parts)
    results = Results(storage, layout)  # type: ignore[arg-type]  # has what Finish asks for
    counts = ScanCounts(keys=PART_KEYS * (parts // workers))
    reached = [ScanProgress(worker, batch=parts // workers, opened=1, counts=counts) for worker in range(workers)]
    reports = {progress.worker: worker_report(progress) for progress in reached}
    begun = process_time()
    stored = StoredParts(run.plan.workers, results.parts())
    total = prove(LISTING, run.plan, stored, reached, reports)
    results.put_manifest(manifest(LISTING, run, stored.rows, total, reached))
    return Finished(parts, workers, process_time() - begun, peak_memory_mb(), storage.manifest_bytes)
