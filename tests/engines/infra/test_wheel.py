"""An installed command names pages where a reader can open them, or none; a wheel has what `skipscan deploy` needs."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from infra import wheel
from infra.wheel import name_pages
from local.checkout import ROOT
from tests.refusal import failed

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


REPOSITORY = "https://github.com/you/skipscan"


class Sources:
    """Takes the place of pip and of the CDK: keeps what pip would build a wheel from."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.commands: list[tuple[list[str], Path | None, dict[str, str]]] = []

    def run(self, command: list[str], *, check: bool, env: dict[str, str], cwd: Path | None = None) -> None:
        assert check
        ours = {name: value for name, value in env.items() if os.environ.get(name) != value}
        self.commands.append((command, cwd, ours))
        if "-c" in command:  # as the CDK
            assert cwd is not None
            assert (cwd / "build").resolve() == (ROOT / "build").resolve()
            folder = Path(command[-1])
            assert folder.is_relative_to(cwd)
            folder.mkdir(parents=True)
            (folder / "skipscan.template.json").write_text((cwd / "lambdas/skipscan/__init__.py").read_text())
            return
        source = Path(command[-1])
        assert source.is_absolute()
        self.files = {
            path.relative_to(source).as_posix(): path.read_text() for path in source.rglob("*") if path.is_file()
        }
        [folder] = [Path(word.partition("=")[2]) for word in command if word.startswith("--wheel-dir=")]
        (folder / "skipscan-1-py3-none-any.whl").write_bytes(b"wheel")


@pytest.fixture
def sources(monkeypatch: pytest.MonkeyPatch) -> Sources:
    sources = Sources()
    monkeypatch.setattr(subprocess, "run", sources.run)
    return sources


@pytest.mark.parametrize(
    ("repository", "urls", "pages"),
    [
        (
            f"{REPOSITORY}/",
            {"Repository": REPOSITORY, "Documentation": f"{REPOSITORY}/tree/HEAD/docs"},
            f"{REPOSITORY}/blob/HEAD/docs",
        ),
        (None, {}, ""),
    ],
)
def test_a_wheel_has_the_code_the_template_the_policies_and_the_addresses(
    sources: Sources, tmp_path: Path, repository: str | None, urls: dict[str, str], pages: str
) -> None:
    assert wheel.build(tmp_path, repository) == tmp_path / "skipscan-1-py3-none-any.whl"
    packaged = "lambdas/skipscan/cli/stack/packaged"
    ours = sources.files.pop("lambdas/skipscan/__init__.py")
    assert f'DOCUMENTATION = "{pages}"\n' in ours
    assert sources.files.pop(f"{packaged}/skipscan.template.json") == ours, "made after the pages were named"
    project: dict[str, Any] = tomllib.loads(sources.files.pop("pyproject.toml"))
    before = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"].pop("urls") == {**before["project"].pop("urls"), **urls}
    assert project == before
    expected = [ROOT / name for name in ("setup.py", "LICENSE", "cdk.json")]
    expected += [path for name in ("infra", "lambdas") for path in (ROOT / name).rglob("*") if path.is_file()]
    kept = {path.relative_to(ROOT).as_posix(): path for path in expected}
    kept |= {f"{packaged}/policies/{path.name}": path for path in (ROOT / "docs/policies").iterdir()}
    assert sources.files == {
        name: path.read_text()
        for name, path in kept.items()
        if "__pycache__" not in name and ".egg-info" not in name and name != "lambdas/skipscan/__init__.py"
    }


def test_the_same_sources_give_the_same_wheel_without_the_network(sources: Sources, tmp_path: Path) -> None:
    wheel.build(tmp_path)
    (package, scratch, environ), (pip, _, dated) = sources.commands
    assert scratch is not None
    assert (package[-1], pip[-1]) == (str(scratch / wheel.PACKAGED), str(scratch))
    assert environ["PYTHONPATH"] == f"{scratch}{os.pathsep}{scratch / 'lambdas'}", "what is packaged is the copy"
    assert not scratch.exists()
    assert {"--no-deps", "--no-build-isolation", "--no-index"} < set(pip)
    assert dated == {"SOURCE_DATE_EPOCH": "315532800"}, "1980-01-01, from which on a zip has times"


@pytest.mark.parametrize(
    "repository", ["github.com/you/skipscan", "http://github.com/you", 'https://x"y', "https://a b"]
)
def test_an_address_that_no_browser_opens_is_refused(sources: Sources, tmp_path: Path, repository: str) -> None:
    with failed(ValueError, repr(repository), "https://github.com/you/skipscan"):
        wheel.build(tmp_path, repository)
    assert not list(tmp_path.iterdir())
