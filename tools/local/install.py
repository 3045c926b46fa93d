"""Install a lock into a virtual environment: `python tools/local/install.py .venv requirements.txt`.

uv installs it in seconds. uv is one wheel, in `.venv-uv`, with a lock of its own. If uv is not available or fails, pip
installs the same files from the same lock. Both refuse a file whose hash is not in the lock.

This runs before anything is installed, so it imports only the standard library.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[2]
UV_FOLDER = ROOT / ".venv-uv"
UV_LOCK = ROOT / "requirements" / "uv.txt"
PIP_FOLDER = ROOT / ".venv"
"""The one environment that has pip: the bundle of the functions is made with it."""
PIP = ("-m", "pip", "--disable-pip-version-check")
SECONDS = {"uv": "usually 2 to 20 s", "pip": "usually 5 s for uv, 30 to 120 s for the rest"}
"""How long a lock takes on two cores, with the registry near by."""
FROM_PIP = {"index-url": "UV_DEFAULT_INDEX", "cert": "SSL_CERT_FILE"}
"""Settings of pip that uv does not read, and the variables that give them to uv."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Install a lock into a virtual environment.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("lock", type=Path, nargs="?", help="without one, this project itself, without its dependencies")
    requested = parser.parse_args(arguments)
    folder = ROOT / requested.folder
    create(folder)
    if requested.lock:
        return install(
            folder, ["--require-hashes", "--requirement", str(ROOT / requested.lock)], requested.lock.as_posix()
        )
    itself = ["--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
    add_tools(Path(sysconfig.get_paths()["purelib"]))
    return install(folder, itself, "skipscan itself")


def add_tools(packages: Path) -> None:
    """Have the environment find `local`, `benchmarks` and `verify`: in this process of Python and in all it starts."""
    (packages / "skipscan-tools.pth").write_text(f"{ROOT / 'tools'}\n", encoding="utf-8")


def create(folder: Path) -> None:
    """Create a virtual environment if it does not exist. `.venv`, whose Python runs this, gets a pip."""
    if not python(folder).exists():
        venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    if folder == PIP_FOLDER:
        add_pip(Path(sysconfig.get_paths()["purelib"]))


def add_pip(packages: Path) -> None:
    """Unpack the wheel of pip that comes with Python, unless there is a pip.

    `python -m venv` would have pip install itself, which takes ten times as long: it compiles all of itself first.
    """
    if (packages / "pip").exists():
        return
    wheel = bundled_pip()
    if wheel is None:  # for example Linux distributions that keep it elsewhere
        if subprocess.run([sys.executable, "-m", "ensurepip"], check=False).returncode:
            sys.exit(
                "This Python has no ensurepip: install it (Debian, Ubuntu: apt install python3-venv), then make again"
            )
        return
    with ZipFile(wheel) as archive:
        archive.extractall(packages)


def bundled_pip() -> Path | None:
    """Return the wheel of pip in Python's ensurepip; None where it is not there."""
    folder = Path(sysconfig.get_paths()["stdlib"], "ensurepip", "_bundled")
    return next(iter(sorted(folder.glob("pip-*.whl"))), None)


def python(folder: Path) -> Path:
    """Return the interpreter of a virtual environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def install(folder: Path, requirements: Sequence[str], what: str) -> int:
    """Install with uv, or else with pip; return the exit status."""
    uv = find_uv()
    if uv and run("uv", [str(uv), "pip", "install", "--python", str(python(folder)), *requirements], folder, what) == 0:
        return 0
    if uv:
        print("uv could not install it; trying pip", flush=True)
    return run("pip", pip(folder, requirements), folder, what)


def find_uv() -> Path | None:
    """Return the path of the locked uv, installed with pip if need be; None where there is none to be had."""
    if os.environ.get("SKIPSCAN_INSTALLER") == "pip":
        return None
    program, installed = python(UV_FOLDER).with_name("uv"), UV_FOLDER / UV_LOCK.name
    if not installed.exists() or installed.read_bytes() != UV_LOCK.read_bytes():
        create(UV_FOLDER)
        requirements = ["--only-binary=:all:", "--require-hashes", "--requirement", str(UV_LOCK)]
        if run("pip", pip(UV_FOLDER, requirements), UV_FOLDER, "uv, which installs the rest"):
            print("uv is not available; installing with pip", flush=True)
            return None
        shutil.copy(UV_LOCK, installed)
    return program


def pip(folder: Path, requirements: Sequence[str]) -> list[str]:
    """Return the command with which the pip of `.venv` installs into any environment."""
    return [str(python(PIP_FOLDER)), *PIP, "--python", str(python(folder)), "install", *requirements]


def run(installer: str, command: Sequence[str], folder: Path, what: str) -> int:
    """Run an installer between two lines. Its own bars would be drawn over those of npm, which runs beside it."""
    name = folder.relative_to(ROOT)
    print(f"Installing {what} into {name} with {installer} ({SECONDS[installer]})", flush=True)
    start = time.monotonic()
    status = subprocess.run([*command, "--quiet"], cwd=ROOT, env=variables(installer), check=False).returncode
    if not status:
        print(f"Installed {what} into {name} in {time.monotonic() - start:.0f} s", flush=True)
    return status


def variables(installer: str) -> dict[str, str]:
    """Return the variables for an installer. uv keeps no cache: that would be a second copy of everything."""
    if installer == "pip":
        return {**os.environ}
    listed = subprocess.run(
        [str(python(PIP_FOLDER)), *PIP, "config", "list"], capture_output=True, text=True, check=False
    )
    return {**settings_of_pip(listed.stdout), **os.environ, "UV_NO_CACHE": "1"}


def settings_of_pip(listed: str) -> Mapping[str, str]:
    """Return uv's variables for what `pip config list` prints; pip's own variables count before its files."""
    found = re.findall(r"^(global|install|:env:)\.([a-z-]+)='(.*)'$", listed, re.MULTILINE)
    order = ("global", "install", ":env:")
    found.sort(key=lambda line: order.index(line[0]))
    return {FROM_PIP[name]: value for _, name, value in found if name in FROM_PIP}


if __name__ == "__main__":
    sys.exit(main())
