"""Whole screens, as files: `pytest --snapshot-update` writes them again, in a commit that says why they changed."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.console import RenderableType
from syrupy.assertion import SnapshotAssertion

from skipscan.cli.board import board, plain, status_line
from skipscan.cli.plan_table import plan_table
from skipscan.cli.preview import job_preview
from skipscan.cli.runs_table import Listed
from skipscan.environment.status import State
from tests.unit.cli.board.test_board import NOW, ended, resumed
from tests.unit.cli.board.test_screens import PLAN, a_run
from tests.unit.cli.test_preview import PREVIEWS
from tests.unit.environment.test_status import explained, reached, status

UNDER_WAY = status(explained(keys=400, minutes=9), reached(0, opened=2, keys=100, read_units=2_000.5))
SCREENS: dict[str, Callable[[], RenderableType]] = {
    "a run under way": lambda: board(UNDER_WAY, None, NOW),
    "its line in a log": lambda: status_line(UNDER_WAY, None, NOW),
    "a run that another execution resumed": lambda: board(resumed(State.UNFINISHED), None, NOW),
    "a finished run": lambda: board(ended(), None, NOW),
    "a list": lambda: Listed([replace(a_run(state), table="Orders", name="monday") for state in State], has_table=True),
    "a plan": lambda: plan_table(PLAN),
}


@pytest.mark.parametrize("screen", SCREENS)
def test_the_screen_of(screen: str, snapshot: SnapshotAssertion) -> None:
    assert plain(SCREENS[screen]()) == snapshot


@pytest.mark.parametrize("noun", PREVIEWS)
def test_the_preview_of(noun: str, snapshot: SnapshotAssertion) -> None:
    assert plain(job_preview(noun, PREVIEWS[noun])) == snapshot
