"""The status of a run: its state, how much of it is done, when it should end, and what it has cost."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.act.kind import ACT
from skipscan.dynamodb.table_description import TableDescription
from skipscan.environment.execution import Execution
from skipscan.environment.status import State, Status, state
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing
from skipscan.loop.kind import Failure, Kind
from skipscan.loop.work import ExecutionId
from skipscan.pace.progress import Progress
from skipscan.scan.cursor import Cursor
from skipscan.scan.progress import ScanCounts, ScanPosition, ScanProgress
from skipscan.stored.moment import Moment

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)
TABLE = TableDescription.from_json(
    {
        "TableStatus": "ACTIVE",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
        "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
    }
)
RUN = LISTING.new_work(
    ExecutionId("r", "arn", BEGUN.isoformat()),
    plan_listing(parse({"table": "Orders", "segments": 10, "workers": 2}), TABLE),
)


def explained(keys: float, minutes: float) -> dict[str, Any]:
    expected = {"keys": {"estimate": keys}, "minutes": minutes}
    return {**RUN.to_json(), "explanation": {"choice": {"expected": expected}}}


def reached(worker: int, *, opened: int, under_way: int = 0, keys: int = 0, read_units: float = 0.0) -> ScanProgress:
    """Return a worker's progress. `under_way`: how many of its started segments are unfinished."""
    counts, cursors = ScanCounts(keys=keys, read_units=read_units), tuple(Cursor(number) for number in range(under_way))
    return Progress(worker, ScanPosition(opened, cursors), counts, batch=1)


def status(document: dict[str, Any] | None = None, *progress: ScanProgress, seconds: float = 60) -> Status:
    reached = {one.worker: one for one in progress}
    committed, at = BEGUN + timedelta(seconds=seconds) if progress else None, BEGUN + timedelta(seconds=seconds + 5)
    moment = Moment(LISTING, at, document or RUN.to_json(), reached=reached, committed=committed)
    return Status(LISTING, "Orders", "r", State.RUNNING, at, moment=moment)


def with_stored(status: Status, **changes: Any) -> Status:
    """Return the status with changes in what is stored."""
    assert status.moment
    return replace(status, moment=replace(status.moment, **changes))


def test_work_with_a_manifest_is_finished_while_its_execution_compares() -> None:
    assert state(plan={"dry_run": False}, parts=True, manifest=True, is_running=True) is State.FINISHED


@pytest.mark.parametrize(("committed", "idle"), [(None, 60), (-600, 60), (20, 40)])
def test_work_whose_workers_fail_is_idle_since_its_last_commit_in_this_execution(
    committed: float | None, idle: float
) -> None:
    """A resumed run has commits of earlier executions."""
    execution: Any = SimpleNamespace(started=BEGUN, status="RUNNING")
    failing = replace(
        with_stored(status(), committed=None if committed is None else BEGUN + timedelta(seconds=committed)),
        state=State.RUNNING,
        at=BEGUN + timedelta(seconds=60),
        execution=execution,
        failures=(Failure(0, 1, BEGUN.isoformat(), "BatchError", "cause"),),
    )
    assert failing.idle == timedelta(seconds=idle)
    assert replace(failing, failures=()).idle is None


EXECUTION = Execution(
    "r",
    "arn:aws:states:us-east-1:000000000000:execution:skipscan-dev:r",
    "FAILED",
    BEGUN,
    {"table": "Orders", "max_read_units": 5},
    "BudgetError",
    "a cause",
)
NOTHING = {"items": 0, "requests": 0, "skips_ignored": 0, "throttles": 0, "lookups": 0, "ended": 0}


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (State.STARTING, ["time | time | 1 min 30 s since 2026-01-01 00:00:00 UTC", "error", "cause"]),
        (State.UNFINISHED, ["error", "cause"]),
        (State.FINISHED, []),
    ],
)
def test_what_step_functions_knows_of_work_is_said_beside_its_figures(state: State, said: list[str]) -> None:
    execution = replace(EXECUTION, output={"diff": {"outcome": "first", "reason": "it is new"}})
    workers = {"running": 1200, "failed": 0, "succeeded": 2}
    failures = (Failure(1, 0, BEGUN.isoformat(), "BatchError", "no answer"),)
    run = Status(LISTING, "Orders", "monday", state, BEGUN, execution, workers_by_state=workers, failures=failures)
    ended = {"error": "BudgetError (execution FAILED)", "cause": "worker 1: BatchError: no answer"}
    assert [
        f"{one.group} | {one.heading} | {one.words} {one.note}".strip()
        for one in run.figures(now=BEGUN + timedelta(seconds=90))
    ] == [
        *(line for line in said if line not in ended),
        "proved | compared | nothing to compare with: it is new",
        "execution | Map | 1,200 running, 2 succeeded",
        "execution | execution | r, which resumed the run",
        *(f"execution | {line} | {ended[line]}" for line in said if line in ended),
    ]


