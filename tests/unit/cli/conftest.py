"""The command line without a process of its own, and the place in which its commands start and follow work."""

import os
from collections.abc import Callable

import pytest

from tests.unit.cli.command import Done, invoke
from tests.unit.cli.place import place, quiet
from tests.unit.cli.program import VARIABLES
from tests.unit.handlers.conftest import dynamodb, listing, s3

__all__ = ["dynamodb", "listing", "place", "quiet", "s3"]

Told = Callable[..., Done]
"""Runs a command in this process, with these variables of the environment; returns how it ended."""


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    def run(*arguments: str, **variables: str) -> Done:
        for name in os.environ:
            if name.startswith("AWS_"):
                monkeypatch.delenv(name)
        for name, value in (variables or VARIABLES).items():
            monkeypatch.setenv(name, value)
        return invoke(*arguments)

    return run
