"""An installed command names pages where a reader can open them, or none; tests/house/installed has a whole wheel."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from infra.wheel import name_pages
from local.checkout import ROOT

pytestmark = pytest.mark.engine

REFUSED = "from skipscan.errors import page; print(page('errors.md'))"


@pytest.mark.parametrize(
    ("address", "said"),
    [("https://example.com/blob/HEAD/docs", "https://example.com/blob/HEAD/docs/errors.md"), ("", "None")],
)
def test_a_wheel_names_the_pages_of_its_repository_or_none(address: str, said: str, tmp_path: Path) -> None:
    package = tmp_path / "skipscan"
    package.mkdir()
    for name in ("__init__.py", "errors.py"):
        shutil.copy(ROOT / "lambdas" / "skipscan" / name, package)
    name_pages(package / "__init__.py", address)
    done = subprocess.run([sys.executable, "-c", REFUSED], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == said
