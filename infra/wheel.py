"""`python -m infra.wheel [REPOSITORY]`: builds the wheel, with packaged template, zip and policies, in build/wheel.

`pip install .` builds one without these, because they need the CDK. REPOSITORY: the URL of the sources, which the
wheel's page on a package index links to.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from .bundle import ROOT
from .section import ending

FOLDER = ROOT / "build" / "wheel"
PACKAGED = Path("lambdas/skipscan/cli/stack/packaged")
"""The folder that `skipscan deploy` reads."""
PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
NEVER_MIND = shutil.ignore_patterns("__pycache__", "*.egg-info")
LONG_AGO = "315532800"
"""1980: the same sources give the same wheel at any time."""


def build(folder: Path, repository: str | None = None) -> Path:
    """Return the wheel, built into a folder from a copy: setuptools leaves files where it builds."""
    (ROOT / "build").mkdir(exist_ok=True)
    with TemporaryDirectory(dir=ROOT / "build", prefix="wheel-") as scratch:
        source = Path(scratch)
        for name in ("infra", "lambdas"):
            shutil.copytree(ROOT / name, source / name, ignore=NEVER_MIND)
        for name in ("pyproject.toml", "setup.py", "LICENSE", "cdk.json"):
            shutil.copy(ROOT / name, source)
        pages = f"{repository.rstrip('/')}/blob/HEAD/docs" if repository else ""
        name_pages(source / "lambdas/skipscan/__init__.py", pages)
        _package(source)
        shutil.copytree(ROOT / "docs" / "policies", source / PACKAGED / "policies")
        if repository:
            _link(source / "pyproject.toml", repository)
        command = [
            *PIP,
            "wheel",
            "--no-deps",
            "--no-build-isolation",
            "--no-index",
            f"--wheel-dir={folder}",
            str(source),
        ]
        subprocess.run(command, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": LONG_AGO})
    [built] = folder.glob("*.whl")
    return built


def _package(source: Path) -> None:
    """Write template and zip from the copy, so that what they say names the same pages as the command."""
    (source / "build").symlink_to(ROOT / "build")  # has the wheels for the zip
    program = "import sys, pathlib; from infra.package import package; package(None, pathlib.Path(sys.argv[1]))"
    environ = {**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{source / 'lambdas'}", "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", program, str(source / PACKAGED)], cwd=source, env=environ, check=True)
    (source / "build").unlink()  # setuptools has a folder of this name


def _link(project: Path, repository: str) -> None:
    if not re.fullmatch(r'https://[^\s"]+', repository):
        raise ValueError(f"{repository!r} is not a URL such as https://github.com/you/skipscan: correct it")
    text = project.read_text(encoding="utf-8")
    address = repository.rstrip("/")
    named = f'[project.urls]\nRepository = "{address}"\nDocumentation = "{address}/tree/HEAD/docs"\n'
    project.write_text(text.replace("[project.urls]\n", named), encoding="utf-8")


def name_pages(module: Path, address: str) -> None:
    """Let messages name the pages at an address; a wheel without one has no pages to name."""
    text = module.read_text(encoding="utf-8")
    module.write_text(text.replace('DOCUMENTATION = "docs"', f'DOCUMENTATION = "{address}"'), encoding="utf-8")


if __name__ == "__main__":
    shutil.rmtree(FOLDER, ignore_errors=True)
    with ending(ValueError):
        wheel = build(FOLDER, *sys.argv[1:])
    sys.stdout.write(f"{wheel.relative_to(ROOT)}  {wheel.stat().st_size / 1000:,.0f} kB\n")
