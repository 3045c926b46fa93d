"""A command line run in this process, as the shell would run it."""

import io
import sys
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import click

from skipscan.cli.main import run_command_line
from skipscan.cli.say import RUN_FAILED
from skipscan.errors import InputError, SkipscanError, UnprovenError
from tests.refusal import check_refusal

STATUS: dict[type[SkipscanError], int] = {InputError: 2, UnprovenError: RUN_FAILED}
"""The exit statuses of errors; any other: 1."""


@dataclass(frozen=True)
class Done:
    """The result of a command. `error`: what ended it, of which stderr has the words."""

    status: int
    stdout: str
    stderr: str
    error: BaseException | None = None

    def check_refused(self, error: type[SkipscanError], field: str, *held: Any, **facts: Any) -> None:
        """Check that the command ended with this refusal alone; the parameters are those of `ExpectedRefusal.of`."""
        check_refusal(self.error, error, field, *held, **facts)
        assert (self.status, self.stdout) == (STATUS.get(error, 1), ""), self.stderr
        assert self.stderr.startswith("skipscan: ")
        assert "Traceback" not in self.stderr

    def check_misused(self, error: type[click.UsageError], *named: str) -> None:
        """Check that click refused the command line. `named`: the arguments and options that its message names."""
        assert type(self.error) is error, self.stderr
        assert (self.status, self.stdout) == (2, ""), self.stderr
        assert [name for name in named if name not in self.stderr] == []
        assert "Traceback" not in self.stderr


def invoke(*arguments: str) -> Done:
    """Return how `skipscan` ended; nothing of it is a terminal."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2))
    status, error = 0, None
    with patch.multiple(sys, argv=["skipscan", *arguments], stdout=output, stderr=errors):
        try:
            run_command_line()
        except SystemExit as ended:
            status, error = int(ended.code or 0), ended.__context__
    return Done(status, _text(output), _text(errors), error)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()
