from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.console import Console

from local import sandbox
from local.embedded import Embedded
from local.sandbox import Sandbox

pytestmark = pytest.mark.engine

ACCOUNT = Embedded("http://127.0.0.1:1", "http://127.0.0.1:2")
LOOKS_AROUND = """
import os, sys
names = ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB", "SKIPSCAN_ENV", "AWS_PROFILE"]
sys.exit(7 if [os.environ.get(name) for name in names] == sys.argv[1:] + [None] else 1)
"""


@pytest.fixture(autouse=True)
def _empty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    @contextmanager
    def empty(_steps: object) -> Iterator[Sandbox]:
        yield Sandbox(ACCOUNT, tmp_path, {}, tmp_path)

    monkeypatch.setattr(sandbox, "sandbox", empty)


def test_a_command_finds_the_embedded_account_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "a-real-account")
    expected = [ACCOUNT.endpoint, ACCOUNT.dynamodb_endpoint, "dev"]
    assert sandbox.play(Console(), [sys.executable, "-c", LOOKS_AROUND, *expected]) == 7
