"""Every clause of the proof that work is complete, one at a time, for every kind of work."""

import hashlib
import json
import tracemalloc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from skipscan.act.actions.hand_over import Send
from skipscan.act.item import ActCounts
from skipscan.act.kind import ACT
from skipscan.act.plan import ActPlan
from skipscan.act.task_source import ActPosition
from skipscan.copy.item import CopyCounts
from skipscan.copy.kind import COPY
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, TableIdentity
from skipscan.errors import IncompleteRunError
from skipscan.items.progress import ItemPosition
from skipscan.listing.kind import LISTING
from skipscan.loop.finish import budget_error, manifest
from skipscan.loop.kind import Kind
from skipscan.loop.layout import is_own
from skipscan.loop.proof import StoredParts, prove
from skipscan.loop.results import indented
from skipscan.loop.storage import StoredPart
from skipscan.loop.work import ExecutionId
from skipscan.pace.progress import Progress
from skipscan.retrofit.item import RetrofitCounts
from skipscan.retrofit.kind import RETROFIT
from skipscan.scan.cursor import Cursor
from skipscan.scan.progress import ScanCounts, ScanPosition
from skipscan.scan.taken import Counted
from tests.fakes.small_table import copy_plan, reading, retrofit_plan
from tests.refusal import refused

QUEUE = "arn:aws:sqs:us-east-1:123456789012:keys"
ACTION = Send.parse({"queue": QUEUE})
ID = (KeyAttribute("id", "S"),)
TABLE = TableIdentity("arn:aws:dynamodb:us-east-1:123456789012:table/T", "table-1")
UNITS = (1.0, 1.0, 1.0, None, 8.0, None, US_EAST_1)
ACT_PLAN = ActPlan("T", TABLE, "run-1", "", ID, (), "jsonl", ACTION, 10, 4, 2, 1000, *UNITS, "dev-0/job-1")
LISTED = reading(segments=4, workers=2)
NAMED = ExecutionId("run-1", "arn:run-1", "2026-01-01T00:00:00+00:00")


def part(worker: int, batch: int, keys: int) -> StoredPart:
    return StoredPart(worker, batch, f"worker-{worker}/part-{batch}", keys, 10 * keys, "sha", f"attempt-{batch}")


PARTS = [part(0, 0, 3), part(0, 1, 2), part(1, 0, 5)]
"""Of complete work: five lines of each of two workers, in two parts and one."""

ROWS = StoredParts(2, PARTS).rows


@dataclass(frozen=True)
class Whole:
    """The storage of complete work. `unfinished`: the second worker's progress if it has something left."""

    kind: Kind[Any]
    plan: Any
    reached: list[Any]
    unfinished: Any

    @property
    def reports(self) -> dict[int, dict[str, Any]]:
        return {n: {"worker": n, "parts": 2 - n, **vars(self.reached[n].counts)} for n in (0, 1)}

    def prove(
        self, parts: Sequence[StoredPart], reached: Sequence[Any], reports: Mapping[int, Mapping[str, Any]]
    ) -> Any:
        return prove(self.kind, self.plan, StoredParts(2, parts), reached, reports)


def within(source: Source) -> Cursor:
    """Return a cursor that has every field: the golden forms have what they are called."""
    return Cursor(3, {attribute.name: {attribute.type: "1"} for attribute in source.key}, reported=True, skipping=False)


def listing() -> Whole:
    counts = ScanCounts(5, 9, 4, 2.0), ScanCounts(5, 5, 3, 1.5)
    reached = [Progress(n, ScanPosition(2), counts[n], 2 - n) for n in (0, 1)]
    under_way = within(LISTED.source)._replace(counted=Counted(2, 1.5))
    return Whole(LISTING, LISTED, reached, replace(reached[1], position=ScanPosition(2, (under_way,))))


def acting() -> Whole:
    counts = ActCounts(keys=5, failed=5, requests=7), ActCounts(keys=5, failed=5, requests=6)
    reached = [Progress(n, ActPosition(2), counts[n], 2 - n) for n in (0, 1)]
    return Whole(ACT, ACT_PLAN, reached, replace(reached[1], position=ActPosition(1, window=(1, None, None))))


def over_items(kind: Any, plan: Any, *counts: Any) -> Whole:
    reached = [Progress(n, ItemPosition(2), counts[n], 2 - n) for n in (0, 1)]
    return Whole(kind, plan, reached, replace(reached[1], position=ItemPosition(2, (within(plan.reading.source),))))


WHOLE = {
    "listing": listing(),
    "act": acting(),
    "retrofit": over_items(
        RETROFIT, retrofit_plan(4, 2), RetrofitCounts(items=7, written=2, lacking=5), RetrofitCounts(items=5, refused=5)
    ),
    "copy": over_items(COPY, copy_plan(4, 2), CopyCounts(items=7, listed=5), CopyCounts(items=5, listed=5)),
}


@pytest.fixture(params=WHOLE)
def whole(request: pytest.FixtureRequest) -> Whole:
    return WHOLE[request.param]


def refuses(subject: str, rule: str) -> AbstractContextManager[object]:
    return refused(IncompleteRunError, subject, rule=f"{rule}.* no manifest", way="^resume")


