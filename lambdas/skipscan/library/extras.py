"""Packages that are not installed with skipscan, and how to install them here."""

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from shutil import which


def install(package: str) -> str:
    """Return the command that installs a package here: the pip on the path is often that of another Python."""
    if "pipx" in Path(sys.prefix).parts:
        return f"pipx inject skipscan {package}"
    here = shlex.quote(sys.executable)
    if find_spec("pip"):
        return f"{here} -m pip install {package}"
    if which("uv"):
        return f"uv pip install --python {here} {package}"
    return f"{here} -m ensurepip && {here} -m pip install {package}"
