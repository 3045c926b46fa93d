"""Why two runs cannot be compared."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from skipscan.cli import key_files
from skipscan.cli.commands.diff import _check_same
from skipscan.cli.commands.report import report_command
from skipscan.errors import NotFoundError
from skipscan.folder.storage import Folder
from skipscan.library.finished import Run
from skipscan.loop.storage import Storage
from tests.refusal import refused
from tests.unit.report.made_up_run import made_up_run, skewed_table

ARN = "arn:aws:dynamodb:us-east-1:111111111111:table/"


def run(name: str, table: str = "Orders", index: str | None = None, table_id: str = "id-1", **more: Any) -> Run:
    keys = [{"name": "customer", "type": "S"}]
    manifest: dict[str, Any] = {"table": table, "index": index, "partition_key": keys}
    identity = {"arn": f"{ARN}{table}", "table_id": table_id}
    return Run(name, {**manifest, **more, "identity": identity}, Folder(Path()))


@pytest.mark.parametrize(
    ("other", "rule"),
    [
        (run("b", "Audit"), 'table "Orders".* b table "Audit"'),
        (run("b", index="by-customer"), r'"customer" \(S\).* b "customer" \(S\) of index "by-customer"'),
        (run("b", level={"delimiter": "#", "depth": 2, "type": "S"}), r'b "customer" \(S\).* delimiter "#", depth 2'),
        (run("b", table_id="id-2"), r'table "Orders".* deleted.* b\b'),
    ],
)
def test_runs_of_different_scopes_are_refused_with_what_differs(other: Run, rule: str) -> None:
    with refused(NotFoundError, "run a", rule=rule, way="the same"):
        _check_same(run("a"), other)


# The progress of a download: shown on a terminal, unless the keys themselves go there.


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


@pytest.mark.parametrize(
    ("is_file", "stdout", "is_shown"),
    [(True, Terminal(), True), (False, io.StringIO(), True), (False, Terminal(), False)],
    ids=["a file", "a pipe", "a terminal"],
)
def test_the_progress_is_not_drawn_between_the_keys(
    is_file: bool, stdout: io.StringIO, is_shown: bool, drawn: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", stdout)
    storage: Storage = object()  # type: ignore[assignment]
    assert [*key_files.measured(storage, MANIFEST, "keys", is_file=is_file)] == BODIES
    shown = drawn.getvalue()
    assert ("keys \x1b" in shown or "keys ━" in shown) == is_shown
    assert (f"{sum(map(len, BODIES))}/{sum(map(len, BODIES))}" in shown) == is_shown


# `skipscan report` writes the page, or says what is amiss.


def test_figures_need_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_up_run(tmp_path / "run", skewed_table(200), segments=4)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(report_command, ["--folder", "run", "--json"])
    printed = json.loads(result.stdout)
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    same = ("run", "keys", "read_units", "requests", "segments_left", "seconds", "complete")
    assert {name: printed[name] for name in same} == {name: manifest[name] for name in same}
    ours, *others = printed["ways"]
    assert (ours["measured"], ours["read_units"]["estimate"]) == (True, manifest["read_units"])
    assert all(way["read_units"]["low"] <= way["read_units"]["estimate"] for way in others)
    assert len(others) == 2
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize("has_browser", [True, False])
def test_a_page_is_opened_or_said_to_need_a_browser(
    has_browser: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_up_run(tmp_path / "run", skewed_table(20), segments=2)
    monkeypatch.chdir(tmp_path)
    opened: list[str] = []

    def open_browser(address: str) -> bool:
        opened.append(address)
        return has_browser

    monkeypatch.setattr("webbrowser.open", open_browser)
    result = CliRunner().invoke(report_command, ["--folder", "run", "--open"])
    assert opened == [(tmp_path / "report.html").resolve().as_uri()]
    assert ("open report.html elsewhere" in result.stderr) is not has_browser
