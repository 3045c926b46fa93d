"""`skipscan report` writes the page, or says what is amiss."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from skipscan.cli.commands.report import report_command
from skipscan.errors import InputError
from tests.refusal import check_refusal
from tests.unit.report.made_up_run import made_up_run, skewed_table


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


def test_a_uri_that_names_no_run_is_refused() -> None:
    result = CliRunner().invoke(report_command, ["--folder", "s3://bucket"])
    check_refusal(result.exception, InputError, "--folder", "s3://bucket", rule="s3://BUCKET/PREFIX/TABLE/runs/RUN/")


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
