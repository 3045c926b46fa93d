"""The core takes nothing but the standard library, so that it can be read, tested and reused without AWS."""

import subprocess
import sys
from pathlib import Path

ROOT = Path("lambdas/skipscan")
OUTER = ("aws", "cli", "library", "__main__", "__init__")
CORE = sorted(
    ".".join(parts)
    for parts in (path.relative_to(ROOT).with_suffix("").parts for path in ROOT.rglob("*.py"))
    if parts[0] not in OUTER and parts[-1] != "__init__"
)

BLOCKED = """
import importlib, sys

class Guard:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in sys.stdlib_module_names | {"skipscan"} or name.startswith(OUTER):
            raise ImportError("the core must not import " + name)

OUTER = ("skipscan.aws", "skipscan.cli", "skipscan.library")
sys.meta_path.insert(0, Guard())
for module in sys.argv[1:]:
    importlib.import_module("skipscan." + module)
"""


def test_the_core_imports_the_standard_library_alone() -> None:
    assert len(CORE) > 15
    subprocess.run([sys.executable, "-c", BLOCKED, *CORE], check=True, cwd="lambdas")


def test_the_guard_has_teeth() -> None:
    guarded = subprocess.run(
        [sys.executable, "-c", BLOCKED, "aws.table"], check=False, cwd="lambdas", capture_output=True, text=True
    )
    assert "the core must not import" in guarded.stderr
