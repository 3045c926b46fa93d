"""What `pip install` makes of this project, with nothing of the checkout on the way."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from infra.bundle import ROOT

PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, built from a copy because setuptools leaves things behind where it builds."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for name in ("infra", "lambdas"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    build = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-index", f"--wheel-dir={folder}", str(source)]
    subprocess.run(build, check=True)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder it is installed to, without its dependencies: those are the tests' own."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([*PIP, "install", "--no-deps", "--no-index", f"--target={folder}", str(wheel)], check=True)
    return folder


@pytest.fixture(scope="session")
def run_installed(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a program of the installed project, in an empty folder unless told."""
    empty = tmp_path_factory.mktemp("empty")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "PYTHON"))}

    def run(*program: str, folder: Path = empty, **variables: str) -> subprocess.CompletedProcess[str]:
        environ: Mapping[str, str] = {**kept, "PYTHONPATH": str(site), **variables}
        command = [sys.executable, *program]
        return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)

    return run
