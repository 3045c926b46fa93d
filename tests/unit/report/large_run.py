"""The objects of a very large run, made when they are read: 1,000 workers, a million segments, 50,000 parts."""

import json
from collections.abc import Iterator
from datetime import datetime
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from skipscan import form
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.folder import storage
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing
from skipscan.loop.results import Results
from skipscan.loop.work import ExecutionId
from skipscan.pace.bill import Bill, Services, Spending
from skipscan.stored.stored_work import StoredWork
from tests.fakes.small_table import DESCRIPTION

WORKERS, SEGMENTS, WORKER_BATCHES = 1_000, 1_000_000, 50
BATCHES = WORKERS * WORKER_BATCHES
BATCH_SEGMENTS, NAMED = SEGMENTS // BATCHES, 20
BATCH_SECONDS = 240.0
STARTED = "2026-11-02T03:00:00.000+00:00"
BATCH_KEYS, BATCH_UNITS, BATCH_REQUESTS = 96_000, 9_600.0, 19_200


class LargeRun(storage.Folder):
    """A folder that holds nothing: each object follows from its name."""

    def get(self, name: str) -> bytes | None:
        if name == "plan.json":
            return json.dumps(_plan()).encode()
        if name == "manifest.json":
            return _manifest()
        if name.startswith("checkpoints/"):
            worker, batch = int(name[19:23]), int(name[30:35])
            return json.dumps(_checkpoint(worker, batch)).encode()
        return None

    def names(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        begun = datetime.fromisoformat(STARTED)
        return ((name, begun) for name in _names(prefix) if prefix in {"keys/", "checkpoints/"})


def large_run() -> StoredWork:
    return StoredWork(LISTING, Results(LargeRun(Path("nowhere")), LISTING.layout("", "Events", "run", root="")))


def _names(below: str) -> Iterator[str]:
    form = "keys/worker-{:04d}/part-{:05d}.jsonl"
    if below == "checkpoints/":
        form = "checkpoints/worker-{:04d}/batch-{:05d}-0123456789abcdef.json"
    return (form.format(worker, batch) for worker in range(WORKERS) for batch in range(WORKER_BATCHES))


def _plan() -> dict[str, Any]:
    described = {**DESCRIPTION, "ItemCount": 90_000_000_000, "TableSizeBytes": 40_000_000_000_000}
    asked = parse({"table": "Events", "workers": WORKERS, "segments": SEGMENTS})
    decided = plan_listing(asked, TableDescription.from_json(described))
    name = "nightly-2026-11-02"
    named = ExecutionId(name, f"arn:aws:states:us-east-1:111111111111:execution:skipscan-prod:{name}", STARTED)
    facts = {"items": 90_000_000_000, "size_bytes": 40_000_000_000_000, "read_capacity_units": None}
    return {**LISTING.new_work(named, decided).to_json(), "facts": facts}


def _manifest() -> bytes:
    """Return the manifest; each part is an object only until it is written, so that the reader's memory is measured."""
    document = {
        "complete": True,
        "finished": "2026-11-02T06:21:00.000+00:00",
        "seconds": 12_060.0,
        "segments_left": 0,
        "estimated": None,
        "skipscan_version": "1.0.0",
        **_counts(BATCHES),
        "dollars": Bill.of(US_EAST_1, BATCHES * BATCH_UNITS, 0.0, Services()).to_json(),
        "parts": [],
    }
    body = BytesIO()
    body.write(json.dumps(document).removesuffix("]}").encode())
    for number, name in enumerate(_names("keys/")):
        part = {"name": f"skipscan/Events/nightly-2026-11-02/{name}", "keys": BATCH_KEYS, "bytes": 3_000_000}
        body.write(f"{',' if number else ''}{json.dumps({**part, 'sha256': 64 * '0'})}".encode())
    body.write(b"]}")
    return body.getvalue()


def _counts(batches: int) -> dict[str, Any]:
    return {
        "keys": batches * BATCH_KEYS,
        "items": 5 * batches * BATCH_KEYS,
        "requests": batches * BATCH_REQUESTS,
        "read_units": batches * BATCH_UNITS,
        "skips_ignored": 0,
        "throttles": batches * 3,
        "ended": 0,
        "lookups": 0,
    }


def _checkpoint(worker: int, batch: int) -> dict[str, Any]:
    random = Random(worker * WORKER_BATCHES + batch)
    started_at = 20 + worker * 0.05 + batch * BATCH_SECONDS
    hours, rest = divmod(started_at, 3600)
    shares = [random.paretovariate(1.5) for _ in range(NAMED)]
    first = (worker * WORKER_BATCHES + batch) * BATCH_SEGMENTS
    slots = [[BATCH_KEYS * i // 60, BATCH_REQUESTS * i // 60, BATCH_UNITS * i / 60, 0] for i in range(1, 61)]
    return {
        "worker": worker,
        "batch": batch + 1,
        "counts": _counts(batch + 1),
        "spending": form.write(Spending()),
        "profile": {
            "began": f"2026-11-02T{3 + int(hours):02d}:{int(rest // 60):02d}:{rest % 60:06.3f}+00:00",
            "seconds": BATCH_SECONDS,
            "slot_seconds": 4.0,
            "slots": slots,
            "visits": [
                [
                    first + i,
                    BATCH_KEYS // NAMED,
                    BATCH_REQUESTS // NAMED,
                    share / sum(shares) * BATCH_UNITS,
                    0,
                    200,
                    True,
                ]
                for i, share in enumerate(shares)
            ],
            "other_visits": [0, 0, 0, 0.0],
        },
    }
