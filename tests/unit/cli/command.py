"""A command line run in this process, as the shell would run it."""

import io
import sys
from dataclasses import dataclass
from unittest.mock import patch

from skipscan.cli.main import run_command_line


@dataclass(frozen=True)
class Done:
    """The result of a command."""

    status: int
    stdout: str
    stderr: str


def invoke(*arguments: str) -> Done:
    """Return how `skipscan` ended; nothing of it is a terminal."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2))
    status = 0
    with patch.multiple(sys, argv=["skipscan", *arguments], stdout=output, stderr=errors):
        try:
            run_command_line()
        except SystemExit as ended:
            status = int(ended.code or 0)
    return Done(status, _text(output), _text(errors))


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()
