"""The progress of a download: shown on a terminal, unless the keys themselves go there."""

import io
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from skipscan.cli import key_files
from skipscan.loop.storage import Storage

BODIES = [b'{"key": 1}\n', b'{"key": 2}\n']
MANIFEST = {"parts": [{"bytes": len(body)} for body in BODIES]}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    drawn = Terminal()
    monkeypatch.setattr(key_files, "can_redraw", lambda: True)
    monkeypatch.setattr(key_files, "Console", lambda **_: Console(file=drawn, force_terminal=True, width=80))
    monkeypatch.setattr(key_files, "bodies", lambda *_: iter(BODIES))
    return drawn


def fetched(output: Path | None, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return what a download has written."""
    written: list[bytes] = []

    def write(bodies: Any, manifest: Mapping[str, Any], to: Path | None, form: str) -> None:
        assert (manifest, to, form) == (MANIFEST, output, "jsonl")
        written.extend(bodies)

    monkeypatch.setattr(key_files, "write_keys", write)
    storage: Storage = object()  # type: ignore[assignment]
    key_files.fetch(storage, MANIFEST, output, "jsonl")
    return written


@pytest.mark.parametrize(
    ("output", "stdout", "is_shown"),
    [(Path("lines.jsonl"), Terminal(), True), (None, io.StringIO(), True), (None, Terminal(), False)],
    ids=["a file", "a pipe", "a terminal"],
)
def test_the_progress_is_not_drawn_between_the_keys(
    output: Path | None, stdout: io.StringIO, is_shown: bool, drawn: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", stdout)
    assert fetched(output, monkeypatch) == BODIES
    shown = drawn.getvalue()
    assert ("keys \x1b" in shown or "keys ━" in shown) == is_shown
    assert (f"{sum(map(len, BODIES))}/{sum(map(len, BODIES))}" in shown) == is_shown
