"""The command line without a process of its own, and the place in which its commands start and follow work."""

import os
import sys
from collections.abc import Callable

import pytest

from skipscan.cli.main import run_command_line
from tests.unit.cli.place import place, quiet
from tests.unit.cli.program import VARIABLES
from tests.unit.handlers.conftest import dynamodb, listing, s3

__all__ = ["dynamodb", "listing", "place", "quiet", "s3"]

Told = Callable[..., tuple[object, str, str]]
"""Runs a command in this process; returns its status and what it wrote to stdout and stderr."""


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    def run(*arguments: str, **variables: str) -> tuple[object, str, str]:
        for name in os.environ:
            if name.startswith("AWS_"):
                monkeypatch.delenv(name)
        for name, value in (variables or VARIABLES).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["skipscan", *arguments])
        with pytest.raises(SystemExit) as ended:
            run_command_line()
        return (ended.value.code, *capsys.readouterr())

    return run
