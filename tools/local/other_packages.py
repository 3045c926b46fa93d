"""Install the test packages with the oldest or the newest boto3, click, rich and pyarrow that the wheel allows.

`python -m local.other_packages oldest .venv-oldest`. The locks have one version of each. A user's environment may
have any that the metadata allows, so the suite runs with both ends of the range.
"""

import argparse
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from local.checkout import ROOT

UV = ROOT / ".venv-uv" / "bin" / "uv"


def lower_bounds(pyproject: str) -> list[str]:
    """Return a requirement of each package's oldest version: `click>=8.1` becomes `click==8.1`."""
    project = tomllib.loads(pyproject)["project"]
    allowed = [*project["dependencies"], *project["optional-dependencies"]["parquet"]]
    return [re.sub(r">=", "==", requirement) for requirement in allowed]


def install(which: str, folder: Path) -> None:
    """Create the environment anew. The other packages have their newest versions. Raises `CalledProcessError`."""
    quiet = [str(UV), "--quiet", "--no-config"]
    python = f"--python={folder}"
    subprocess.run([*quiet, "venv", "--clear", f"--python={sys.executable}", str(folder)], check=True)
    with TemporaryDirectory() as scratch:
        overrides = Path(scratch, "overrides.txt")
        text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        overrides.write_text("\n".join(lower_bounds(text) if which == "oldest" else []), encoding="utf-8")
        # `-c requirements.txt` in the file would bring the locked versions back.
        requested = Path(scratch, "requirements.in")
        lines = [
            line
            for name in ("requirements.in", "requirements/dev.in")
            for line in (ROOT / name).read_text(encoding="utf-8").splitlines()
            if not line.startswith("-")
        ]
        requested.write_text("\n".join(lines), encoding="utf-8")
        packages = [f"--override={overrides}", f"--requirement={requested}"]
        subprocess.run([*quiet, "pip", "install", python, *packages], check=True)
    itself = ["--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
    subprocess.run([*quiet, "pip", "install", python, *itself], check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Install other versions than the locks'.")
    parser.add_argument("which", choices=("oldest", "newest"))
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    install(given.which, ROOT / given.folder)
