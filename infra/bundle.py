"""The Lambda zip: `lambdas/` and the pinned wheels of its requirements.txt, built without Docker.

The same files give the same bytes on every machine, so CDK does not deploy an unchanged bundle again.
"""

import functools
import hashlib
import io
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from aws_cdk import Stage
from aws_cdk.aws_lambda import AssetCode, Code
from constructs import Construct

import skipscan

ROOT = Path(__file__).resolve().parents[1]
INSTALLED = Path(__file__).parent / "lambdas"
"""The handlers when there is no checkout, only the installed package `skipscan_cdk`."""
PYTHON_VERSION = "3.14"
LEFT_OUT = ("__pycache__", "*.egg-info", "requirements.*", "cli", "folder", "library", "__main__.py")
"""No function uses the last ones: commands and programs do."""
UNUSED = ("event_handler", "swagger_ui")
"""A third of Powertools' files: utilities for web APIs, which no function here uses."""


def code(scope: Construct) -> AssetCode:
    """Return the code of the functions. Call it once a stack: CDK binds the code to the first stack that uses it."""
    if INSTALLED.exists():
        # An installed package's folder must stay unchanged, so the bundle is built beside CDK's own output.
        stage = cast(Stage, Stage.of(scope))  # every construct is below a stage
        folder = bundle(INSTALLED, Path(stage.outdir, "skipscan"), core=Path(skipscan.__file__).parent)
    else:
        folder = bundle(ROOT / "lambdas", ROOT / "build")
    # The name already contains a hash of the content; CDK would cache its own hash in the home directory.
    return Code.from_asset(str(folder), asset_hash=folder.name)


@functools.cache
def bundle(lambdas: Path, build: Path, core: Path | None = None) -> Path:
    """Return the folder that becomes the zip: below `build`, with a hash of its content as its name.

    `core`: the package `skipscan`, if it is not beside the handlers. pip runs once for each content of
    requirements.txt. Raises `CalledProcessError` if pip fails.
    """
    build.mkdir(parents=True, exist_ok=True)
    requirements = lambdas / "requirements.txt"
    wheels = build / f"wheels-{_digest(PYTHON_VERSION.encode(), requirements.read_bytes())}"
    with TemporaryDirectory(dir=build) as scratch:
        if not wheels.exists():
            _install(requirements, Path(scratch, "wheels"))
            _name(Path(scratch, "wheels"), wheels)
        together = Path(scratch, "bundle")
        shutil.copytree(wheels, together, ignore=shutil.ignore_patterns(*UNUSED))
        for source, target in ((lambdas, together), (core or lambdas / "skipscan", together / "skipscan")):
            shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
        _level(together)
        return _name(together, build / f"bundle-{_digest(*_content(together))}")


def zipped(folder: Path) -> bytes:
    """Return a bundle as a zip. Like CDK's, it keeps names, contents and permissions, but no times."""
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = ZipInfo(path.relative_to(folder).as_posix())
            entry.external_attr = path.stat().st_mode << 16
            archive.writestr(entry, path.read_bytes(), ZIP_DEFLATED)
    return out.getvalue()


def _install(requirements: Path, folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check", "install"]
    pure = ["--no-compile", "--no-deps", "--only-binary=:all:", "--platform=any", f"--python-version={PYTHON_VERSION}"]
    subprocess.run([*pip, *pure, f"--target={folder}", f"--requirement={requirements}"], check=True)
    # Scripts begin with the path of this machine's Python, and RECORD holds their checksums.
    shutil.rmtree(folder / "bin", ignore_errors=True)
    for record in folder.glob("*.dist-info/RECORD"):
        record.unlink()


def _level(folder: Path) -> None:
    """Give all files the same permissions, whatever the umask was: the zip stores them."""
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _name(folder: Path, name: Path) -> Path:
    """Rename a finished folder, so that no process sees a partial one. Another synth may have done it before."""
    try:
        return folder.rename(name)
    except OSError:
        if name.is_dir():
            return name
        raise


def _content(folder: Path) -> list[bytes]:
    """Return the names and bytes of all files, in the same order on every machine."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [part for file in files for part in (file.relative_to(folder).as_posix().encode(), file.read_bytes())]


def _digest(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()[:16]
