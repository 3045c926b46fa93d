"""The installation of this project by `pip install`, without access to the checkout."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, as `make wheel` builds it."""
    from infra.wheel import build  # noqa: PLC0415 (it imports the CDK, which takes longer than to collect a room)

    return build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder it is installed to, without its dependencies: those are the tests' own."""
    from infra.wheel import PIP  # noqa: PLC0415 (as above)

    folder = tmp_path_factory.mktemp("site")
    subprocess.run([*PIP, "install", "--no-deps", "--no-index", f"--target={folder}", str(wheel)], check=True)
    return folder


@pytest.fixture(scope="session")
def run_installed(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a program of the installed project, by default in an empty folder."""
    empty = tmp_path_factory.mktemp("empty")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "PYTHON"))}

    def run(*program: str, folder: Path = empty, **variables: str) -> subprocess.CompletedProcess[str]:
        environ: Mapping[str, str] = {**kept, "PYTHONPATH": str(site), **variables}
        command = [sys.executable, *program]
        return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)

    return run
