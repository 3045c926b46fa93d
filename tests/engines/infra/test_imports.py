"""The stack is synthesised from plain declarations: nothing that it imports needs an SDK."""

import subprocess
import sys
from pathlib import Path

import pytest

from local.checkout import ROOT

pytestmark = pytest.mark.engine

BLOCKED = """
import sys
class Blocked:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in {"boto3", "botocore", "aws_lambda_powertools"}:
            raise ImportError(f"{name} is imported")
sys.meta_path.insert(0, Blocked())
import importlib
for module in sys.argv[1:]:
    importlib.import_module(module)
"""
OF_BOTO3 = {"infra.emptying", "infra.versions"}
"""Programs of their own, which no synth imports."""


def modules(folder: str) -> list[str]:
    paths = sorted(Path(ROOT, folder).rglob("*.py"))
    return [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths]


def imported_without_sdk(names: list[str]) -> str:
    """Return what an interpreter in which no SDK can be imported says to importing these modules."""
    ended = subprocess.run(
        [sys.executable, "-c", BLOCKED, *names], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return "" if ended.returncode == 0 else ended.stderr


def test_an_import_of_the_sdk_would_be_noticed() -> None:
    assert "boto3 is imported" in imported_without_sdk(["infra.emptying"])


def test_what_is_imported_at_synth_imports_no_sdk() -> None:
    names = [name for name in modules("infra") if name not in OF_BOTO3]
    assert len(names) > 20
    assert imported_without_sdk(names) == ""
