"""Nothing that a terminal shows is cut, however narrow it is, and all times have one form."""

from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from rich.console import Console, RenderableType

from skipscan import form
from skipscan.cli.board import board, plain
from skipscan.cli.plan_table import plan_table
from skipscan.cli.preview import job_preview
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.environment.execution import Execution
from skipscan.environment.status import State, Status
from tests.unit.cli.board.test_board import NOW, ended, listed
from tests.unit.cli.test_preview import PREVIEWS
from tests.unit.environment.test_status import BEGUN, explained, reached, status, with_stored

TABLE = "a_table-of.many-words_" * 5 + "the-end"
NAME = "nightly-run-with_a.long-name-" * 2 + "the-end"
INTERVAL = {"estimate": 1_234_567.0, "low": 1_000_000.0, "high": 2_345_678.0}
PLAN: dict[str, Any] = {
    "keys": INTERVAL,
    "choice": {"strategy": "skip scan", "reason": f"Skip index {NAME}.", "segments": 1000, "workers": 100},
    "sample": {"read_units": 20.5, "seed": 7},
    "strategies": [
        {
            "strategy": name,
            "requests": INTERVAL,
            "read_units": INTERVAL,
            "dollars": {"estimate": 0.1234, "units": 0.1111},
            "minutes": 12.3,
        }
        for name in ("skip scan", "skip scan with Limit=1", "full scan")
    ],
    "warnings": [f"index {NAME} is being backfilled"],
    "prices": form.write(US_EAST_1),
}


def a_run(state: State = State.RUNNING) -> Status:
    """Return a run whose names are long, at 0, 50 or 100 % by its state."""
    counted = reached(0, opened=2, keys=123_456_789, read_units=1_234_567.5)
    running = replace(status(explained(keys=300_000_000, minutes=9), counted), table=TABLE, name=NAME, state=state)
    ended = Execution(NAME, "arn", "FAILED", BEGUN, {}, "BudgetError", "the budget is used up")
    return replace(running, execution=ended) if state is State.UNFINISHED else running


SCREENS: dict[str, tuple[Callable[[], RenderableType], str]] = {
    "a board under way": (lambda: board(a_run(), None, NOW), TABLE + "run" + NAME),
    "a board of what ended early": (lambda: board(a_run(State.UNFINISHED), None, NOW), "BudgetError"),
    "a plan": (lambda: plan_table(PLAN), NAME),
    "a preview": (lambda: job_preview("act", {**PREVIEWS["act"], "first_items": [{NAME: "S"}], "table": TABLE}), TABLE),
}


@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_is_cut(screen: str, columns: int) -> None:
    draw, whole = SCREENS[screen]
    console = Console(file=StringIO(), width=columns, force_terminal=True, record=True, highlight=False)
    console.print(draw())
    drawn = console.export_text()
    assert "…" not in drawn, drawn
    assert whole in "".join(drawn.split()), drawn
    assert max(len(text) for text in drawn.splitlines()) <= columns


def test_an_address_is_left_whole_for_the_terminal_to_wrap() -> None:
    console = Console(file=StringIO(), width=30, record=True)
    console.print(board(ended(), None, NOW), crop=False)
    assert "  https://example.com/report.html\n" in console.export_text()


@pytest.mark.parametrize("columns", [80, 100, 120])
@pytest.mark.parametrize("has_table", [False, True])
def test_the_count_in_a_list_is_never_cut(columns: int, has_table: bool) -> None:
    counted = reached(0, opened=2, keys=1_002, read_units=1_234.5)
    run = replace(status(None, counted), table="Orders", name="20261124-062530-9692")
    dry = replace(with_stored(run, document={**(run.plan or {}), "dry_run": True}), state=State.PLANNED)
    _, line, _ = listed(columns, run, dry, has_table=has_table).splitlines()
    assert "  1,002 keys" in line
    assert "…" not in line
    assert not line.endswith(",")


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("has_table", [False, True])
def test_the_name_of_a_job_stands_whole_in_a_list(columns: int, has_table: bool) -> None:
    """It is copied from there."""
    job = replace(status(None, reached(0, opened=2, keys=71)), table="x" * 30, name="retrofit-20261124-062530-9692")
    drawn = listed(columns, job, has_table=has_table)
    assert job.name in drawn
    assert (job.table in drawn) is has_table
    assert len(drawn.splitlines()) == 2 or columns < (120 if has_table else 80)


def test_why_work_failed_stands_whole_below_its_figures_or_beside_them() -> None:
    failed = replace(status(None, reached(0, opened=2, keys=71)), table="Orders", name="night", state=State.UNFINISHED)
    reason = "BudgetError: the budget is --max-read-units 20; 20 read units are consumed"
    for columns, lines in ((60, 4), (200, 2)):
        drawn = listed(columns, failed, reasons={id(failed): reason})
        assert (len(drawn.splitlines()), reason in " ".join(drawn.split()), "71 keys" in drawn) == (lines, True, True)


def test_a_way_whose_size_is_not_known_does_not_look_cheap() -> None:
    unknown = {"estimate": 493.4, "low": 8.0, "high": None}
    dollars = {"estimate": 0.00043, "low": 0.000369, "high": None, "units": 0.0}
    ways = [
        {**PLAN["strategies"][0], "dollars": {"estimate": 0.000461, "low": 0.000411, "high": 0.000572, "units": 0.0}},
        {"strategy": "full scan", "requests": unknown, "read_units": unknown, "dollars": dollars, "minutes": 0.1},
    ]
    drawn = plain(plan_table({**PLAN, "strategies": ways})).splitlines()
    rows = [line for line in drawn if line.startswith(("skip scan", "full scan"))]
    shown = [next(each for each in row.split() if "$" in each) for row in rows]
    assert shown == ["$0.00046", ">$0.00037"]