def test_the_document_of_work_without_a_plan_has_nothing_under_the_same_names() -> None:
    run = status(explained(keys=400, minutes=9))
    known, unknown = run.to_json(), replace(run, moment=None).to_json()
    assert known.keys() - unknown.keys() == {"read_units", *NOTHING}
    nothing = {"keys": 0, "segments": 0, "segments_left": 0, "workers": [], "warnings": [], "failures": []}
    named = {"kind": "run", "table": "Orders", "run": "r", "state": "running"}
    assert unknown == {**dict.fromkeys(known.keys() & unknown.keys()), **named, **nothing}
    profile = {"page": "https://profile", "uri": "s3://bucket/profile.json"}
    profiled = status({**RUN.to_json(), "profile": profile})
    assert (profiled.to_json()["profile"], profiled.page, run.page) == (profile, "https://profile", None)
    skipped = replace(run, execution=replace(EXECUTION, output={"skipped": True, "earlier": "sunday"}))
    assert skipped.to_json()["earlier"] == "sunday"


def test_the_document_for_programs_has_these_fields() -> None:
    """Programs read them by these names (docs/commands.md, `status --json`)."""
    run = replace(
        status(explained(keys=400, minutes=9), reached(0, opened=4, under_way=1, keys=100, read_units=8.0)),
        execution=EXECUTION,
        workers_by_state={"running": 1},
        failures=(Failure(1, 0, BEGUN.isoformat(), "BatchError", "no answer"),),
        manifest_uri="s3://bucket/manifest.json",
        report="https://report",
    )
    assert {**run.to_json(), "dollars": {}} == {
        "kind": "run",
        "table": "Orders",
        "run": "r",
        "state": "running",
        "dry_run": False,
        "started": "2026-01-01T00:00:00.000+00:00",
        "finished": None,
        "committed": "2026-01-01T00:01:00.000+00:00",
        "keys": 100,
        "read_units": 8.0,
        **NOTHING,
        "per_second": 1.667,
        "expected": 400.0,
        "part_done": 0.35,
        "estimated_end": "2026-01-01T00:02:51.428+00:00",
        "dollars": {},
        "segments": 10,
        "segments_left": 7,
        "workers": [
            {
                **{"worker": 0, "batches": 1, "keys": 100, "read_units": 8.0, **NOTHING},
                **{"segments": 5, "segments_left": 2, "done": False},
            },
            {
                **{"worker": 1, "batches": 0, "keys": 0, "read_units": 0.0, **NOTHING},
                **{"segments": 5, "segments_left": 5, "done": False},
            },
        ],
        "workers_by_state": {"running": 1},
        "execution": {
            "name": "r",
            "arn": EXECUTION.arn,
            "status": "FAILED",
            "error": "BudgetError",
            "link": "https://us-east-1.console.aws.amazon.com/states/home?region=us-east-1#/v2/executions/details/"
            + EXECUTION.arn,
        },
        "warnings": [],
        "failures": [{"worker": 1, "batch": 0, "at": BEGUN.isoformat(), "error": "BatchError", "cause": "no answer"}],
        "manifest": None,
        "report": "https://report",
    }


