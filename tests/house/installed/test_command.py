"""`pip install` gives the command, with nothing of this checkout but its code."""

import configparser
import io
import json
import re
import shutil
import subprocess
import sys
import tomllib
from email.message import Message
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

import skipscan
from infra.bundle import ROOT, bundle, zipped
from infra.wheel import _link
from skipscan.cli.commands import COMMANDS
from skipscan.cli.stack.permissions import TEMPLATE
from tests.house.installed.conftest import Run

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
    packaged = {f"skipscan/cli/stack/packaged/{name}" for name in ("README.md", TEMPLATE, zip_name(wheel))}
    policies = {f"skipscan/cli/stack/packaged/policies/{path.name}" for path in (ROOT / "docs/policies").iterdir()}
    assert {name for name in names if not name.endswith(".py")} == packaged | policies | {
        "skipscan/py.typed",
        "skipscan/report/page.css",
        "skipscan_cdk/package.md",
        "skipscan_cdk/wheel.md",
        "skipscan_cdk/py.typed",
        "skipscan_cdk/lambdas/requirements.txt",
    }


def zip_name(wheel: Path) -> str:
    with ZipFile(wheel) as content:
        template = json.loads(content.read(f"skipscan/cli/stack/packaged/{TEMPLATE}"))
    return str(template["Parameters"]["CodeKey"]["Default"])


def test_the_zip_in_the_wheel_is_the_code_of_this_checkout_but_for_the_address_of_the_pages(wheel: Path) -> None:
    with ZipFile(wheel) as content:
        packaged = ZipFile(io.BytesIO(content.read(f"skipscan/cli/stack/packaged/{zip_name(wheel)}")))
    code = ZipFile(io.BytesIO(zipped(bundle(ROOT / "lambdas", ROOT / "build"))))
    differing = {name for name in code.namelist() if packaged.read(name) != code.read(name)}
    assert packaged.namelist() == code.namelist()
    assert differing == {"skipscan/__init__.py"}
    assert b'DOCUMENTATION = ""' in packaged.read("skipscan/__init__.py")


def test_an_installation_of_the_checkout_names_no_page_of_its_docs(tmp_path: Path) -> None:
    """`pip install .` builds so; docs/ stays where it is."""
    command = [sys.executable, "setup.py", "--quiet", "build_py", f"--build-lib={tmp_path}"]
    subprocess.run(command, cwd=ROOT, check=True)
    assert 'DOCUMENTATION = ""\n' in (tmp_path / "skipscan/__init__.py").read_text()


@pytest.fixture(scope="module")
def metadata(site: Path) -> Message:
    [found] = site.glob("*.dist-info/METADATA")
    return Parser().parsestr(found.read_text())


def test_its_metadata_say_what_it_is_and_what_it_needs(metadata: Message) -> None:
    assert (metadata["Name"], metadata["Version"]) == ("skipscan", skipscan.__version__)
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.11"
    assert "Programming Language :: Python :: 3.14" in metadata.get_all("Classifier", [])
    assert set(metadata.get_all("Provides-Extra", [])) == {"cdk", "login", "parquet"}


@pytest.mark.long
def test_its_description_holds_outside_the_repository(metadata: Message) -> None:
    """An index shows it: no picture that it cannot draw, no link into a checkout, no command that needs one."""
    shown = str(metadata.get_payload())
    assert shown.strip() == (ROOT / "infra/wheel.md").read_text().strip()
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert "```mermaid" not in shown
    links = re.findall(r"\]\(([^)]*)\)|(?:src|href)=\"([^\"]*)\"", shown)
    assert links
    assert [link for pair in links for link in pair if link and not link.startswith("https://")] == []
    assert not re.search(r"\bmake \w+|\./|cdk\.json|docs/", shown)
    commands = set(re.findall(r"^skipscan (\w+)", shown, re.MULTILINE))
    assert commands == {"plan", "keys", "deploy", "run", "destroy"} <= COMMANDS.keys()


IN_A_CLONE = re.compile(rb"(?<![\w./-])(?:docs|tests|tools|examples|local|verify|infra)/\w")


def test_no_file_names_a_path_of_the_checkout(site: Path) -> None:
    texts = [path for path in site.rglob("*") if path.suffix in {".py", ".md", ".css", ".json", ".txt"}]
    assert len(texts) > 300
    assert [str(path) for path in texts if IN_A_CLONE.search(path.read_bytes())] == []


def test_the_page_of_a_release_links_to_its_sources(tmp_path: Path) -> None:
    project = tmp_path / "pyproject.toml"
    shutil.copy(ROOT / "pyproject.toml", project)
    _link(project, "https://example.org/skipscan/")
    urls = tomllib.loads(project.read_text())["project"]["urls"]
    assert urls["Repository"] == "https://example.org/skipscan"
    assert urls["Documentation"] == "https://example.org/skipscan/tree/HEAD/docs"
    for address in ("skipscan", "github.com/you/skipscan", "http://github.com/you", 'https://x"y', "https://a b"):
        with pytest.raises(ValueError, match="is not a URL"):
            _link(project, address)


def test_the_command_starts_from_what_was_installed(site: Path, run_installed: Run) -> None:
    [points] = site.glob("*.dist-info/entry_points.txt")
    entries = configparser.ConfigParser()
    entries.read(points)
    assert entries["console_scripts"]["skipscan"] == "skipscan.__main__:main"
    script = str(site / "bin" / "skipscan")
    done = run_installed(script, "--version")
    assert done.stdout == f"skipscan {skipscan.__version__}\n", done.stderr
    assert "Usage: skipscan" in run_installed(script, "--help").stdout


def test_policies_and_schemas_are_printed_far_from_the_checkout(run_installed: Run) -> None:
    printed = run_installed("-m", "skipscan", "policy", "run", "--env", "dev")
    assert "stateMachine:skipscan-dev" in json.dumps(json.loads(printed.stdout))
    assert printed.stderr == "skipscan: replace ACCOUNT, BUCKET, REGION before you attach the policy\n"
    assert json.loads(run_installed("-m", "skipscan", "schema", "act").stdout)["required"] == ["table", "run"]
