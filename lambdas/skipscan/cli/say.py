"""What a command tells people, on stderr, and its exit status.

A terminal gets lines that break between words, never within them.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from textwrap import wrap

import click

from skipscan.inputs.names import visible

NARROWEST = 20
"""Columns below which nothing is wrapped here."""


def say(message: str, *, is_error: bool = False) -> None:
    """Print a message of this program: of an error in red on a terminal, unless NO_COLOR is set (no-color.org)."""
    say_line(f"skipscan: {message}", is_error=is_error)


def say_line(line: str, *, is_error: bool = False) -> None:
    """Print a line in the same way without the program's name."""
    text = visible(line)
    if sys.stderr.isatty():
        text = wrapped(text, _columns())
        if is_error and can_redraw() and not os.environ.get("NO_COLOR"):
            text = click.style(text, fg="red")
    click.echo(text, err=True)


def can_redraw() -> bool:
    """Return whether stderr is a terminal that can colour a line and draw it again: not a log, nor Emacs's shell."""
    return sys.stderr.isatty() and os.environ.get("TERM", "").lower() not in {"dumb", "unknown"}


def _columns() -> int:
    """Return the width of the terminal at stderr, 0 if it is not known; stdout may be a pipe."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        return 0


def wrapped(text: str, columns: int) -> str:
    """Return a text wrapped at this number of columns. Words, and commands in backticks, stay whole if they fit.

    A longer word, such as a link, has a line of its own: the terminal breaks it, and still copies it whole.
    """
    if columns < NARROWEST:
        return text
    return "\n".join(_wrapped(line, columns) for line in text.split("\n"))


def _wrapped(line: str, columns: int) -> str:
    if len(line) <= columns:
        return line
    pieces = line.split("`")
    for place in range(1, len(pieces) - 1, 2):
        if len(pieces[place]) + 2 <= columns:
            pieces[place] = pieces[place].replace(" ", KEPT)
    text = COMMAND_AT_THE_END.sub(lambda found: found[0].replace(" ", KEPT), "`".join(pieces))
    indent = " " * (len(line) - len(line.lstrip(" ")))
    lines = wrap(text, columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace(KEPT, " ")


COMMAND_AT_THE_END = re.compile(r"(?<=: )(skipscan|aws) [^`]*$")

KEPT = "\x00"
"""Stands for a space at which no line may break."""


RUN_FAILED = 3
DEFECT = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 130
READER_GONE = 141  # the status that a shell reports for a program that SIGPIPE ended

STATUSES = {
    0: "success",
    1: "AWS, the table or a file refused a request",
    2: "the command line is wrong",
    RUN_FAILED: "the run or job was refused, failed or was stopped, or a cut-over proved nothing; stderr shows why",
    DEFECT: "a defect of skipscan; the message says where",
    INTERRUPTED: "Ctrl-C, SIGTERM or a closed terminal (SIGHUP)",
    READER_GONE: "output pipe closed (SIGPIPE)",
}


@contextmanager
def waiting(what: str) -> Iterator[Callable[[str], object]]:
    """Show what the command waits for, and for how long; write nothing where no line can be drawn again.

    Yields the function that shows another text.
    """
    from rich.console import Console  # noqa: PLC0415 (takes longer than `--help` may)
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415 (as above)

    if not can_redraw():
        yield lambda _text: None
        return
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda text: progress.update(task, description=text)
