"""Locks are installed by uv, and by pip where uv cannot be had or cannot install."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from local import install

Installing = Callable[..., list[tuple[str, str]]]
UV = ("pip", "uv")
BY_UV = ("uv", "lock.txt")
BY_PIP = ("pip", "lock.txt")


@pytest.fixture
def uv_lock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    lock = tmp_path / "requirements-uv.txt"
    lock.write_text("uv==1.0")
    monkeypatch.setattr(install, "UV_LOCK", lock)
    monkeypatch.setattr(install, "UV_FOLDER", tmp_path / "environment")
    return lock


@pytest.fixture
def installing(monkeypatch: pytest.MonkeyPatch, uv_lock: Path) -> Installing:
    """Installs `lock.txt` where the programs named fail; returns which program installed what."""
    monkeypatch.setattr(install, "create", lambda folder: folder.mkdir(exist_ok=True))
    monkeypatch.setattr(install, "ROOT", uv_lock.parent)
    monkeypatch.delenv("SKIPSCAN_INSTALLER", raising=False)

    def begin(*failing: tuple[str, str]) -> list[tuple[str, str]]:
        ran = []

        def run(installer: str, command: Sequence[str], folder: Path, what: str) -> int:
            assert folder.exists()
            assert "--require-hashes" in command
            ran.append((installer, what.partition(",")[0]))
            return int(ran[-1] in failing)

        monkeypatch.setattr(install, "run", run)
        ran.append(("status", str(install.main(["any", "lock.txt"]))))
        return ran

    return begin


def test_uv_installs_and_is_itself_installed_once_for_each_version(installing: Installing, uv_lock: Path) -> None:
    assert installing() == [UV, BY_UV, ("status", "0")]
    assert installing() == [BY_UV, ("status", "0")]
    uv_lock.write_text("uv==1.1")
    assert installing() == [UV, BY_UV, ("status", "0")]


def test_pip_installs_where_uv_cannot_be_had(installing: Installing) -> None:
    assert installing(UV) == [UV, BY_PIP, ("status", "0")]


def test_pip_installs_what_uv_could_not(installing: Installing) -> None:
    assert installing(BY_UV) == [UV, BY_UV, BY_PIP, ("status", "0")]


def test_what_neither_can_install_stops_make(installing: Installing) -> None:
    assert installing(BY_UV, BY_PIP)[-1] == ("status", "1")


def test_pip_installs_when_asked_for(installing: Installing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIPSCAN_INSTALLER", "pip")
    assert installing() == [BY_PIP, ("status", "0")]


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
