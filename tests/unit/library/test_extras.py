"""How a package that is missing is installed here."""

import sys

import pytest

from skipscan.library import parquet


@pytest.mark.parametrize(
    ("prefix", "has_pip", "has_uv", "command"),
    [
        ("/home/me/.local/share/pipx/venvs/skipscan", False, True, "pipx inject skipscan pyarrow"),
        ("/home/me/orders/.venv", True, True, "{python} -m pip install pyarrow"),
        ("/home/me/.local/share/uv/tools/skipscan", False, True, "uv pip install --python {python} pyarrow"),
        ("/home/me/orders/.venv", False, False, "{python} -m ensurepip && {python} -m pip install pyarrow"),
    ],
)
def test_a_missing_package_is_installed_where_this_program_runs(
    monkeypatch: pytest.MonkeyPatch, prefix: str, has_pip: bool, has_uv: bool, command: str
) -> None:
    monkeypatch.setattr(sys, "prefix", prefix)
    monkeypatch.setattr(sys, "executable", f"{prefix}/bin/python")
    monkeypatch.setattr(parquet, "find_spec", lambda _: object() if has_pip else None)
    monkeypatch.setattr(parquet, "which", lambda _: "/usr/bin/uv" if has_uv else None)
    assert parquet.install("pyarrow") == command.format(python=f"{prefix}/bin/python")
