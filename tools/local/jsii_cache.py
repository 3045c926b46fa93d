"""The CDK's library, unpacked where jsii looks for it: `python -m local.jsii_cache build/jsii`.

jsii unpacks the library with a program in JavaScript, which takes ten times the CPU of `tar`. Its cache names a library
by the digest of its archive. If another version of jsii names it differently, jsii unpacks the library itself.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

LIBRARY = "aws-cdk-lib"
COMPLETE = ".jsii-runtime-package-cache"
"""The file that marks a library for jsii as completely unpacked."""
UNUSED = ("*.d.ts", "*.md", "rosetta", ".jsii.tabl.json*")
"""Types, pages and examples: half of the library, and nothing that a synthesis reads."""


def fill(root: Path) -> Path | None:
    """Unpack the library below `root` unless it exists; return its folder, or None if `tar` cannot unpack it."""
    archive = find_archive()
    if archive is None or shutil.which("tar") is None:
        return None
    version = archive.name.removeprefix(f"{LIBRARY}@").removesuffix(".jsii.tgz")
    entry = root / LIBRARY / version / digest(archive, version)
    if (entry / COMPLETE).exists():
        return entry
    entry.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=root) as scratch:
        unpacked = Path(scratch, "unpacked")
        unpacked.mkdir()
        left_out = [f"--exclude={pattern}" for pattern in UNUSED]
        command = ["tar", "-xzf", str(archive), "-C", str(unpacked), "--strip-components=1", *left_out]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return None
        (unpacked / COMPLETE).touch()
        try:
            unpacked.rename(entry)
        except OSError:  # another process was faster
            return entry if (entry / COMPLETE).exists() else None
    return entry


def find_archive() -> Path | None:
    """Return the archive of the library in the package aws_cdk, without importing the package: that starts Node."""
    package = find_spec("aws_cdk")
    folders = [Path(folder) for folder in (package.submodule_search_locations or ())] if package else []
    return next((found for folder in folders for found in (folder / "_jsii").glob(f"{LIBRARY}@*.jsii.tgz")), None)


def digest(archive: Path, version: str) -> str:
    """Return the name that jsii gives to the folder of an archive: a digest of its bytes, its name and its version."""
    found = hashlib.sha256(archive.read_bytes())
    for part in (LIBRARY, version):
        found.update(b"\0" + part.encode())
    return found.hexdigest()


if __name__ == "__main__":
    fill(Path(sys.argv[1]))
