"""Every module of tests that the workflow runs on Windows can be imported there, without the modules of POSIX."""

import json
import re
import subprocess
import sys

import pytest

from local.checkout import ROOT, environ
from tests.house.suite.test_workflow import commands

pytestmark = pytest.mark.long  # the workflow imports them on Windows

ABSENT = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
"""The standard library's modules that Windows lacks, or cannot import."""
GUARDED = ("lambdas/skipscan/folder/files.py",)
"""Modules that ask for the system before they import one of those."""
IMPORTS = """
import builtins, importlib, json, sys
from pathlib import Path

root, absent, guarded, modules = json.loads(sys.argv[1])
sys.path[:0] = [root, f"{root}/lambdas"]
ours = tuple(f"{root}/{folder}/" for folder in ("benchmarks", "infra", "lambdas", "local", "tests", "verify"))
imported = builtins.__import__


def import_as_on_windows(name, globals=None, locals=None, fromlist=(), level=0):
    file = globals and globals.get("__file__")
    if name in absent and level == 0 and file and file.startswith(ours) and file not in guarded:
        raise ModuleNotFoundError(f"{Path(file).relative_to(root)} imports {name}")
    return imported(name, globals, locals, fromlist, level)


builtins.__import__ = import_as_on_windows
for module in modules:
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        print(f"{module}: {error}")
"""


def test_modules_of_tests_need_nothing_that_windows_lacks() -> None:
    ignored = tuple(re.findall(r"--ignore=(\S+)", commands("unit")))
    files = [path for pattern in ("conftest.py", "test_*.py") for path in sorted((ROOT / "tests").rglob(pattern))]
    paths = [path.relative_to(ROOT) for path in files]
    modules = [".".join(path.with_suffix("").parts) for path in paths if not path.as_posix().startswith(ignored)]
    asked = json.dumps([str(ROOT), ABSENT, [str(ROOT / file) for file in GUARDED], modules])
    command = [sys.executable, "-c", IMPORTS, asked]
    done = subprocess.run(command, env=environ(), cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
