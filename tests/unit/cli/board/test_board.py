"""What is drawn of a run."""

from dataclasses import replace
from datetime import timedelta
from io import BytesIO, StringIO, TextIOWrapper
from typing import Any, cast

import pytest
from rich.console import Console, RenderableType

from skipscan.act.task_source import ActCounts
from skipscan.cli.board import board, plain, show, status_line
from skipscan.cli.runs_table import Listed
from skipscan.copy.item import CopyCounts
from skipscan.copy.kind import COPY
from skipscan.environment.status import Execution, State, Status
from skipscan.listing.kind import LISTING
from skipscan.loop.kind import FAILED, IN_FAILED, Failure, Kind
from skipscan.pace.bill import Bill
from skipscan.pace.counts import Counts
from skipscan.retrofit.item import RetrofitCounts
from skipscan.scan.progress import ScanCounts
from tests.fakes.pair import copy_plan
from tests.unit.environment.test_status import BEGUN, RUN, explained, reached, status
from tests.unit.loop.test_proof import NAMED, WHOLE

NOW = BEGUN + timedelta(seconds=70)


def test_a_name_does_not_turn_a_drawing_around() -> None:
    run = replace(status(explained(keys=400, minutes=9)), name="night\u202eyl\u2066")
    terminal = Console(file=StringIO(), force_terminal=True, color_system="standard")
    with terminal.capture() as drawn:
        terminal.print(board(run, None, NOW))
    assert "\x1b[1mnight\ufffdyl\ufffd" in drawn.get()
    assert all("night\ufffdyl\ufffd" in plain(drawing) for drawing in (board(run, None, NOW), Listed([run])))


def styles(drawing: RenderableType) -> dict[str, str]:
    """Return the style of each text of a drawing; of a text that comes more than once, that of its last place."""
    console = Console(file=StringIO(), width=400, force_terminal=True, color_system="standard", legacy_windows=False)
    return {each.text.strip(): str(each.style or "none") for each in console.render(drawing)}


@pytest.mark.parametrize(
    ("state", "style"),
    [
        (State.STARTING, "bold cyan"),
        (State.RUNNING, "bold cyan"),
        (State.FINISHED, "bold green"),
        (State.PROFILED, "bold green"),
        (State.UNFINISHED, "bold yellow"),
        (State.PLANNED, "bold red"),
        (State.REFUSED, "bold red"),
        (State.UNREADABLE, "bold red"),
    ],
)
def test_the_colour_of_a_state_says_whether_somebody_must_act(state: State, style: str) -> None:
    drawn = styles(board(replace(status(explained(keys=400, minutes=9)), state=state), None, NOW))
    assert (drawn[str(state)], drawn["Orders"], drawn["r"]) == (style, "bold", "bold")


@pytest.mark.parametrize(
    ("batches", "after", "said"), [(0, 5, " in about 10 s."), (0, 15, "only."), (1, 70, "50 s."), (2, 60, "240 s.")]
)
def test_running_work_says_when_its_figures_change(batches: int, after: int, said: str) -> None:
    run = replace(status(explained(keys=400, minutes=9), reached(0, opened=2, keys=100)), state=State.RUNNING)
    progress = replace(cast(Any, (run.reached or {})[0]), batch=batches)
    committed = BEGUN + timedelta(seconds=60) if batches else None
    now = BEGUN + timedelta(seconds=after)
    drawn = plain(board(replace(run, reached={0: progress}, committed=committed), None, now))
    assert drawn.splitlines()[-1].endswith(said), drawn


def test_names_and_notes_are_pale_and_figures_are_not() -> None:
    run = status(explained(keys=400, minutes=9), reached(0, opened=2, keys=100))
    drawn = styles(board(run, None, NOW))
    pale = {text for text, style in drawn.items() if style == "dim"}
    assert pale == {
        *("time", "keys", "read units", "dollars", "segments", "left"),
        *("worker", "batches", "segments left", "Figures cover committed batches only; the next come in about 50 s."),
    }
    assert (drawn["━" * 10], drawn["1 min 10 s"]) == ("cyan", "none")


def test_a_bar_is_seen_without_colours_and_a_run_whose_segments_are_done_waits_for_finish() -> None:
    half = status(explained(keys=400, minutes=9), reached(0, opened=2, keys=200))
    assert f"{'━' * 20}{'─' * 20} 50%" in plain(board(half, None, NOW))
    read = status(explained(keys=400, minutes=9), reached(0, opened=5, keys=200), reached(1, opened=5, keys=200))
    drawn = plain(board(read, None, NOW))
    assert "Finish checks the results and writes the manifest" in drawn
    assert "estimated end" not in drawn