@pytest.mark.parametrize(
    ("kind", "document", "expected"),
    [
        (LISTING, {"dry_run": True}, True),
        (LISTING, {}, False),
        (ACT, {}, True),
        (ACT, {"dry_run": False}, False),
        (ACT, {"resume": "r"}, False),
        (ACT, {"dry_run": None}, True),
        (ACT, {"dry_run": False, "resume": None}, False),
        (ACT, {"resume": None}, True),
        (LISTING, {"dry_run": None}, False),
        (ACT, {"dry_run": "false"}, None),
        (LISTING, None, None),
    ],
)
def test_work_without_a_plan_is_a_dry_run_if_its_input_asked_for_one(
    kind: Kind[Any], document: dict[str, Any] | None, expected: bool | None
) -> None:
    execution = None if document is None else replace(EXECUTION, document=document)
    found = Status(kind, "Orders", "r", State.REFUSED, BEGUN, execution)
    assert (found.is_dry_run, found.to_json()["dry_run"]) == (expected, expected)


@pytest.mark.parametrize(
    ("diff", "document", "has_changed", "said"),
    [
        (None, {}, None, None),
        ({"outcome": "first", "reason": "it is new"}, {}, None, "nothing to compare with: it is new"),
        ({"outcome": "refused", "reason": "other scope"}, {}, None, "not compared: other scope"),
        ((0, 0), {}, False, "0 new keys, 0 vanished since monday"),
        ((1, 0), {}, True, "1 new key, 0 vanished since monday"),
        ((0, 1200), {}, True, "0 new keys, 1,200 vanished since monday"),
        ((2, 3), {"delimiter": "#"}, True, "2 new groups, 3 vanished since monday"),
        ((2, 3), {"prefix_length": 4}, True, "2 new groups, 3 vanished since monday"),
    ],
)
def test_the_outcome_of_a_comparison_is_read_from_the_output(
    diff: Any, document: dict[str, Any], has_changed: bool | None, said: str | None
) -> None:
    if isinstance(diff, tuple):
        diff = {"outcome": "compared", "new_keys": diff[0], "vanished_keys": diff[1], "old": "monday"}
    execution = replace(EXECUTION, document=document, output={"diff": diff} if diff else None)
    assert (execution.changes, execution.has_changed, execution.compared) == (diff, has_changed, said)


@pytest.mark.parametrize(
    ("state", "dry_run", "status_", "has_failed", "can_be_resumed"),
    [
        (State.STARTING, False, "RUNNING", False, False),
        (State.RUNNING, False, "RUNNING", False, False),
        (State.FINISHED, False, "SUCCEEDED", False, False),
        (State.PROFILED, False, "SUCCEEDED", False, False),
        (State.UNREADABLE, False, "SUCCEEDED", False, False),
        (State.UNFINISHED, False, "FAILED", True, True),
        (State.UNFINISHED, False, None, True, True),
        (State.PLANNED, False, "FAILED", True, True),
        (State.PLANNED, True, "SUCCEEDED", False, False),
        (State.PLANNED, True, None, False, False),
        (State.PLANNED, True, "ABORTED", True, False),
        (State.REFUSED, False, "FAILED", True, False),
    ],
)
def test_work_has_failed_if_it_neither_runs_nor_has_what_it_was_to_make(
    state: State, dry_run: bool, status_: str | None, has_failed: bool, can_be_resumed: bool
) -> None:
    plan = {**RUN.to_json(), "dry_run": dry_run}
    execution = replace(EXECUTION, status=status_) if status_ else None
    run = replace(status(plan), state=state, execution=execution)
    assert (run.has_failed, run.can_be_resumed) == (has_failed, can_be_resumed)
    assert not replace(run, moment=None).can_be_resumed


@pytest.mark.parametrize(
    ("error", "document", "fields"),
    [
        ("BudgetError", {"max_read_units": 5, "max_dollars": None}, ["max_read_units"]),
        ("BudgetError", {"max_dollars": 1}, ["max_dollars"]),
        ("BudgetError", {}, []),
        ("BatchError", {"max_read_units": 5}, []),
    ],
)
def test_the_budgets_that_ended_an_execution_are_those_that_its_input_bounds(
    error: str, document: dict[str, Any], fields: list[str]
) -> None:
    run = replace(status(), execution=replace(EXECUTION, error=error, document=document))
    assert run.used_up == fields
    assert replace(run, execution=None).used_up == replace(run, moment=None).used_up == []
