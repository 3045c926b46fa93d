"""The GitHub workflows run what the Makefile and pyproject.toml define."""

import re
import tomllib
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # its stubs are a package more, for one function

from local.checkout import ROOT

pytestmark = pytest.mark.slow

FOLDER = ROOT / ".github" / "workflows"
WORKFLOWS: dict[str, dict[str, Any]] = {file.stem: yaml.safe_load(file.read_text()) for file in FOLDER.glob("*.yml")}
WORKFLOW = WORKFLOWS["test"]
MAKEFILE = (ROOT / "Makefile").read_text()


def commands(job: str) -> str:
    return "\n".join(step.get("run", "") for step in WORKFLOW["jobs"][job]["steps"])


def test_linux_runs_make_test_with_the_oldest_and_the_newest_python() -> None:
    assert commands("linux").split("\n")[-2:] == [".ci/chromium", "make test"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    versions = [re.findall(r":: (3\.\d+)$", classifier) for classifier in project["classifiers"]]
    named = [found[0] for found in versions if found]
    assert WORKFLOW["jobs"]["linux"]["strategy"]["matrix"]["python"] == [named[0], named[-1]]
    assert project["requires-python"] == f">={named[0]}"


def test_linux_runs_every_test_with_one_python() -> None:
    assert commands("everything").split("\n")[-2:] == [".ci/chromium", "make test-all"]


def test_macos_and_windows_leave_out_the_folders_that_make_check_leaves_out() -> None:
    [checked] = re.findall(r"addprefix --ignore=tests/,([\w/ ]+)\)", MAKEFILE)
    assert sorted(re.findall(r"--ignore=tests/([\w/]+)", commands("unit"))) == sorted(checked.split())
    assert {system.split("-")[0] for system in WORKFLOW["jobs"]["unit"]["strategy"]["matrix"]["system"]} == {
        "macos",
        "windows",
    }


def test_ci_runs_what_a_change_must_pass() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert lines[-3:] == [".ci/chromium", "make test", "make test-all"]


def test_only_the_job_that_publishes_to_the_index_is_trusted_by_it() -> None:
    jobs = WORKFLOWS["release"]["jobs"]
    assert [name for name, job in jobs.items() if "environment" in job] == ["index"]
    assert {name for name, job in jobs.items() if "id-token" in job["permissions"]} == {"attest", "index"}


def test_nothing_is_published_before_tests_pass_and_both_builds_are_equal() -> None:
    jobs = WORKFLOWS["release"]["jobs"]
    assert (jobs["compare"]["needs"], jobs["attest"]["needs"]) == ("build", ["test", "compare"])
    assert (jobs["index"]["needs"], jobs["github"]["needs"]) == ("attest", "index")
    assert "ref_type == 'tag'" in jobs["attest"]["if"]
