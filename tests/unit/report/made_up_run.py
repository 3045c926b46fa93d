"""The objects of a run on S3, without a run: the real batches over a table in arrays, on a clock without waiting."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from skipscan.dynamodb.table_description import TableDescription
from skipscan.folder import storage
from skipscan.inputs.names import table_name
from skipscan.lines.formats import encoder
from skipscan.listing.estimate.explanation import explain
from skipscan.listing.estimate.offer import Facts
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing
from skipscan.loop.finish import manifest
from skipscan.loop.kind import progress_to_json
from skipscan.loop.layout import Layout
from skipscan.loop.proof import StoredParts
from skipscan.loop.results import indented
from skipscan.loop.storage import Part, StoredPart, checksum
from skipscan.loop.work import ExecutionId
from skipscan.pace.bill import TURN, Services
from skipscan.pace.bounds import WORKER_GB, Bounds, Pause
from skipscan.pace.bounds import Clock as BatchClock
from skipscan.pace.pace import Fault
from skipscan.report.record import WorkRecord, read_work
from skipscan.scan.batch import Batch
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanCounts, ScanProgress, first_progress
from skipscan.stored.folder import work_in
from tests.simulation.world.clock import Clock
from tests.unit.listing.estimate.test_explanation import described as described_document
from tests.unit.sample.hashed_table import HashedTable
from tests.unit.sample.sampled import sampled

STARTED = datetime(2026, 11, 2, 3, 0, tzinfo=UTC)
PAGE_SECONDS = 0.0004
"""With sixteen pages under way at once."""


def read_run(folder: Path, **more: Any) -> WorkRecord:
    """Return the record of a run in a folder, as `skipscan report --folder` reads it."""
    return read_work(work_in(storage.Folder(folder), "", [LISTING]), **more)


def skewed_table(keys: int = 60_000, seed: int = 5) -> HashedTable:
    """Return a shop's orders by customer: most have a few, some have very many."""
    random = np.random.default_rng(seed)
    lengths = np.minimum(np.ceil(random.pareto(1.1, keys) * 3), 20_000)
    return HashedTable.spread(lengths, random.normal(520, 90, keys).clip(120, 4000), seed)


def made_up_run(
    folder: Path,
    table: HashedTable,
    *,
    throttled: float = 0.0,
    batch_seconds: float = 4.0,
    with_sample: bool = True,
    provisioned: int | None = None,
    **asked: Any,
) -> None:
    """Write a run's objects into a folder. `throttled`: the part of requests refused in the middle of each batch."""
    throughput = {"ProvisionedThroughput": {"ReadCapacityUnits": provisioned}} if provisioned else {}
    described = TableDescription.from_json({**described_document(table), **throughput})
    checked = parse({"table": "Orders", **asked})
    decided = plan_listing(checked, described)
    facts = Facts.described(checked.table, described, None)
    more: dict[str, Any] = {"facts": facts.to_json()}
    if with_sample:
        explanation = explain(checked, decided, described, sample=sampled(table, decided))
        decided = explanation.plan
        more["explanation"] = explanation.to_json()
    execution = "arn:aws:states:us-east-1:111111111111:execution:skipscan-dev:nightly-2026-11-02"
    run = LISTING.new_work(
        ExecutionId("nightly-2026-11-02", execution, STARTED.isoformat(timespec="milliseconds")), decided
    )
    layout = LISTING.layout("skipscan", table_name(decided.source.table), run.name)
    _write(folder / "plan.json", {**run.to_json(), **more})
    parts: list[StoredPart] = []
    ends, reached = [0.0], []
    for worker in range(decided.workers):
        progress, seconds = _worked(
            folder, layout, decided, worker, parts, table=table, throttled=throttled, batch_seconds=batch_seconds
        )
        reached.append(progress)
        ends.append(seconds)
    counts = ScanCounts.total(progress.counts for progress in reached)
    now = STARTED + timedelta(seconds=max(ends) + 1.2)
    rows = StoredParts(decided.workers, parts).rows
    document = manifest(LISTING, run, rows, counts, reached) | {
        "finished": now.isoformat(timespec="milliseconds"),
        "seconds": round((now - STARTED).total_seconds(), 3),
        "skipscan_version": "1.0.0",
    }
    if with_sample:
        document["estimated"] = more["explanation"]["choice"]["expected"]
    _write(folder / ("manifest.json" if document["complete"] else "unfinished.json"), document)


def _worked(
    folder: Path,
    layout: Layout,
    decided: Plan,
    worker: int,
    parts: list[StoredPart],
    *,
    table: HashedTable,
    throttled: float,
    batch_seconds: float,
) -> tuple[ScanProgress, float]:
    random = Random(worker)
    clock = Clock()
    clock.sleep(2.1 + worker * 0.15)
    progress = first_progress(decided, worker)
    while not progress.done(decided):
        clock.seconds += 0.35
        begun = clock.seconds
        started_at = STARTED + timedelta(seconds=begun)
        part = Part(encoder(decided.source, decided.format))
        bounds = Bounds(seconds=batch_seconds)
        batch = Batch(
            decided, progress, bounds=bounds, clock=BatchClock(clock.now), random=random.random, write=part.write
        )
        _run_batch(batch, decided, clock, random, table=table, throttled=throttled)
        spent = TURN + Services(gb_seconds=(clock.seconds - begun) * WORKER_GB)
        spending = replace(batch.progress.spending, services=batch.progress.spending.services + spent)
        reached = replace(batch.progress, batch=progress.batch + 1, spending=spending)
        took = {"began": started_at.isoformat(timespec="milliseconds"), "seconds": round(clock.seconds - begun, 3)}
        attempt = f"{random.getrandbits(64):016x}"
        checkpoint = folder / layout.checkpoint(worker, progress.batch, attempt).removeprefix(layout.root)
        _write(checkpoint, {**progress_to_json(reached, decided), "profile": {**took, **batch.profile}})
        body, part_name = part.body(), layout.part(worker, progress.batch)
        stored = folder / part_name.removeprefix(layout.root)
        stored.parent.mkdir(parents=True, exist_ok=True)
        stored.write_bytes(body)
        parts.append(StoredPart(worker, progress.batch, part_name, part.lines, len(body), checksum(body), attempt))
        progress = reached
    return progress, clock.seconds


def _run_batch(
    batch: Batch, decided: Plan, clock: Clock, random: Random, *, table: HashedTable, throttled: float
) -> None:
    begun = clock.seconds
    while (step := batch.take()) is not None:
        if isinstance(step, Pause):
            clock.seconds += step.seconds
            continue
        clock.seconds += PAGE_SECONDS * (0.7 + 0.6 * random.random())
        if 0.05 < clock.seconds - begun < 0.3 and random.random() < throttled:
            batch.fail(step, Fault.CAPACITY)
            continue
        page = table.scan(decided.segments, step)
        clock.seconds += page.read_units * 6e-5
        batch.give(step, page)


def _write(path: Path, document: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(indented(document))
