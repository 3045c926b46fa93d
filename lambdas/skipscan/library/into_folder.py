"""A listing into a local folder: the kernel's plan, turns and proof with one worker, without a deployment.

If the process is killed at any moment, the same call, or `skipscan resume FOLDER`, continues after the last committed
batch.
"""

import random
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from skipscan.aws import table
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import scrub
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.prices import Prices
from skipscan.errors import (
    BatchError,
    BudgetError,
    DeniedError,
    InputError,
    give,
    named,
)
from skipscan.folder.files import AGAIN, FINISHED, KEEP, REFUSE, again, in_words, locked
from skipscan.folder.storage import Folder
from skipscan.inputs.field import without_nulls
from skipscan.inputs.names import quoted, table_name
from skipscan.inputs.quantities import in_utc, stamp
from skipscan.library.folder_run import deployed_folder_refused, finished_in, folder_refused, plan_in, results_in
from skipscan.library.options import new_name
from skipscan.library.patience import Patience, describe_patiently, retried, throttled
from skipscan.library.stream import check_priced, given_keys
from skipscan.lines.given_keys import stored_keys
from skipscan.listing.compare.comparison import count_of
from skipscan.listing.distance_requests import useful_walks
from skipscan.listing.estimate.offer import Facts
from skipscan.listing.estimate.warning import costly_queries
from skipscan.listing.execution_input import BOUNDS, ExecutionInput, document_of, fixed_fields, parse, resolve_bounds
from skipscan.listing.fields import FIXED
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing, resumed
from skipscan.loop.allotment import PlanAttempt
from skipscan.loop.begin import Planning, start_work
from skipscan.loop.dependencies import Dependencies, Meter
from skipscan.loop.event import TurnEvent
from skipscan.loop.finish import finish
from skipscan.loop.kind import worker_report
from skipscan.loop.results import Results
from skipscan.loop.run_batch import ReadyBatch, Unread
from skipscan.loop.storage import Part
from skipscan.loop.turn import advance
from skipscan.loop.work import ExecutionId
from skipscan.pace.bill import Amounts
from skipscan.pace.bounds import FIRST_SECONDS, Bounds, Clock
from skipscan.pace.pace import retrying
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanCounts, ScanProgress
from skipscan.scan.width import MOST_WALKS

BATCH = Bounds(seconds=60.0, keys=1_000_000, bytes=32 << 20, gigabytes=0.0)
"""The most reading, in seconds, that a killed process loses; a part is collected in memory."""

RETRY_SECONDS = (1.0, 5.0, 15.0, 30.0, 60.0)
"""Seconds before a failed batch is retried: a connection may come back."""


class Silent:
    """A log that discards everything: the command itself reports to the user."""

    def info(self, *_: object, **_fields: object) -> None: ...

    append_keys = warning = error = info


@dataclass(frozen=True)
class LocalPlanning(Planning[Plan]):
    """The planning of a local run.

    `prices`: of the table's region. `walks`: the best number of walks from here. Both are called only if needed.
    """

    work_input: ExecutionInput
    prices: Callable[[bool], Prices]
    walks: Callable[[], int]
    results: Results

    def resumed(self, fixed: Plan) -> Plan:
        return resumed(fixed, self.work_input, self.description, self._prices())

    def planned(self, execution: ExecutionId, attempt: PlanAttempt) -> tuple[Plan, Mapping[str, Any]]:
        listing_input = resolve_bounds(self.work_input, datetime.fromisoformat(execution.started))
        keys = given_keys(listing_input, self.description)
        decided = plan_listing(listing_input, self.description, self._prices(), walks=self.walks(), only=keys.only)
        facts = Facts.described(self.work_input.table, self.description, self.work_input.index)
        keys.store(self.results)
        # Which hold for `skipscan resume`, too, unless it is given others.
        bounds = without_nulls({name: getattr(self.work_input, name) for name in BOUNDS})
        requested = {"asked": fixed_of(self.work_input), "bounds": bounds}
        return decided, {"facts": facts.to_json(), "warnings": [*costly_queries(decided, facts)], **requested}

    def _prices(self) -> Prices:
        return self.prices(self.description.is_infrequent_access).units_alone()


def fixed_of(listing_input: ExecutionInput) -> dict[str, Any]:
    """Return the fields of an input that must stay the same when the command continues a run."""
    return fixed_fields(listing_input) | {"table": table_name(listing_input.table)}


