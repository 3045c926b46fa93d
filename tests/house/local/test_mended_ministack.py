"""MiniStack with what it lacks."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from local.checkout import MINISTACK_PYTHON, ROOT

pytestmark = pytest.mark.engine

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


def test_functions_with_the_same_zip_share_its_folder(tmp_path: Path) -> None:
    command = [str(MINISTACK_PYTHON), "-P", "-c", UNPACKING, str(ROOT / "tools" / "local" / "mended_ministack.py")]
    variables = {"TMPDIR": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("True False a b\n", 0), done.stderr
