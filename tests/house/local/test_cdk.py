"""An environment is synthesised in the background, and nothing of it is left."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from local import cdk
from local.checkout import ROOT

pytestmark = pytest.mark.engine


def test_a_checkout_in_a_folder_with_a_space_is_deployed_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "Größe eins"
    root.mkdir()
    (root / "cdk.json").write_text((ROOT / "cdk.json").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(cdk, "ROOT", root)
    cdk.write_app(tmp_path, {})
    settings = json.loads((tmp_path / "cdk.json").read_text(encoding="utf-8"))
    assert shlex.split(settings["app"]) == [sys.executable, str(root / "app.py")]


def test_an_app_that_fails_is_reported_with_what_it_printed() -> None:
    with (
        cdk.synthesising("nowhere") as synthesis,
        pytest.raises(cdk.CdkError, match=r"status 1:[\s\S]*KeyError: 'nowhere'"),
    ):
        synthesis.wait()


def test_a_synthesis_ends_with_its_block() -> None:
    with cdk.synthesising("local") as synthesis:
        pass
    assert synthesis.process.poll() is not None
    assert not synthesis.folder.parent.exists()