def test_the_parts_of_every_kind_have_names_that_are_known_again(whole: Whole) -> None:
    """A part of another name would never be found: neither by a retry nor by Finish."""
    layout = replace(whole.kind.layout("skipscan", "Audit", "run-1"), suffix=whole.kind.suffix(whole.plan))
    entries = [layout.entry("scope", f"20{year}-01-01T00:00:00+00:00") for year in (26, 27, 99)]
    assert (sorted(entries, reverse=True), [*map(is_own, entries)]) == (entries, 3 * [True]), "the last started first"
    name = layout.part(3, 12_345)
    assert (is_own(name), layout.worker_and_batch(name)) == (True, (3, 12_345))
    assert name.endswith(f"/{whole.kind.lines}/worker-0003/part-12345.jsonl")


def test_a_worker_that_did_not_come_to_its_end(whole: Whole) -> None:
    with refuses("worker 1", "finish"):
        whole.prove(PARTS, [whole.reached[0], whole.unfinished], whole.reports)


def test_another_workers_parts_do_not_make_up_for_missing_lines(whole: Whole) -> None:
    with refuses("the parts of worker 0", "lines"):
        whole.prove([part(0, 0, 3), part(0, 1, 1), part(1, 0, 6)], whole.reached, whole.reports)


@pytest.mark.parametrize("field", ["requests", "worker", "parts"])
def test_a_report_of_other_counts(whole: Whole, field: str) -> None:
    other = {**whole.reports[0], field: whole.reports[0][field] + 1}
    with refuses("the counts that worker 0 reported", "S3"):
        whole.prove(PARTS, whole.reached, {**whole.reports, 0: other})


def test_a_report_of_an_unknown_worker(whole: Whole) -> None:
    with refuses("workers [2]", "no files"):
        whole.prove(PARTS, whole.reached, {**whole.reports, 2: {**whole.reports[1], "worker": 2}})


def test_an_act_that_processed_other_keys_than_its_run_has() -> None:
    for keys in (9, 1011):
        whole = replace(acting(), plan=replace(ACT_PLAN, keys=keys))
        with refuses("10 keys", rf" {keys:,}\b"):
            whole.prove(PARTS, whole.reached, whole.reports)


@pytest.mark.parametrize("worker", [-1, 2])
def test_a_part_of_no_worker(worker: int) -> None:
    with refuses(f"worker-{worker}/part-0", "worker"):
        StoredParts(2, [*PARTS, part(worker, 0, 0)])


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
    with refuses(f"worker {worker}", rf"\({found} found\)"):
        StoredParts(2, parts)


def test_work_that_its_budget_stopped_says_how_to_continue() -> None:
    work = LISTING.new_work(NAMED, replace(LISTED, max_read_units=3000.0))
    counts = ScanCounts(keys=1234, read_units=3001.25)
    assert str(budget_error(LISTING, work, counts, {"segments": 4, "segments_left": 3})) == (
        "the budget is max_read_units 3,000; 3,001.2 read units are consumed, and 3 of 4 segments are left: "
        'continue from here with "resume": "run-1" and a larger max_read_units for the whole run, in a terminal by '
        "`skipscan resume Audit run-1`"
    )


# What may be given again when work is resumed.


BUDGETS = {
    "listing": {"max_read_units", "max_dollars"},
    "act": {"max_write_units", "max_dollars"},
    "retrofit": {"max_read_units", "max_write_units", "max_dollars"},
    "copy": {"max_read_units", "max_write_units", "max_dollars"},
}
RATES = {
    "listing": {"max_read_units_per_second"},
    "act": {"max_write_units_per_second", "max_keys_per_second"},
    "retrofit": {"max_read_units_per_second", "max_write_units_per_second"},
    "copy": {"max_read_units_per_second", "max_write_units_per_second"},
}
RESUMED = {
    "listing": {"table", "resume", "overlap"},
    "act": {"table", "run", "resume", "without_recovery", "no_writes_elsewhere"},
    "retrofit": {"table", "resume", "without_recovery", "no_writes_elsewhere"},
    "copy": {"table", "to", "resume", "without_recovery"},
}
"""What may be given beside the bounds when work is resumed. All else stands in its plan."""


@pytest.mark.parametrize("name", WHOLE)
def test_every_bound_may_be_given_again_and_little_else(name: str) -> None:
    """Status, and the command that resumes, find by the plan's bounds which budget is used up."""
    changeable = {field.name for field in WHOLE[name].kind.fields if not field.is_fixed}
    expected = BUDGETS[name] | RATES[name] | RESUMED[name]
    assert changeable == expected, f"set is_fixed in its row, or add it to BUDGETS, RATES or RESUMED of {__file__}"
    assert set(WHOLE[name].plan.bounds) == BUDGETS[name]


@pytest.mark.slow
def test_a_manifest_takes_hardly_more_memory_than_its_text_twice() -> None:
    """As objects, its parts took as much beside it; and as much again as rows."""
    layout = LISTING.layout("skipscan", "Orders", "run-1")

    def parts() -> Iterator[StoredPart]:
        for batch in range(20_000):
            digest = hashlib.sha256(b"%d" % batch).hexdigest()
            yield StoredPart(0, batch, layout.part(0, batch), 10**5 + batch, 10**6, digest, "")

    plan = reading(segments=1, workers=1)
    work = LISTING.new_work(NAMED, plan)
    progress = LISTING.start(plan, 0)
    tracemalloc.start()
    stored = StoredParts(1, parts())
    body = indented(manifest(LISTING, work, stored.rows, progress.counts, [progress]))
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert json.loads(body)["parts"] == [each.to_json() for each in parts()]
    assert peak_bytes < 2.3 * len(body)