@pytest.mark.parametrize("noun", WHOLE)
def test_what_was_not_done_is_counted_and_a_run_has_nothing_of_the_kind(noun: str) -> None:
    kind, reached = WHOLE[noun].kind, {one.worker: one for one in WHOLE[noun].reached}
    document = kind.begun(NAMED, WHOLE[noun].plan).to_json()
    work = Status(kind, "Orders", "r", State.RUNNING, NOW, plan=document, reached=reached, committed=NOW)
    shown = [plain(board(work, None, NOW)), status_line(work, None, NOW)]
    assert [f"in {FAILED}/" in said for said in shown] == [noun != "listing"] * 2
    if noun != "listing":
        assert f"in {FAILED}/  " in shown[0]
        assert f"10  {IN_FAILED}\n" in shown[0]
        assert f"  10 in {FAILED}/  " in shown[1]


def finished(kind: Kind[Any, Any], plan: Any, counts: Counts) -> Status:
    ended = {"seconds": 2.0, "finished": "2026-01-01T00:00:02Z", f"{kind.unit}_left": 0, "dollars": Bill().to_json()}
    work = kind.begun(NAMED, plan).to_json()
    return Status(kind, "Orders", "r", State.FINISHED, NOW, plan=work, manifest={**vars(counts), **ended})


def shown(work: Status) -> list[str]:
    """Return the board, the line and the row of a list."""
    console = Console(file=StringIO(), width=400, record=True)
    console.print(Listed([work]))
    return [plain(board(work, None, NOW)), status_line(work, None, NOW), console.export_text()]


@pytest.mark.parametrize(
    ("noun", "counts", "said"),
    [
        ("act", ActCounts(keys=1_004, put=3, present=1_001, requests=1_004), "3 put, 1,001 present"),
        ("retrofit", RetrofitCounts(items=5, right=5, verified=5), "5 right already, 5 verified, 0 wrong"),
        (
            "copy",
            CopyCounts(items=5, copied=4, refused=1, compared=9, missing=1),
            "4 copied, 1 refused, 9 compared, 1 missing, 0 surplus, 0 different",
        ),
    ],
)
def test_a_job_says_what_became_of_its_keys_or_items(noun: str, counts: Counts, said: str) -> None:
    assert [said in screen for screen in shown(finished(WHOLE[noun].kind, WHOLE[noun].plan, counts))] == [True] * 3


def test_a_job_that_only_compares_counts_what_it_compared() -> None:
    compared = CopyCounts(compared=1_010, missing=2, listed=2)
    drawn, printed, entry = shown(finished(COPY, copy_plan(4, 2, verify=True, compare_only=True), compared))
    assert "compared     1,010  505 a second\n                    2 missing, 0 surplus, 0 different\n" in drawn
    assert "  1,010 compared  505 compared/s  2 missing, 0 surplus, 0 different  " in printed
    assert "1,010 compared (2 missing, 0 surplus, 0 different), $0, 2 in failed/, " in entry
    assert "items" not in drawn + printed + entry


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
    manifest = {**vars(ScanCounts()), **figures, "dollars": Bill().to_json()}
    pages = {"manifest_uri": "s3://bucket/manifest.json", "report": "https://example.com/report.html"}
    return replace(status(), state=State.FINISHED, manifest=manifest, **{**pages, **more})


def test_an_address_is_a_link_and_breaks_only_in_a_drawing_that_is_updated() -> None:
    def lines(*, moving: bool) -> list[str]:
        console = Console(file=StringIO(), width=30, force_terminal=True, legacy_windows=False, record=True)
        console.print(board(ended(), None, NOW, moving=moving), crop=False)
        return console.export_text().splitlines()

    assert lines(moving=False)[-2:] == [
        "manifest  s3://bucket/manifest.json",
        "report  https://example.com/report.html",
    ]
    folded = ["manifest  ", "s3://bucket/manifest.json", "report  ", "https://example.com/report.htm", "l"]
    assert [line.rstrip() for line in lines(moving=True)[-5:]] == [line.rstrip() for line in folded]
    console = Console(file=StringIO(), width=400, force_terminal=True, legacy_windows=False)
    links = {each.text: each.style.link for each in console.render(board(ended(), None, NOW)) if each.style}
    assert {text: link for text, link in links.items() if link} == {ended().report: ended().report}
    assert styles(board(ended(), None, NOW))["report"] == "dim"


def test_units_of_a_small_run_are_not_shown_as_free() -> None:
    run = finished(LISTING, RUN.plan, ScanCounts(keys=4, items=17, requests=20, read_units=2.5))
    assert run.manifest
    assert run.manifest["dollars"]["units"] == 0  # rounded to six decimals
    assert "<$0.000001 for units" in plain(board(run, None, NOW))
    more = finished(LISTING, RUN.plan, ScanCounts(keys=4, items=17, requests=20, read_units=72.0))
    assert "$0.000009 for units" in plain(board(more, None, NOW))


@pytest.mark.parametrize(("encoding", "drawn"), [("cp1252", "? Größe"), ("utf-8", "━ Größe")])
def test_a_file_gets_what_its_encoding_has(monkeypatch: pytest.MonkeyPatch, encoding: str, drawn: str) -> None:
    written = BytesIO()
    monkeypatch.setattr("sys.stdout", TextIOWrapper(written, encoding=encoding, newline="\n"))
    show("━ Größe")
    assert written.getvalue().decode(encoding) == f"{drawn}\n"
