"""What is drawn of a run."""

import re
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from skipscan.cli.board import board, plain, status_line
from skipscan.cli.runs_table import Listed
from skipscan.copy.item import CopyCounts
from skipscan.copy.kind import COPY
from skipscan.environment.execution import Execution
from skipscan.environment.status import State, Status
from skipscan.loop.kind import FAILED, IN_FAILED, Failure, Kind
from skipscan.pace.bill import Bill
from skipscan.pace.counts import Counts
from skipscan.scan.progress import ScanCounts
from skipscan.stored.moment import Moment
from tests.fakes.small_table import copy_plan
from tests.unit.environment.test_status import BEGUN, explained, reached, status, with_stored
from tests.unit.loop.test_proof import NAMED, WHOLE

NOW = BEGUN + timedelta(seconds=70)


def test_a_name_does_not_turn_a_drawing_around() -> None:
    run = replace(status(explained(keys=400, minutes=9)), name="night\u202eyl\u2066")
    terminal = Console(file=StringIO(), force_terminal=True, color_system="standard")
    with terminal.capture() as drawn:
        terminal.print(board(run, None, NOW))
    assert "\x1b[1mnight\ufffdyl\ufffd" in drawn.get()
    assert all("night\ufffdyl\ufffd" in plain(drawing) for drawing in (board(run, None, NOW), Listed([run])))


def test_a_bar_is_seen_without_colours_and_a_run_whose_segments_are_done_waits_for_finish() -> None:
    half = status(explained(keys=400, minutes=9), reached(0, opened=2, keys=200))
    assert f"{'━' * 20}{' ' * 20} 50%" in plain(board(half, None, NOW))
    read = status(explained(keys=400, minutes=9), reached(0, opened=5, keys=200), reached(1, opened=5, keys=200))
    drawn = plain(board(read, None, NOW))
    assert "Finish checks the results and writes the manifest" in drawn
    assert "estimated end" not in drawn


@pytest.mark.parametrize("noun", WHOLE)
def test_what_was_not_done_is_counted_and_a_run_has_nothing_of_the_kind(noun: str) -> None:
    kind, reached = WHOLE[noun].kind, {one.worker: one for one in WHOLE[noun].reached}
    document = kind.new_work(NAMED, WHOLE[noun].plan).to_json()
    moment = Moment(kind, NOW, document, reached=reached, committed=NOW)
    work = Status(kind, "Orders", "r", State.RUNNING, NOW, moment=moment)
    shown = [plain(board(work, None, NOW)), status_line(work, None, NOW)]
    assert [f"in {FAILED}/" in said for said in shown] == [noun != "listing"] * 2
    if noun != "listing":
        assert f"in {FAILED}/  " in shown[0]
        assert f"10  {IN_FAILED}\n" in shown[0]
        assert f"  10 in {FAILED}/  " in shown[1]


def finished(kind: Kind[Any], plan: Any, counts: Counts) -> Status:
    ended = {
        "complete": True,
        "seconds": 2.0,
        "finished": "2026-01-01T00:00:02Z",
        f"{kind.unit}_left": 0,
        "dollars": Bill().to_json(),
    }
    moment = Moment(kind, NOW, kind.new_work(NAMED, plan).to_json(), {**vars(counts), **ended})
    return Status(kind, "Orders", "r", State.FINISHED, NOW, moment=moment)


def listed(columns: int, *work: Status, **more: Any) -> str:
    """Return a list as a terminal shows it."""
    console = Console(file=StringIO(), width=columns, record=True)
    console.print(Listed(work, **more))
    return console.export_text()


def test_a_job_that_only_compares_counts_what_it_compared() -> None:
    compared = CopyCounts(compared=1_010, missing=2, listed=2)
    work = finished(COPY, copy_plan(4, 2, verify=True, compare_only=True), compared)
    drawn, printed, entry = plain(board(work, None, NOW)), status_line(work, None, NOW), listed(400, work)
    assert re.search(r"\ncompared items +1,010  measured, in both tables\nmissing +2\nsurplus +0\n", drawn)
    assert "  1,010 compared items (2 missing, 0 surplus, 0 different)  " in printed
    assert "1,010 compared items (2 missing, 0 surplus, 0 different), $0, 2 in failed/, " in entry
    assert "each item" not in drawn + printed + entry
    narrow = " ".join(listed(80, work).split())
    assert " 1,010 compared items, $0, " in narrow
    assert narrow.endswith(" 1,010 compared items (2 missing, 0 surplus, 0 different)")


AGAIN = "arn:aws:states:us-east-1:123456789012:execution:m:again"
FAILURES = tuple(
    Failure(worker, 0, BEGUN.isoformat(), "BatchError", cause) for worker, cause in ((1, "refused"), (0, "other"))
)


def resumed(state: State, **more: Any) -> Status:
    """Return a run that another execution resumed."""
    diff = {"outcome": "compared", "new_keys": 1, "vanished_keys": 2, "old": "monday"}
    execution = Execution("again", AGAIN, "FAILED", BEGUN, {}, "BudgetError", "used up", {"diff": diff})
    run = status(None, replace(reached(0, opened=5), counts=ScanCounts(keys=7, throttles=1_003)))
    return replace(run, state=state, execution=execution, failures=FAILURES, **more)


def ended(**more: Any) -> Status:
    """Return a finished run with its pages."""
    figures = {"seconds": 80.0, "finished": "2026-01-01T00:01:20Z", "segments_left": 0, "keys": 400, "read_units": 9.0}
    manifest = {"complete": True, **vars(ScanCounts()), **figures, "dollars": Bill().to_json()}
    pages = {"manifest_uri": "s3://bucket/manifest.json", "report": "https://example.com/report.html"}
    return replace(with_stored(status(), ending=manifest), state=State.FINISHED, **{**pages, **more})
