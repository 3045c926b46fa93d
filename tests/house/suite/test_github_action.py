"""The GitHub Action has an input for each option of `skipscan keys`, and passes them on."""

import io
import json
import os
import runpy
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, BinaryIO
from unittest.mock import patch

import pytest
import yaml  # type: ignore[import-untyped]  # its stubs are a package more, for one function

from local.checkout import ROOT
from tests.unit.cli.command import Done, invoke
from tests.unit.folder.local_listing import CUSTOMERS, listing

pytestmark = pytest.mark.slow

ACTION = ROOT / ".github" / "action"
INPUTS = list(yaml.safe_load((ROOT / "action.yml").read_text())["inputs"])
KEYS = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_MAX_ATTEMPTS": "1"}
NOBODY = {"region": "eu-west-1", "endpoint-url": "http://127.0.0.1:1/"}
EVERY = {**dict.fromkeys(INPUTS, ""), "table": "Orders", "consistent-read": "true", "format": "jsonl", **NOBODY}


def test_action_yml_is_written_from_the_options_of_the_command() -> None:
    document = runpy.run_path(str(ACTION / "inputs.py"))["document"]()
    assert document == (ROOT / "action.yml").read_text(), "python .github/action/inputs.py > action.yml"


def variables(given: dict[str, str], folder: Path) -> dict[str, str]:
    return {"INPUTS": json.dumps(given), "RUNNER_TEMP": str(folder), "GITHUB_OUTPUT": str(folder / "outputs"), **KEYS}


def outputs(folder: Path) -> list[str]:
    return (folder / "outputs").read_text().splitlines()


def used(given: dict[str, str], folder: Path) -> Done:
    """Return how the action ended in this process, where its commands ran, too."""
    errors = []

    def run(command: list[str], *, stdout: BinaryIO, **_: Any) -> subprocess.CompletedProcess[str]:
        done = invoke(*command[3:])
        stdout.write(done.stdout.encode())
        errors.append(done.stderr)
        return subprocess.CompletedProcess(command, done.status)

    output, paths = io.StringIO(), [str(ACTION), *sys.path]
    with (
        patch.dict(os.environ, variables(given, folder)),
        patch.object(sys, "path", paths),
        patch.object(subprocess, "run", run),
        redirect_stdout(output),
        pytest.raises(SystemExit) as ended,
    ):
        runpy.run_path(str(ACTION / "run.py"), run_name="__main__")
    del sys.modules["inputs"]
    return Done(int(ended.value.code or 0), output.getvalue(), "".join(errors))


def test_it_runs_the_command_and_ends_with_its_status(tmp_path: Path) -> None:
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "lambdas"), **variables(EVERY, tmp_path)}
    command = [sys.executable, str(ACTION / "run.py")]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, "127.0.0.1:1" in done.stderr) == (1, True)  # the options reached the command
    [keys, summary] = outputs(tmp_path)
    assert (keys.startswith("keys="), summary.startswith("summary=")) == (True, True)
    assert Path(keys.removeprefix("keys=")).is_file()


def test_a_second_use_in_the_job_has_files_of_its_own_and_a_table_s_name_is_no_option(tmp_path: Path) -> None:
    """Also one that DynamoDB allows (developer guide, "Naming rules and data types")."""
    for table in ("Orders", "--help"):
        done = used({**EVERY, "table": table}, tmp_path)
        assert (done.status, "127.0.0.1:1" in done.stderr) == (1, True)
        assert Path(outputs(tmp_path)[-2].removeprefix("keys=")).read_text() == ""
    assert len(set(outputs(tmp_path))) == 4


def test_a_listing_in_a_folder_has_its_keys_in_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "orders"
    listing(folder).run()
    given = {"table": "Orders", "segments": "4", "folder": str(folder), "finished": "keep", **NOBODY}
    for form, first in (("", CUSTOMERS[0]), ("jsonl", f'{{"customer": "{CUSTOMERS[0]}"}}')):
        done = used({**given, "format": form}, tmp_path)
        assert done.status == 0, done.stderr
        lines = Path(outputs(tmp_path)[-2].removeprefix("keys=")).read_text().splitlines()
        assert (len(lines), first in lines) == (len(CUSTOMERS), True)
    refused = used({**given, "finished": ""}, tmp_path)
    assert (refused.status, "--finished keep" in refused.stderr) == (2, True)
    assert [one.partition("=")[0] for one in outputs(tmp_path)] == ["keys", "summary", "keys", "summary", "summary"]


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
    done = used({"table": "Orders", **given}, tmp_path)
    assert (done.status, done.stdout.startswith("::error::"), said in done.stdout) == (2, True, True)
    assert len(done.stdout.splitlines()) == 1
