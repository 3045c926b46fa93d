"""Locks are installed by uv, and by pip where uv cannot be had or cannot install."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import CompletedProcess
from zipfile import ZipFile

import pytest

from local import install

pytestmark = pytest.mark.slow

Installing = Callable[..., list[tuple[str, str]]]
UV = ("pip", "uv")
BY_UV = ("uv", "lock.txt")
BY_PIP = ("pip", "lock.txt")


@pytest.fixture
def uv_lock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    lock = tmp_path / "requirements-uv.txt"
    lock.write_text("uv==1.0")
    for name, value in {"UV_LOCK": lock, "UV_FOLDER": tmp_path / "environment", "ROOT": tmp_path}.items():
        monkeypatch.setattr(install, name, value)
    monkeypatch.setattr(install, "create", lambda folder: folder.mkdir(exist_ok=True))
    monkeypatch.delenv("SKIPSCAN_INSTALLER", raising=False)
    return lock


@pytest.fixture
def installing(monkeypatch: pytest.MonkeyPatch, uv_lock: Path) -> Installing:
    """Installs `lock.txt` where the programs named fail; returns which program installed what."""

    def begin(*failing: tuple[str, str]) -> list[tuple[str, str]]:
        ran = []

        def run(installer: str, command: Sequence[str], folder: Path, what: str) -> int:
            assert "--require-hashes" in command
            ran.append((installer, what.partition(",")[0]))
            return int(ran[-1] in failing)

        monkeypatch.setattr(install, "run", run)
        status = install.main(["any", "lock.txt"])
        return [*ran, ("status", str(status))]

    return begin


def test_uv_installs_and_is_itself_installed_once_for_each_version(installing: Installing, uv_lock: Path) -> None:
    assert installing() == [UV, BY_UV, ("status", "0")]
    assert installing() == [BY_UV, ("status", "0")]
    uv_lock.write_text("uv==1.1")
    assert installing() == [UV, BY_UV, ("status", "0")]


@pytest.mark.parametrize(
    ("failing", "ran"),
    [
        ((UV,), [UV, BY_PIP, ("status", "0")]),
        ((BY_UV,), [UV, BY_UV, BY_PIP, ("status", "0")]),
        ((BY_UV, BY_PIP), [UV, BY_UV, BY_PIP, ("status", "1")]),
    ],
    ids=["there is no uv", "uv fails", "both fail"],
)
def test_pip_installs_where_uv_cannot(
    installing: Installing, failing: Sequence[tuple[str, str]], ran: Sequence[tuple[str, str]]
) -> None:
    assert installing(*failing) == ran


def test_the_pip_that_comes_with_python_is_unpacked_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Debian's Python comes without it, so the wheel is made up there."""
    wheel = tmp_path / "pip.whl"
    with ZipFile(wheel, "w") as packed:
        packed.writestr("pip/__init__.py", "")
        packed.writestr("pip/__main__.py", "print('pip from', __file__)")
    bundled = install.bundled_pip() or wheel
    monkeypatch.setattr(install, "bundled_pip", lambda: bundled)
    install.add_pip(tmp_path)
    command = [sys.executable, "-m", "pip", "--version"]
    variables = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    shown = subprocess.run(command, env=variables, capture_output=True, text=True, check=True).stdout
    assert str(tmp_path / "pip") in shown

    (tmp_path / "pip" / "__main__.py").unlink()
    install.add_pip(tmp_path)
    assert not (tmp_path / "pip" / "__main__.py").exists()


@pytest.mark.parametrize("status", [0, 1])
def test_a_python_without_this_pip_installs_it_or_names_the_missing_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, status: int
) -> None:
    ran = []

    def run(command: Sequence[str], **_options: bool) -> CompletedProcess[bytes]:
        ran.append(command)
        return CompletedProcess(command, status)

    monkeypatch.setattr(install, "bundled_pip", lambda: None)
    monkeypatch.setattr(subprocess, "run", run)
    if status:
        with pytest.raises(SystemExit, match="python3-venv"):
            install.add_pip(tmp_path)
    else:
        install.add_pip(tmp_path)
    assert ran == [[sys.executable, "-m", "ensurepip"]]


def test_uv_asks_the_registry_that_pip_is_set_to() -> None:
    listed = """
:env:.index-url='https://mirror.example/team'
global.cert='/etc/ssl/company.pem'
global.index-url='https://mirror.example/all'
global.timeout='60'
install.index-url='https://mirror.example/install'
"""
    assert install.settings_of_pip(listed) == {
        "UV_DEFAULT_INDEX": "https://mirror.example/team",
        "SSL_CERT_FILE": "/etc/ssl/company.pem",
    }
