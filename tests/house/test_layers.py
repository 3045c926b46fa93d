"""What import-linter and ruff, which check the imports (pyproject.toml), cannot say about the layers."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

LIBRARY = Path("lambdas/skipscan")
EDGE = r"__\w+__|planning|(\w+_)?requests"
OUTER = {"aws", "cli", "environment", "library"}
MODULES = [path.relative_to(LIBRARY).with_suffix("").parts for path in sorted(LIBRARY.rglob("*.py"))]
CORE = [".".join(parts) for parts in MODULES if parts[0] not in OUTER and not re.fullmatch(EDGE, parts[-1])]
GUARDED = f"""
import importlib, re, sys

class Guard:
    def find_spec(self, name, path=None, target=None):
        package, *parts = name.split(".")
        is_outside = {OUTER}.intersection(parts) or (parts and re.fullmatch(r"{EDGE}", parts[-1]))
        if package not in sys.stdlib_module_names | {{"skipscan"}} or (package == "skipscan" and is_outside):
            raise ImportError("the core must not import " + name)

sys.meta_path.insert(0, Guard())
for module in sys.argv[1:]:
    importlib.import_module("skipscan." + module)
"""

OF_BOTO3 = {"emptying", "versions"}
"""Programs of infra of their own, which no synth imports."""
WITHOUT_SDK = """
import importlib, sys

sys.modules.update(dict.fromkeys(("boto3", "botocore", "aws_lambda_powertools")))
for module in sys.argv[1:]:
    importlib.import_module("infra." + module)
"""


def test_the_picture_in_contributing_draws_the_layers_that_are_checked() -> None:
    picture = Path("CONTRIBUTING.md").read_text().partition("skipscan/ ")[2].partition("\nlocal/")[0]
    [contract] = tomllib.loads(Path("pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    drawn = [re.findall(r"(\w+)/", row[1]) for row in re.finditer(r"^ {4}((?:\w+/ ?)+)", picture, re.MULTILINE)]
    assert drawn == [layer.split(" | ") for layer in contract["layers"]]


def guarded(*modules: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", GUARDED, *modules]
    return subprocess.run(command, check=False, cwd="lambdas", capture_output=True, text=True)


def test_the_core_takes_the_standard_library_alone() -> None:
    assert len(CORE) > 15
    assert guarded(*CORE).stderr == ""


@pytest.mark.parametrize("module", ["aws.table", "act.planning", "markers.requests"])
def test_what_needs_an_sdk_is_noticed(module: str) -> None:
    assert "the core must not import" in guarded(module).stderr


@pytest.mark.engine
def test_what_a_synth_imports_needs_no_sdk() -> None:
    modules = [path.stem for path in sorted(Path("infra").glob("*.py"))]
    command = [sys.executable, "-c", WITHOUT_SDK, *(name for name in modules if name not in {"__init__", *OF_BOTO3})]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr  # which has jsii's warnings besides