@dataclass
class FolderListing:
    """The work of one command in a folder.

    `finished`: one of `FINISHED`. `say`: hears that the table throttles everything. `is_stopped`: whether a person
    stopped it. `has_listed`: whether the command found the run unfinished, or started it.
    """

    folder: Path
    listing_input: ExecutionInput
    client: DynamoDBClient
    prices: Callable[[bool], Prices]
    finished: str = REFUSE
    say: Callable[[str], object] = lambda message: None
    is_stopped: bool = False
    has_listed: bool = False
    _batch: Batch | None = None
    _counts: Callable[[], ScanCounts] = ScanCounts

    @property
    def counts(self) -> ScanCounts:
        """Return the figures so far, of the whole run."""
        return self._counts()

    def run(self) -> Mapping[str, Any] | None:
        """Return the manifest, or `None` if the person stopped the command before the end.

        Raises a `SkipscanError` for anything that prevents the run from finishing; the same command can continue it.
        """
        if self.finished not in FINISHED:
            raise InputError("finished", self.finished, f"it must be {' or '.join(FINISHED)}", "correct it")
        storage = Folder(self.folder)
        self._check_empty()
        with locked(self.folder, storage.scratch):
            storage.clear()
            if storage.is_discarded:
                storage.discard()
            document = plan_in(self.folder)
            if document is None:
                self._check_empty()
                name = new_name()
            else:
                self._check_same(document)
                name = document["name"]
            results = results_in(self.folder, name)
            manifest = finished_in(self.folder, results)
            if manifest is not None and self.finished == REFUSE:
                rule = f"the listing in it is finished: {count_of(manifest)}, as of {stamp(manifest['started'])}"
                ways = f"{give('finished', KEEP)} to use these, {give('finished', AGAIN)} to list again"
                raise folder_refused(self.folder, rule, f"use a new folder, or {ways}")
            if manifest is not None and self.finished == AGAIN:
                storage.discard()
                results, document, manifest = results_in(self.folder, new_name()), None, None
            self.has_listed = manifest is None
            return manifest or self._listed(results, is_started=document is not None)

    def _check_empty(self) -> None:
        """Refuse a folder with other files, before writing any file to it."""
        with in_words(self.folder):
            storage = Folder(self.folder)
            is_started = not self.folder.is_dir() or (self.folder / "plan.json").exists() or storage.is_discarded
            is_foreign = not is_started and storage.is_foreign()
        if is_foreign:
            raise InputError("folder", str(self.folder), "it contains other files", "use a new folder")

    def _check_same(self, document: Mapping[str, Any]) -> None:
        first, current = document.get("asked"), fixed_of(self.listing_input)
        if first is None:
            raise deployed_folder_refused(self.folder)
        for name, value in current.items():
            if first.get(name) != value:
                held = first.get(name)
                # Of the file with the keys to list the plan has a hash.
                has = f"another {named(name)}" if name == "only" else f"{named(name)} {quoted(held)}"
                rule = f"the run in it has {f'no {named(name)}' if held is None else has}"
                remedy = "use a new folder"
                if not (self.folder / "manifest.json").exists():
                    remedy = f"{again(self.folder)} that run, or {remedy}"
                raise folder_refused(
                    self.folder, rule, remedy, {} if value is None or name == "only" else {name: value}
                )

    def _listed(self, results: Results, *, is_started: bool) -> Mapping[str, Any] | None:
        patience = Patience(self.say)
        dependencies = Dependencies(
            Silent(),
            lambda figures, **_: None,
            patience.fault,
            scrub,
            attempt_name=lambda: uuid.uuid4().hex,
            meter=Meter(gigabytes=0.0),
        )
        full = document_of(self.listing_input)
        document = {name: value for name, value in full.items() if not (is_started and name in FIXED)}
        execution = ExecutionId(results.layout.name, f"local:{uuid.uuid4()}", in_utc(datetime.now(UTC)))
        requested = {**document, "resume": results.layout.name if is_started else None}
        planning = partial(self._open_planning, results)
        work, _ = start_work(
            LISTING, requested, execution, planning, lambda _table, _name: results, dependencies=dependencies
        )
        Folder(self.folder).clear()  # the run has its plan: what was discarded before it is history
        progress = None
        while progress is None or not progress.done(work.plan):
            progress = self._turned(TurnEvent(work, 0, progress), results, patience, dependencies)
            if self.is_stopped and not progress.done(work.plan):
                return None
        self._batch = None
        try:
            finish(
                LISTING,
                work,
                {0: worker_report(progress)},
                results,
                dependencies,
                check_tables=lambda work: retried(partial(table.check_tables, self.client, work)),
            )
        except BudgetError as error:
            bounds = " or ".join(map(named, error.others))
            way = f"{again(self.folder)} with a larger {bounds}, which covers the whole run"
            raise error.with_way(way) from None
        return results.manifest()

    def _turned(
        self, turn: TurnEvent[Plan], results: Results, patience: Patience, dependencies: Dependencies
    ) -> ScanProgress:
        """Return the worker's progress after one batch; retry a failed batch for some minutes."""
        plan = turn.work.plan
        ask = patience.asking(table.Table(self.client, plan, stored_keys(results, plan.only)).ask)

        def attempt() -> ScanProgress:
            return advance(LISTING, turn, results, partial(self._open, plan, ask), dependencies)

        def passes(error: Exception) -> bool:
            if isinstance(error, BatchError) and patience.is_over:
                raise throttled(self.listing_input.table, again(self.folder)) from None
            return isinstance(error, BatchError) and not isinstance(error, DeniedError) and not self.is_stopped

        return retrying(attempt, RETRY_SECONDS, passes=passes, sleep=time.sleep)

    def _open_planning(self, results: Results, document: object) -> LocalPlanning:
        listing_input = parse(document)
        description = describe_patiently(self.client, listing_input.table)
        check_priced(listing_input, description)
        walks = partial(useful_walks, self.client, listing_input.table)
        return LocalPlanning(listing_input, description, self.prices, walks, results)

    def _open(
        self,
        plan: Plan,
        ask: Callable[[Request], Page | Unread],
        progress: ScanProgress,
        part: Part,
        allotted: Amounts | None,
    ) -> ReadyBatch:
        seconds = FIRST_SECONDS[0] if progress.batch == 0 else BATCH.seconds
        batch = Batch(
            plan,
            progress,
            bounds=replace(BATCH, seconds=seconds, allotted=allotted),
            clock=Clock.started(),
            random=random.random,
            write=part.write,
        )
        self._batch = batch
        if self.is_stopped:
            batch.stop()
        self._counts = lambda: progress.counts + batch.counts
        return ReadyBatch(batch, ask, MOST_WALKS, lambda: batch.concurrency)

    def stop(self) -> bool:
        """End the batch in progress and commit it; return whether there is one, for the first time."""
        if self.is_stopped or self._batch is None:
            return False
        self.is_stopped = True
        self._batch.stop()
        return True
