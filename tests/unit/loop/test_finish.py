"""What the end of work says: why it stopped, where to read on, and what was predicted of it."""

from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.errors import TableError
from skipscan.items.progress import ItemPosition
from skipscan.loop.dependencies import Dependencies
from skipscan.loop.finish import NO_ADDITIONS, Additions, estimated, finish
from skipscan.loop.kind import progress_to_json, worker_state
from skipscan.loop.storage import StoredPart
from skipscan.loop.work import ExecutionId, Work
from skipscan.pace.progress import Progress
from skipscan.retrofit.item import RetrofitCounts
from skipscan.retrofit.kind import RETROFIT
from tests.fakes.small_table import retrofit_plan
from tests.refusal import failed

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
    log: Any = SimpleNamespace(append_keys=lambda **_: None, info=lambda *_, **__: None)
    dependencies: Any = Dependencies(log, lambda *_, **__: None, fault=lambda _: None, scrub=lambda error: error)  # type: ignore[arg-type,return-value]
    reported = {0: {"worker": 0, "parts": 1, **vars(counts)}}

    def finished(extras: Additions) -> dict[str, Any]:
        return finish(
            RETROFIT,
            work,
            reported,
            results,
            dependencies,
            check_tables=lambda _: None,
            extras=lambda *_: extras,
        )

    dollars = [finished(extras)["dollars"]["total"] for extras in (NO_ADDITIONS, ({"indexed": 3}, 8e6))]
    assert dollars[1] - dollars[0] == pytest.approx(1.0)
    assert [document.get("indexed") for document in written] == [0, 3]
    assert written[1]["dollars"]["total"] == dollars[1]


def test_a_worker_whose_table_is_gone_ends_the_work_whichever_worker_it_is() -> None:
    work = Work("retrofit", NAMED, retrofit_plan())
    reported: dict[int, dict[str, Any]] = {
        0: {"worker": 0, "parts": 1},
        1: {"worker": 1, "ended_by": "made-up"},
    }
    log: Any = SimpleNamespace(append_keys=lambda **_: None, error=lambda *_, **__: None)
    dependencies: Any = Dependencies(log, lambda *_, **__: None, fault=lambda _: None, scrub=lambda error: error)  # type: ignore[arg-type,return-value]
    unread: Any = SimpleNamespace()
    with failed(TableError, "made-up"):
        finish(RETROFIT, work, reported, unread, dependencies, check_tables=lambda _: None)


# The metrics at the end of each kind of job: items written, whatever the job calls that.


def test_what_a_plan_predicted_of_a_job_is_compared_with_its_counts() -> None:
    expected = {"read_units": 3.0, "write_units": 5.0, "dollars": 0.1, "workers": 2}
    assert estimated({"explanation": expected}) == {"read_units": 3.0, "write_units": 5.0, "dollars": 0.1}


def test_a_state_that_would_be_too_long_leads_to_its_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    progress, plan = Progress(0, ItemPosition(3), RetrofitCounts(), batch=1), retrofit_plan()
    assert worker_state(progress, plan) == progress_to_json(progress, plan)
    monkeypatch.setattr("skipscan.loop.kind.STATE_BYTES", 10)
    short = worker_state(progress, plan)
    assert (short["worker"], short["batch"], short["in_checkpoint"], "cursors" in short) == (0, 1, True, False)
