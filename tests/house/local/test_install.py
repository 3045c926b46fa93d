"""Locks are installed by uv, and by pip where uv cannot be had or cannot install."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

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
