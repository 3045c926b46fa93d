"""The Lambda zip: `lambdas/` and the pinned wheels of its requirements.txt, put together without Docker.

The same files give the same bytes on every machine, so CDK does not deploy an unchanged bundle again.
"""

import functools
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from aws_cdk.aws_lambda import AssetCode, Code

ROOT = Path(__file__).resolve().parents[1]
PYTHON_VERSION = "3.14"
LEFT_OUT = ("__pycache__", "*.egg-info", "requirements.*", "cli", "report", "__main__.py")
"""No function uses the last three."""


def code() -> AssetCode:
    """Return the code of the functions. A stack asks once: CDK ties it to the stack that uses it first."""
    folder = bundle(ROOT / "lambdas", ROOT / "build")
    # The name is a hash of the content already; CDK's own would be cached in the home directory.
    return Code.from_asset(str(folder), asset_hash=folder.name)


@functools.cache
def bundle(lambdas: Path, build: Path) -> Path:
    """Return the folder that becomes the zip: below `build`, and named by its content.

    pip runs once for each content of requirements.txt; if it fails, `CalledProcessError` travels up.
    """
    build.mkdir(parents=True, exist_ok=True)
    requirements = lambdas / "requirements.txt"
    wheels = build / f"wheels-{_digest(PYTHON_VERSION.encode(), requirements.read_bytes())}"
    with TemporaryDirectory(dir=build) as scratch:
        if not wheels.exists():
            _install(requirements, Path(scratch, "wheels"))
            _name(Path(scratch, "wheels"), wheels)
        together = Path(scratch, "bundle")
        shutil.copytree(wheels, together)
        shutil.copytree(lambdas, together, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
        _level(together)
        return _name(together, build / f"bundle-{_digest(*_content(together))}")


def _install(requirements: Path, folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check", "install"]
    pure = ["--no-compile", "--no-deps", "--only-binary=:all:", "--platform=any", f"--python-version={PYTHON_VERSION}"]
    subprocess.run([*pip, *pure, f"--target={folder}", f"--requirement={requirements}"], check=True)
    # Scripts begin with the path of this machine's Python, and RECORD holds their checksums.
    shutil.rmtree(folder / "bin", ignore_errors=True)
    for record in folder.glob("*.dist-info/RECORD"):
        record.unlink()


def _level(folder: Path) -> None:
    """Give all files the same rights, whatever the umask was: the zip keeps them."""
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _name(folder: Path, name: Path) -> Path:
    """Rename a finished folder, so that nobody sees half of it; another synth may have been faster."""
    try:
        return folder.rename(name)
    except OSError:
        if name.is_dir():
            return name
        raise


def _content(folder: Path) -> list[bytes]:
    """Return the names and bytes of all files, in an order that is everywhere the same."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [part for file in files for part in (file.relative_to(folder).as_posix().encode(), file.read_bytes())]


def _digest(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()[:16]
