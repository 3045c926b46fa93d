"""A worker's turns without Lambda or S3: batches one after the other, their progress passed on as JSON."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from skipscan.aws.faults import fault
from skipscan.aws.table import Table, describe
from skipscan.dynamodb.source import PartitionKey
from skipscan.library.stream import given_keys
from skipscan.lines.given_keys import GivenKeys
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing
from skipscan.loop.kind import progress_to_json
from skipscan.loop.run_batch import ReadyBatch, run_batch
from skipscan.pace.bounds import Bounds, Clock
from skipscan.scan.batch import Batch
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanCounts, ScanProgress, first_progress
from tests.fakes.faults import Client


@dataclass
class ListedRun:
    """The results and consumption of all workers of a run.

    `states`: every progress passed through state, as JSON text. `lengths`: how many groups have how many lines, or
    counted items.
    """

    plan: Plan
    given: GivenKeys
    keys: list[PartitionKey] = field(default_factory=list)
    counts: ScanCounts = field(default_factory=ScanCounts)
    states: list[str] = field(default_factory=list)
    lengths: Counter[int] = field(default_factory=Counter)


def planned(client: Client, **asked: Any) -> Plan:
    return _planned(client, asked)[0]


def _planned(client: Client, asked: Mapping[str, Any]) -> tuple[Plan, GivenKeys]:
    checked = parse(asked)
    description = describe(client, checked.table)
    given = given_keys(checked, description)
    return plan_listing(checked, description, only=given.only), given


def run(
    client: Client, bounds: Bounds | None = None, *, threads: int = 1, crashes: Iterable[bool] = (), **asked: Any
) -> ListedRun:
    """Return the outcome of a whole run, worker by worker. `crashes`: which of the first batches are done again."""
    plan, given = _planned(client, asked)
    outcome, lost = ListedRun(plan, given), iter(crashes)
    for worker in range(outcome.plan.workers):
        for progress in turns(client, outcome, worker, bounds or Bounds(), threads=threads, lost=lost):
            outcome.states.append(json.dumps(progress_to_json(progress, outcome.plan)))
        outcome.counts += progress.counts
    return outcome


def turns(
    client: Client, outcome: ListedRun, worker: int, bounds: Bounds, *, threads: int, lost: Iterator[bool]
) -> Iterator[ScanProgress]:
    decided = outcome.plan
    table = Table(client, decided, outcome.given.key if outcome.given.lines else None)
    progress = first_progress(decided, worker)
    while not progress.done(decided):
        part: list[PartitionKey] = []
        batch = Batch(
            decided,
            progress,
            bounds=bounds,
            clock=Clock(lambda: 0.0),
            random=lambda: 0.0,
            write=partial(_keep, part),
        )
        error = run_batch(ReadyBatch(batch, table.scan, threads), fault=fault)
        if error is not None:
            raise error
        if next(lost, False):
            continue
        outcome.keys += part
        whole = batch.profile.get("lengths", {}).get("whole", {})
        outcome.lengths.update({int(length): groups for length, groups in whole.items()})
        progress = LISTING.progress(json.loads(json.dumps(progress_to_json(batch.progress, decided))), decided)
        yield progress


def _keep(part: list[PartitionKey], keys: Any) -> int:
    part += keys
    return 10 * len(keys)
