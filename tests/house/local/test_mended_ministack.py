"""MiniStack with what it lacks."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from local.checkout import MINISTACK_PYTHON, ROOT

pytestmark = pytest.mark.engine

ASKING = """
import runpy, sys
import botocore.session
from ministack import app
from ministack.core import router

read = []
app.main = lambda: None
runpy.run_path(sys.argv[1], run_name="__main__")
botocore.session.Session.get_service_model = lambda session, service: read.append(service)
print(router._is_aws_service_name("s3"), router._is_aws_service_name("elsewhere"), read)
"""

UNPACKING = """
import runpy, sys, zipfile
from pathlib import Path
from ministack import app
from ministack.core import lambda_runtime

app.main = lambda: None
runpy.run_path(sys.argv[1], run_name="__main__")
for name, content in (("first", "a"), ("second", "a"), ("other", "b")):
    code = Path(name, "code")
    code.mkdir(parents=True)
    with zipfile.ZipFile(f"{name}.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("module.py"), content)
    with lambda_runtime.zipfile.ZipFile(f"{name}.zip") as archive:
        archive.extractall(str(code))
first, second, other = (Path(name, "code").resolve() for name in ("first", "second", "other"))
print(first == second, first == other, *((each / "module.py").read_text() for each in (second, other)))
"""


def mended(program: str, folder: Path) -> str:
    """Return what a program prints, by MiniStack's Python, in a folder."""
    command = [str(MINISTACK_PYTHON), "-P", "-c", program, str(ROOT / "local" / "mended_ministack.py")]
    variables = {"TMPDIR": str(folder)}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_service_is_known_by_its_name_and_no_model_is_read(tmp_path: Path) -> None:
    assert mended(ASKING, tmp_path) == "True False []\n"


def test_functions_with_the_same_zip_share_its_folder(tmp_path: Path) -> None:
    assert mended(UNPACKING, tmp_path) == "True False a b\n"
