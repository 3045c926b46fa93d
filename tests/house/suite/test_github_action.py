"""The GitHub Action has an input for each option of `skipscan keys`, and passes them on."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]  # its stubs are a package more, for one function

from local.checkout import ROOT
from tests.unit.folder.local_listing import CUSTOMERS, listing

pytestmark = pytest.mark.slow

ACTION = ROOT / ".github" / "action"
INPUTS = list(yaml.safe_load((ROOT / "action.yml").read_text())["inputs"])


def python(*program: object, **variables: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "lambdas"), **variables}
    command = [sys.executable, *map(str, program)]
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)


def test_action_yml_is_written_from_the_options_of_the_command() -> None:
    made = python(ACTION / "inputs.py").stdout
    assert made == (ROOT / "action.yml").read_text(), "python .github/action/inputs.py > action.yml"


def run_action(tmp_path: Path, table: str = "Orders") -> subprocess.CompletedProcess[str]:
    given = {**dict.fromkeys(INPUTS, ""), "table": table, "consistent-read": "true", "format": "jsonl"}
    given |= {"region": "eu-west-1", "endpoint-url": "http://127.0.0.1:1/"}
    keys = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_MAX_ATTEMPTS": "1"}
    files = {"RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "outputs")}
    return python(ACTION / "run.py", INPUTS=json.dumps(given), **files, **keys)


def test_it_runs_the_command_and_ends_with_its_status(tmp_path: Path) -> None:
    done = run_action(tmp_path)
    assert (done.returncode, "127.0.0.1:1" in done.stderr) == (1, True)  # the options reached the command
    [keys, summary] = outputs(tmp_path)
    assert (keys.startswith("keys="), summary.startswith("summary=")) == (True, True)
    assert Path(keys.removeprefix("keys=")).is_file()


def test_a_second_use_in_the_job_has_files_of_its_own(tmp_path: Path) -> None:
    for _ in range(2):
        run_action(tmp_path)
    assert len(set(outputs(tmp_path))) == 4


def outputs(tmp_path: Path) -> list[str]:
    return (tmp_path / "outputs").read_text().splitlines()


def test_a_listing_in_a_folder_has_its_keys_in_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "orders"
    listing(folder).run()
    given = {"table": "Orders", "segments": "4", "folder": str(folder), "finished": "keep"}
    given |= {"region": "eu-west-1", "endpoint-url": "http://127.0.0.1:1/"}
    files = {"RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "outputs")}
    credentials = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
    for form, first in (("", CUSTOMERS[0]), ("jsonl", f'{{"customer": "{CUSTOMERS[0]}"}}')):
        done = python(ACTION / "run.py", INPUTS=json.dumps({**given, "format": form}), **files, **credentials)
        assert done.returncode == 0, done.stderr
        lines = Path(outputs(tmp_path)[-2].removeprefix("keys=")).read_text().splitlines()
        assert (len(lines), first in lines) == (len(CUSTOMERS), True)
    refused = python(ACTION / "run.py", INPUTS=json.dumps({**given, "finished": ""}), **files, **credentials)
    assert (refused.returncode, "--finished keep" in refused.stderr) == (2, True)
    assert [one.partition("=")[0] for one in outputs(tmp_path)] == ["keys", "summary", "keys", "summary", "summary"]


def test_a_table_s_name_is_no_option(tmp_path: Path) -> None:
    """Also one that DynamoDB allows (developer guide, "Naming rules and data types")."""
    done = run_action(tmp_path, table="--help")
    assert (done.returncode, "127.0.0.1:1" in done.stderr) == (1, True)
    assert Path(outputs(tmp_path)[0].removeprefix("keys=")).read_text() == ""


OLD_PYTHON = """\
#!/bin/sh
exec "{}" -c 'import sys; sys.version_info = (3, 10, 12, "final", 0); exec(sys.argv[1])' "$2"
"""


@pytest.mark.posix
def test_a_runner_whose_python_is_too_old_is_told_what_to_do(tmp_path: Path) -> None:
    install = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"][0]
    old = tmp_path / "python3"
    old.write_text(OLD_PYTHON.format(sys.executable))
    old.chmod(0o755)
    environ = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "RUNNER_TEMP": str(tmp_path), "HERE": str(ROOT)}
    # As GitHub runs such a step: https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", install["run"]]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.startswith("::error::")) == (2, True)
    assert ("3.11" in done.stdout, "actions/setup-python" in done.stdout) == (True, True)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"consistent-read": "yes"}, 'consistent-read is "yes"; '),
        ({"consistent-read": "5%0A::warning::y"}, 'consistent-read is "5%250A::warning::y"; '),
        ({"colour": "red"}, "colour: there is no such input"),
        ({"consistent-read": "x\n::warning::injected"}, "consistent-read has a line end"),
        ({"folder": "x\r::warning::injected"}, "folder has a line end"),
        ({"colour\n::warning::injected": "red\n"}, "colour ::warning::injected has a line end"),
    ],
)
def test_a_wrong_input_is_refused_as_an_error_of_the_job(given: dict[str, str], said: str, tmp_path: Path) -> None:
    files = {"RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "outputs")}
    done = python(ACTION / "run.py", INPUTS=json.dumps({"table": "Orders", **given}), **files)
    assert (done.returncode, done.stdout.startswith("::error::"), said in done.stdout) == (2, True, True)
    assert len(done.stdout.splitlines()) == 1
