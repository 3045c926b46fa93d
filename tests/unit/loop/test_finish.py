"""What the end of work says: why it stopped, where to read on, and what was predicted of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from skipscan.errors import BudgetError, IncompleteRunError, TableError
from skipscan.inputs.names import table_name
from skipscan.items.progress import ItemPosition
from skipscan.loop.finish import NO_ADDITIONS, Additions, estimated, finish
from skipscan.loop.kind import progress_to_json, worker_state
from skipscan.loop.metric import BOTH, BY_ENVIRONMENT, BY_TABLE, Metric, of_batch, of_finished, of_plan
from skipscan.loop.storage import StoredPart
from skipscan.loop.work import ExecutionId, Work
from skipscan.pace.progress import Progress
from skipscan.retrofit.item import RetrofitCounts
from skipscan.retrofit.kind import RETROFIT
from skipscan.scan.progress import ScanCounts
from tests.fakes.small_table import retrofit_plan
from tests.refusal import failed
from tests.unit.loop.test_event import telling
from tests.unit.loop.test_proof import PARTS, WHOLE, Whole

NAMED = ExecutionId("fill", "arn:fill", "2026-01-01T00:00:00+00:00")


def test_what_finish_itself_reads_is_in_the_manifest_and_in_the_bill() -> None:
    """A retrofit counts the items of its indexes at the end: eight million read units cost a dollar."""
    counts = RetrofitCounts(items=3, written=3)
    progress = Progress(0, ItemPosition(3), counts, batch=1)
    work, part = Work("retrofit", NAMED, retrofit_plan()), StoredPart(0, 0, "part", 0, 0, "sha", "attempt")
    written: list[dict[str, Any]] = []
    results: Any = SimpleNamespace(
        parts=lambda: iter([part]),
        checkpoint=lambda _: progress_to_json(progress, work.plan),
        plan=lambda: None,
        resumes=lambda: 0,
        put_manifest=lambda document: written.append(document) or document,  # type: ignore[func-returns-value]
        manifest_uri="s3://bucket/manifest.json",
        named=lambda *_: results,
    )
    reported = {0: {"worker": 0, "parts": 1, **vars(counts)}}

    def finished(extras: Additions) -> dict[str, Any]:
        return finish(
            *(RETROFIT, work, reported, results, telling([])),
            check_tables=lambda _: None,
            extras=lambda *_: extras,
        )

    dollars = [finished(extras)["dollars"]["total"] for extras in (NO_ADDITIONS, ({"indexed": 3}, 8e6))]
    assert dollars[1] - dollars[0] == pytest.approx(1.0)
    assert [document.get("indexed") for document in written] == [0, 3]
    assert written[1]["dollars"]["total"] == dollars[1]


def test_a_worker_whose_table_is_gone_ends_the_work_whichever_worker_it_is() -> None:
    work, unread = Work("retrofit", NAMED, retrofit_plan()), cast("Any", None)
    reported: dict[int, Any] = {0: {"worker": 0, "parts": 1}, 1: {"worker": 1, "ended_by": "made-up"}}
    with failed(TableError, "made-up"):
        finish(RETROFIT, work, reported, unread, telling([]), check_tables=lambda _: None)


def ended(whole: Whole, reached: Sequence[Any], reports: Mapping[int, Any]) -> tuple[list[Any], list[Any], str]:
    """Return what the end of work is logged and counted as, what it puts, and its error."""
    found, put = list[Any](), list[Any]()
    results: Any = SimpleNamespace(
        named=lambda *_: results,
        parts=lambda: iter(PARTS),
        checkpoint=lambda part: progress_to_json(reached[part.worker], whole.plan),
        plan=lambda: None,
        resumes=lambda: 3,
        put_unfinished=put.append,
    )
    work = whole.kind.new_work(NAMED, whole.plan)
    with pytest.raises((IncompleteRunError, BudgetError)) as raised:
        finish(whole.kind, work, reports, results, telling(found), check_tables=lambda _: None)
    return found, put, str(raised.value)


@pytest.mark.parametrize(("kind", "counted"), [("listing", Metric.RUNS_INCOMPLETE), ("act", Metric.JOBS_INCOMPLETE)])
def test_work_without_its_reports_is_logged_and_counted_as_incomplete(kind: str, counted: Metric) -> None:
    whole = WHOLE[kind]
    name, table = {whole.kind.label: "fill"}, table_name(whole.plan.table)
    found, put, cause = ended(whole, whole.reached, {})
    assert found == [("keys", name), ("incomplete", {"cause": cause}), ({counted: 1}, table, name)]
    assert put == []


def test_work_that_its_budget_ended_is_logged_and_counted_and_says_how_far_it_came() -> None:
    whole = WHOLE["act"]
    spent = replace(whole.unfinished, counts=replace(whole.reached[1].counts, write_units=10.0))
    reached = [whole.reached[0], spent]
    reports = {one.worker: {"worker": one.worker, "parts": one.batch, **vars(one.counts)} for one in reached}
    found, [document], cause = ended(whole, reached, reports)
    counts, name = vars(reached[0].counts + spent.counts), {"act": "fill"}
    assert found == [
        ("keys", name),
        ("budget used up", {"cause": cause, **counts}),
        ({Metric.JOBS_STOPPED: 1}, "T", name),
    ]
    assert "is max_write_units 8; 10 write units are consumed, and 1 of 4 slices are left" in cause
    assert "continue from here with" in cause
    wanted = {"complete": False, "slices": 4, "slices_left": 1, "resumes": 3, "batches": 3, "estimated": None, **counts}
    assert {field: document[field] for field in wanted} == wanted


def test_a_metric_has_a_unit_of_cloudwatch_that_its_name_ends_with() -> None:
    timed = {each for each in Metric if each.unit == "Seconds"}
    assert timed == {each for each in Metric if each.title.endswith("Seconds")}
    assert {each for each in Metric if each.unit == "None"} == {Metric.RUN_DOLLARS, Metric.ESTIMATE_RATIO}
    assert {each.unit for each in Metric} == {"Count", "Seconds", "None"}
    named = {each: each.name.title().replace("_", "").removesuffix("Seconds") for each in Metric}
    assert {each: each.title.removesuffix("Seconds") for each in Metric} == named


def test_a_metric_that_an_alarm_of_all_tables_watches_has_the_environment_alone_too() -> None:
    assert {each for each in Metric if each.dimensions == BOTH} == {Metric.THROTTLED_REQUESTS, Metric.ESTIMATE_RATIO}
    alone = {each for each in Metric if each.dimensions == (BY_ENVIRONMENT,)}
    assert alone == {Metric.PLANS_REFUSED, Metric.LEAN_CLIENT_UNUSED}, "which may be of any table, or of none"
    assert {each.dimensions for each in Metric} == {BOTH, (BY_TABLE,), (BY_ENVIRONMENT,)}


def test_what_a_plan_predicted_of_a_job_is_compared_with_its_counts() -> None:
    expected = {"read_units": 3.0, "write_units": 5.0, "dollars": 0.1, "workers": 2}
    assert estimated({"explanation": expected}) == {"read_units": 3.0, "write_units": 5.0, "dollars": 0.1}


def test_a_state_that_would_be_too_long_leads_to_its_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    progress, plan = Progress(0, ItemPosition(3), RetrofitCounts(), batch=1), retrofit_plan()
    assert worker_state(progress, plan) == progress_to_json(progress, plan)
    monkeypatch.setattr("skipscan.loop.kind.STATE_BYTES", 10)
    short = worker_state(progress, plan)
    assert (short["worker"], short["batch"], short["in_checkpoint"], "cursors" in short) == (0, 1, True, False)


def test_complete_work_is_counted_with_all_that_it_did() -> None:
    took = {"seconds": 3.0, "read_units": 2.0, "write_units": 7.0, "dollars": {"total": 0.5}, "keys": 9}
    expected = {"keys": {"estimate": 8.0}, "read_units": {"estimate": 4.0}}
    sampled = {"explanation": {"choice": {"expected": expected}}}
    run = {
        Metric.RUNS_FINISHED: 1,
        Metric.RUN_KEYS: 9,
        Metric.RUN_READ_UNITS: 2.0,
        Metric.RUN_SECONDS: 3.0,
        Metric.RUN_DOLLARS: 0.5,
    }
    assert of_finished(took, {}, ScanCounts(), lists_keys=True) == run
    assert of_finished(took, sampled, ScanCounts(), lists_keys=True) == {**run, Metric.ESTIMATE_RATIO: 0.5}
    assert of_plan(sampled) == {Metric.ESTIMATED_KEYS: 8.0, Metric.ESTIMATED_READ_UNITS: 4.0}
    expected["read_units"] = {"estimate": None}  # type: ignore[dict-item]
    assert of_finished(took, sampled, ScanCounts(), lists_keys=True) == run
    assert (of_plan(sampled), of_plan({})) == ({Metric.ESTIMATED_KEYS: 8.0}, {})
    changed = {"put": 1, "deleted": 2, "sent": 4, "written": 8, "copied": 16, "present": 32}
    job = {
        Metric.JOBS_FINISHED: 1,
        Metric.JOB_WRITTEN_ITEMS: 31,
        Metric.JOB_FAILED_ITEMS: 5,
        Metric.JOB_WRITE_UNITS: 7.0,
        Metric.JOB_SECONDS: 3.0,
    }
    failed_ = RetrofitCounts(refused=5)
    assert of_finished({**took, **changed}, sampled, failed_, lists_keys=False) == job
    ended_ = of_finished({**took, **changed, "ended": 6}, {}, failed_, lists_keys=False)
    assert ended_ == {**job, Metric.JOB_ENDED_KEYS: 6}


def test_a_batch_is_counted_with_what_it_consumed() -> None:
    both = {Metric.REQUESTS: 3, Metric.THROTTLED_REQUESTS: 2, Metric.BATCH_SECONDS: 1.5}
    counts = ScanCounts(keys=9, requests=3, throttles=2, read_units=4.0)
    assert of_batch(counts, seconds=1.5, is_cut_short=True) == {
        **{Metric.KEYS: 9, Metric.READ_UNITS: 4.0, Metric.BATCH_ERRORS: 1},
        **both,
    }
    job = RetrofitCounts(items=9, requests=3, throttles=2, write_units=6.0)
    assert of_batch(job, seconds=1.5, is_cut_short=False) == {Metric.WRITE_UNITS: 6.0, Metric.BATCH_ERRORS: 0, **both}
