"""`pip install` gives the command, with nothing of this checkout but its code."""

import configparser
from email.message import Message
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

import skipscan
from infra.bundle import ROOT
from tests.installed.conftest import Run

pytestmark = pytest.mark.xdist_group("installed")


def test_the_wheel_has_the_packages_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as content:
        names = {name for name in content.namelist() if ".dist-info/" not in name}
        # Elsewhere, infra is another name; so its modules import each other by their place.
        assert [name for name in names if b"\nfrom infra" in content.read(name)] == []
    handlers = {f"skipscan_cdk/{path.relative_to(ROOT)}" for path in (ROOT / "lambdas/handlers").rglob("*.py")}
    core = {path.relative_to(ROOT / "lambdas").as_posix() for path in (ROOT / "lambdas/skipscan").rglob("*.py")}
    infra = {f"skipscan_cdk/{path.name}" for path in (ROOT / "infra").glob("*.py")}
    assert {name for name in names if name.endswith(".py")} == core | handlers | infra
    assert {name for name in names if not name.endswith(".py")} == {
        "skipscan/py.typed",
        "skipscan/report/page.css",
        "skipscan_cdk/package.md",
        "skipscan_cdk/py.typed",
        "skipscan_cdk/lambdas/requirements.txt",
    }


@pytest.fixture(scope="module")
def metadata(site: Path) -> Message:
    [found] = site.glob("*.dist-info/METADATA")
    return Parser().parsestr(found.read_text())


def test_its_metadata_say_what_it_is_and_what_it_needs(metadata: Message) -> None:
    assert (metadata["Name"], metadata["Version"]) == ("skipscan", skipscan.__version__)
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.11"
    assert str(metadata.get_payload()).strip() == (ROOT / "README.md").read_text().strip()
    assert "Programming Language :: Python :: 3.14" in metadata.get_all("Classifier", [])
    assert set(metadata.get_all("Provides-Extra", [])) == {"cdk"}


def test_the_command_starts_from_what_was_installed(site: Path, run_installed: Run) -> None:
    [points] = site.glob("*.dist-info/entry_points.txt")
    entries = configparser.ConfigParser()
    entries.read(points)
    assert entries["console_scripts"]["skipscan"] == "skipscan.__main__:main"
    script = str(site / "bin" / "skipscan")
    done = run_installed(script, "--version")
    assert done.stdout == f"skipscan {skipscan.__version__}\n", done.stderr
    assert "Usage: skipscan" in run_installed(script, "--help").stdout
