"""What a real terminal of 80, 100 and 120 columns shows: a pseudo-terminal, read by a terminal emulator."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from struct import pack

import pytest
from pyte import HistoryScreen, Stream

from tests.unit.cli.program import VARIABLES

pytestmark = [pytest.mark.posix, pytest.mark.slow]

LINES = 40
FOLLOWING = """
from types import SimpleNamespace
from tests.unit.cli.board.test_screens import a_run
from skipscan.cli import follow
from skipscan.environment.status import State
follow.sleep = lambda seconds: None
watch = SimpleNamespace(look=lambda: a_run(State.FINISHED))
follow.follow(watch, a_run(State.RUNNING), as_json=False, env="dev")
"""
LIVE_LINE = """
from skipscan.cli.say import LiveLine
line = LiveLine()
line.show("12 of 34 segments")
line.show("13 of 34 segments")
"""


def on_a_terminal(program: Sequence[str], columns: int) -> list[str]:
    """Return the lines that a terminal shows after a program has run there."""
    return [line.rstrip() for line in screen_after(program, columns).display if line.strip()]


def screen_after(program: Sequence[str], columns: int, **variables: str) -> HistoryScreen:
    """Return the screen of a terminal after a program has run there."""
    stream = Stream(screen := HistoryScreen(columns or 80, LINES, history=1000))
    stream.feed(written_to(program, columns, **variables))
    return screen


def written_to(program: Sequence[str], columns: int, **variables: str) -> str:
    """Return what a program has written to its terminal. `columns`: 0 if the terminal does not tell them."""
    import pty  # Windows has none of these
    from fcntl import ioctl
    from termios import TIOCSWINSZ

    main, side = pty.openpty()
    ioctl(side, TIOCSWINSZ, pack("HHHH", LINES, columns, 0, 0))
    # A worker of xdist has a width of its own in these, which Rich would believe.
    outer = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
    environment = {**outer, **VARIABLES, "TERM": "xterm-256color", "PYTHONPATH": "lambdas:.", **variables}
    with subprocess.Popen(program, stdin=side, stdout=side, stderr=side, env=environment, cwd=Path.cwd()) as process:
        os.close(side)
        written = b""
        while True:
            try:
                read = os.read(main, 65536)
            except OSError:  # Linux: the other side is closed
                break
            if not read:
                break
            written += read
        process.wait(60)
    os.close(main)
    return written.decode()


MISTAKES = [
    ["keys", "Orders", "--segments", "5000000"],
    ["runs", "Orders", "--env", "an environment"],
    ["download", "a/b", "--env", "dev"],
]


@pytest.mark.sampled(4)  # each mistake once, at another width
@pytest.mark.parametrize("columns", [80, 100, 120])
@pytest.mark.parametrize("mistake", MISTAKES, ids=" ".join)
def test_an_error_breaks_between_words(mistake: list[str], columns: int) -> None:
    program = [sys.executable, "-m", "skipscan", *mistake]
    piped = subprocess.run(
        program, env={**os.environ, **VARIABLES, "PYTHONPATH": "lambdas"}, capture_output=True, text=True, check=False
    )
    said = " ".join(piped.stderr.split())
    assert len(said) > 80
    lines = on_a_terminal(program, columns)
    assert " ".join(lines) == said
    assert len(lines) > 1 or columns >= len(said)


@pytest.mark.parametrize(("variables", "colour"), [({"NO_COLOR": ""}, "red"), ({"NO_COLOR": "1"}, "default")])
def test_an_error_is_red_unless_colours_are_not_wanted(variables: dict[str, str], colour: str) -> None:
    screen = screen_after([sys.executable, "-m", "skipscan", "statsu"], 80, **variables)
    assert screen.display[0].startswith("skipscan: No such command")
    assert {character.fg for column, character in screen.buffer[0].items() if character.data.strip()} == {colour}


def test_a_terminal_that_cannot_draw_again_gets_lines() -> None:
    said = written_to([sys.executable, "-c", FOLLOWING], 80, TERM="dumb")
    assert [line.split()[3] for line in said.splitlines()] == ["running", "finished"]
    assert written_to([sys.executable, "-c", LIVE_LINE], 80, TERM="dumb") == ""
    assert "\x1b" not in written_to([sys.executable, "-m", "skipscan", "statsu"], 80, TERM="dumb")
