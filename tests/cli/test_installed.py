"""`pip install .` gives the command, with nothing of this checkout but its code."""

import configparser
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import skipscan

PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, built from a copy because setuptools leaves things behind where it builds."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    shutil.copytree("lambdas", source / "lambdas", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(name, source)
    build = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-index", f"--wheel-dir={folder}", str(source)]
    subprocess.run(build, check=True)
    [built] = folder.glob("*.whl")
    return built


def test_the_wheel_has_the_package_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as content:
        tops = {name.split("/")[0] for name in content.namelist()}
        modules = {name for name in content.namelist() if name.endswith(".py")}
    information = f"skipscan-{skipscan.__version__}.dist-info"
    assert tops == {"skipscan", information}
    assert modules == {path.relative_to("lambdas").as_posix() for path in Path("lambdas/skipscan").rglob("*.py")}


def test_the_command_starts_from_what_was_installed(wheel: Path, tmp_path: Path) -> None:
    install = [*PIP, "install", "--no-deps", "--no-index", f"--target={tmp_path}", str(wheel)]
    subprocess.run(install, check=True)
    [points] = tmp_path.glob("*.dist-info/entry_points.txt")
    entries = configparser.ConfigParser()
    entries.read(points)
    assert entries["console_scripts"]["skipscan"] == "skipscan.cli.main:main"
    command = [sys.executable, str(tmp_path / "bin" / "skipscan"), "--version"]
    done = subprocess.run(command, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.stdout == f"skipscan {skipscan.__version__}\n", done.stderr
