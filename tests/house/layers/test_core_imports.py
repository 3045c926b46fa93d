"""The core takes nothing but the standard library, so that it can be read, tested and reused without AWS.

What needs an SDK says so by its path: the folder `aws`, a room of those that people and programs use, and in a kind's
folder the file `planning` and those whose names end in `requests`.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import Nodes, nodes, parsed

pytestmark = pytest.mark.xdist_group("sources")

ROOT = Path("lambdas/skipscan")
OUTER = ("cli", "library", "environment", "__main__", "__init__")
EDGE = r"planning|(\w+_)?requests"
SDK = {"boto3", "botocore", "aws_lambda_powertools"}


def is_core(parts: tuple[str, ...]) -> bool:
    return parts[0] not in OUTER and parts[0] != "aws" and not re.fullmatch(EDGE, parts[-1])


MODULES = [path.relative_to(ROOT).with_suffix("").parts for path in sorted(ROOT.rglob("*.py"))]
CORE = [".".join(parts) for parts in MODULES if is_core(parts) and parts[-1] != "__init__"]

BLOCKED = f"""
import importlib, re, sys

class Guard:
    def find_spec(self, name, path=None, target=None):
        package, *parts = name.split(".")
        outside = OUTER & set(parts) or any(re.fullmatch(r"{EDGE}", part) for part in parts)
        if package not in sys.stdlib_module_names | {{"skipscan"}} or (package == "skipscan" and outside):
            raise ImportError("the core must not import " + name)

OUTER = {{"aws", "cli", "library", "environment"}}
sys.meta_path.insert(0, Guard())
for module in sys.argv[1:]:
    importlib.import_module("skipscan." + module)
"""


def test_the_core_imports_the_standard_library_alone() -> None:
    assert len(CORE) > 15
    subprocess.run([sys.executable, "-c", BLOCKED, *CORE], check=True, cwd="lambdas")


@pytest.mark.parametrize("module", ["aws.table", "act.planning", "act.write_requests", "markers.requests"])
def test_the_guard_has_teeth(module: str) -> None:
    guarded = subprocess.run(
        [sys.executable, "-c", BLOCKED, module], check=False, cwd="lambdas", capture_output=True, text=True
    )
    assert "the core must not import" in guarded.stderr


def sdks(nodes: Nodes) -> set[str]:
    """Return the SDKs that a source imports anywhere, inside functions and for types too."""
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    packages = {name.partition(".")[0] for name in names}
    return {name for name in packages if name in SDK or name.startswith("mypy_boto3")}


def test_a_file_that_imports_an_sdk_says_so_by_its_path() -> None:
    importing = {parts for parts in MODULES if sdks(nodes(Path(ROOT, *parts).with_suffix(".py")))}
    assert len(importing) > 20
    assert [parts for parts in sorted(importing) if is_core(parts)] == []


def test_every_import_of_an_sdk_is_noticed() -> None:
    ways = "def late():\n    from botocore.config import Config\nif TYPE_CHECKING:\n    import mypy_boto3_s3"
    assert sdks(parsed(ways)) == {"botocore", "mypy_boto3_s3"}
