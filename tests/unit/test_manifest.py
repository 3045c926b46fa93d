"""Every clause of the proof that a run or a job is complete, one at a time."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from skipscan.act import manifest as act
from skipscan.act.action import Send
from skipscan.act.counts import ActCounts
from skipscan.act.job import Job
from skipscan.act.plan import ActPlan
from skipscan.act.progress import ActProgress
from skipscan.copy.progress import CopyProgress
from skipscan.copy.tally import CopyTally
from skipscan.dynamodb.source import KeyAttribute
from skipscan.errors import IncompleteRunError
from skipscan.items import manifest as items
from skipscan.listing.execution_input import Format
from skipscan.listing.run import Run
from skipscan.loop.manifest import Report, StoredPart, budget_error, last_parts, manifest, prove
from skipscan.retrofit.progress import RetrofitProgress
from skipscan.retrofit.tally import Tally
from skipscan.scan.counts import Counts
from skipscan.scan.cursor import Cursor
from skipscan.scan.progress import Progress
from tests.unit.copy.pair import copy_plan
from tests.unit.retrofit.small_table import reading, retrofit_plan

NOW = datetime(2026, 1, 1, 0, 1, tzinfo=UTC)
NAMED = ("run-1", "arn:run-1", "2026-01-01T00:00:00+00:00")
RUN = Run(*NAMED, reading(segments=4, workers=2))
QUEUE = "arn:aws:sqs:us-east-1:123456789012:keys"
ACTION = Send.parse({"queue": QUEUE})
ID = (KeyAttribute("id", "S"),)
ACT = Job(*NAMED, ActPlan("T", "run-1", ID, (), Format.JSONL, ACTION, 10, 4, 2, 1.0, None, 8.0))


def part(worker: int, batch: int, keys: int) -> StoredPart:
    return StoredPart(worker, batch, f"worker={worker}/part-{batch}", keys, 10 * keys, "sha", f"attempt-{batch}")


PARTS = [part(0, 0, 3), part(0, 1, 2), part(1, 0, 5)]
"""Of a whole run or job: five keys or lines of each of two workers, who wrote two parts and one."""


@dataclass(frozen=True)
class Whole:
    """What a complete run or job leaves. `prove` raises unless it is whole; `lines`: the count that its parts hold."""

    prove: Callable[[Sequence[StoredPart], Sequence[Any], Sequence[Any]], Any]
    reached: list[Any]
    reports: list[Any]
    unfinished: Any
    counts: Any


def listing() -> Whole:
    counts = [Counts(keys=5, items=9, requests=4, read_units=2.0), Counts(keys=5, items=5, requests=3, read_units=1.5)]
    reached = [Progress(n, batch=2 - n, opened=2, counts=counts[n]) for n in (0, 1)]
    reports = [Report(n, 2 - n, counts[n]) for n in (0, 1)]
    unfinished = replace(reached[1], cursors=(Cursor(3),))
    return Whole(lambda *found: prove(RUN, *found), reached, reports, unfinished, counts[0] + counts[1])


def acting() -> Whole:
    counts = [ActCounts(keys=5, failed=5, requests=7), ActCounts(keys=5, failed=5, requests=6)]
    reached = [ActProgress(n, batch=2 - n, visit=2, counts=counts[n]) for n in (0, 1)]
    reports = [{"worker": n, "parts": 2 - n, **counts[n].to_json()} for n in (0, 1)]
    unfinished = replace(reached[1], visit=1)
    return Whole(lambda *found: act.prove(ACT, *found), reached, reports, unfinished, counts[0] + counts[1])


def over_items(plan: Any, progress: Any, tallies: Sequence[Any]) -> Whole:
    reached = [progress(n, tallies[n], batch=2 - n, opened=2) for n in (0, 1)]
    reports = [{"worker": n, "parts": 2 - n, **tallies[n].to_json()} for n in (0, 1)]
    unfinished = replace(reached[1], cursors=(Cursor(3),))
    counts = tallies[0] + tallies[1]
    return Whole(lambda *found: items.prove(plan, *found), reached, reports, unfinished, counts)


WHOLE = {
    "listing": listing(),
    "act": acting(),
    "retrofit": over_items(
        retrofit_plan(4, 2), RetrofitProgress, [Tally(items=7, written=2, lacking=5), Tally(items=5, refused=5)]
    ),
    "copy": over_items(copy_plan(4, 2), CopyProgress, [CopyTally(items=7, listed=5), CopyTally(items=5, listed=5)]),
}


@pytest.fixture(params=WHOLE)
def whole(request: pytest.FixtureRequest) -> Whole:
    return WHOLE[request.param]


def refuses(words: str) -> Any:
    return pytest.raises(IncompleteRunError, match=re.escape(words))


def test_what_is_whole_is_counted(whole: Whole) -> None:
    assert whole.prove(PARTS, whole.reached, whole.reports) == whole.counts
    assert whole.prove(PARTS, whole.reached, whole.reports[::-1]) == whole.counts


def test_a_worker_that_did_not_come_to_its_end(whole: Whole) -> None:
    with refuses("worker 1 did not come to its end: the result is not complete"):
        whole.prove(PARTS, [whole.reached[0], whole.unfinished], whole.reports)


@pytest.mark.parametrize("keys", [4, 6])
def test_parts_that_do_not_hold_what_was_counted(whole: Whole, keys: int) -> None:
    with refuses("the parts of worker 1 do not hold the "):
        whole.prove([*PARTS[:2], part(1, 0, keys)], whole.reached, whole.reports)


def test_another_workers_parts_do_not_make_up_for_missing_keys(whole: Whole) -> None:
    with refuses("the parts of worker 0 do not hold the "):
        whole.prove([part(0, 0, 3), part(0, 1, 1), part(1, 0, 6)], whole.reached, whole.reports)


def test_a_report_that_is_missing(whole: Whole) -> None:
    with refuses("worker 1 reported other counts than it left on S3"):
        whole.prove(PARTS, whole.reached, whole.reports[:1])


def test_a_report_of_other_counts(whole: Whole) -> None:
    with refuses("worker 0 reported other counts than it left on S3"):
        whole.prove(PARTS, whole.reached, [other(whole.reports[0]), whole.reports[1]])


def other(report: Any) -> Any:
    """Return the report with one request more."""
    if isinstance(report, Report):
        return replace(report, counts=report.counts + Counts(requests=1))
    return {**report, "requests": report["requests"] + 1}


def test_a_report_of_another_number_of_parts(whole: Whole) -> None:
    moved = [part(0, 0, 3), part(0, 1, 1), part(0, 2, 1), part(1, 0, 5)]
    with refuses("worker 0 reported other counts than it left on S3"):
        whole.prove(moved, whole.reached, whole.reports)


def test_a_report_of_nobody(whole: Whole) -> None:
    report = whole.reports[1]
    stranger = replace(report, worker=2) if isinstance(report, Report) else {**report, "worker": 2}
    with refuses("workers [2] reported and left nothing on S3"):
        whole.prove(PARTS, whole.reached, [*whole.reports, stranger])


def test_a_job_that_settled_fewer_keys_than_the_run_has() -> None:
    job = replace(ACT, plan=replace(ACT.plan, keys=1011))
    whole = acting()
    with refuses("10 keys are settled, and the run has 1,011"):
        act.prove(job, PARTS, whole.reached, whole.reports)


def test_a_job_that_its_budget_stopped_has_keys_left() -> None:
    spent = replace(acting().reached[1], visit=1, counts=ActCounts(keys=5, failed=5, write_units=4.0))
    reports = [acting().reports[0], {"worker": 1, "parts": 1, **spent.counts.to_json()}]
    job = replace(ACT, plan=replace(ACT.plan, keys=1011))
    assert act.prove(job, PARTS, [acting().reached[0], spent], reports).keys == 10


def test_a_run_that_its_budget_stopped_came_to_its_end() -> None:
    run = replace(RUN, plan=replace(RUN.plan, max_read_units=3.0))
    whole = listing()
    assert prove(run, PARTS, [whole.reached[0], whole.unfinished], whole.reports) == whole.counts


def test_the_last_part_of_each_worker() -> None:
    assert last_parts(2, PARTS) == [PARTS[1], PARTS[2]]
    assert last_parts(2, PARTS[::-1]) == [PARTS[1], PARTS[2]]


@pytest.mark.parametrize("worker", [-1, 2])
def test_a_part_of_no_worker(worker: int) -> None:
    with refuses(f"worker={worker}/part-0 belongs to no worker of this run"):
        last_parts(2, [*PARTS, part(worker, 0, 0)])


@pytest.mark.parametrize(
    ("parts", "worker"),
    [
        ([part(0, 0, 3), part(0, 2, 2), part(1, 0, 5)], 0),
        ([part(0, 1, 3), part(1, 0, 5)], 0),
        ([part(0, 0, 3), part(0, 0, 3), part(1, 0, 5)], 0),
        (PARTS[:2], 1),
        ([], 0),
    ],
)
def test_a_gap(parts: list[StoredPart], worker: int) -> None:
    found = sum(each.worker == worker for each in parts)
    with refuses(f"worker {worker} has a gap in its parts ({found} found)"):
        last_parts(2, parts)


def test_the_manifest_says_what_was_planned_and_found() -> None:
    document = manifest(RUN, PARTS, listing().counts, 0, now=NOW, version="1.0", estimated={"keys": 9})
    assert document == {
        "complete": True,
        "table": RUN.plan.source.table,
        "index": None,
        "run": "run-1",
        "execution": "arn:run-1",
        "started": "2026-01-01T00:00:00+00:00",
        "finished": "2026-01-01T00:01:00.000+00:00",
        "seconds": 60.0,
        "partition_key": [{"name": a.name, "type": a.type} for a in RUN.plan.source.partition_key],
        "format": "jsonl",
        "strategy": RUN.plan.strategy,
        "optimize": RUN.plan.optimize,
        "consistent_read": RUN.plan.consistent_read,
        "segments": 4,
        "segments_left": 0,
        "workers": 2,
        "keys": 10,
        "items": 14,
        "requests": 7,
        "read_units": 3.5,
        "skips_ignored": 0,
        "throttles": 0,
        "estimated": {"keys": 9},
        "parts": [{"name": p.name, "keys": p.keys, "bytes": p.bytes, "sha256": p.sha256} for p in PARTS],
        "skipscan_version": "1.0",
    }
    unfinished = manifest(RUN, PARTS, listing().counts, 3, now=NOW, version="1.0")
    assert (unfinished["complete"], unfinished["segments_left"], unfinished["estimated"]) == (False, 3, None)


def test_a_run_that_its_budget_stopped_says_how_to_go_on() -> None:
    run = replace(RUN, plan=replace(RUN.plan, max_read_units=3000.0))
    assert str(budget_error(run, Counts(keys=1234, read_units=3001.25), 3)) == (
        "the budget is 3,000 read units and 3,001.2 are consumed; 1,234 keys are found and 3 of 4 segments are left: "
        "start again with a larger max_read_units or max_dollars for the whole run, and "
        '"resume": "run-1" to go on from here'
    )
