"""A folder that somebody changed: every command that takes one refuses it in words, or finds nothing wrong."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from skipscan import open_run
from skipscan.cli.say import DEFECT
from skipscan.errors import SkipscanError
from skipscan.library.folder_run import unfinished_in
from tests.house.suite.examples import ALL
from tests.unit.cli.command import invoke
from tests.unit.folder.local_listing import few_pages, listing

TAKEN: Mapping[str, dict[str, Any]] = {
    "keys": {},
    "items": {"take": {"items": "all"}, "format": "csv"},
    "counts": {"take": {"count": {}}, "format": "dynamodb-jsonl"},
}
VALUES: tuple[Any, ...] = (None, -1, 1.5, "x", "", [], {}, True, 10**30, float("inf"), [1], {"a": 1}, "../x", "\ud800")
CASES = 60 if ALL else 20


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return a folder of each take, finished, and one of an unfinished run."""
    root = tmp_path_factory.mktemp("folders")
    with few_pages():
        for name, asked in TAKEN.items():
            listing(root / name, **asked).run()
        shutil.copytree(root / "keys", root / "unfinished")
        (root / "unfinished/manifest.json").unlink()
        max((root / "unfinished/keys").rglob("part-*")).unlink()
    return sorted(root.iterdir())


def changed(random: Random, document: Any) -> Any:
    """Return a JSON document with a member that is gone, renamed, or something else."""
    places: list[tuple[Any, Any]] = []

    def walk(within: Any) -> None:
        pairs = within.items() if isinstance(within, dict) else enumerate(within) if isinstance(within, list) else ()
        for name, value in pairs:
            places.append((within, name))
            walk(value)

    walk(document)
    if not places or random.random() < 0.1:
        return random.choice(VALUES)
    within, name = random.choice(places)
    if random.random() < 0.3:
        del within[name]
    else:
        within[name] = random.choice(VALUES)
    return document


def harm(random: Random, folder: Path) -> str:
    """Change a file as people, disks and tools that synchronize do; return what was done."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    documents = [path for path in files if path.suffix == ".json"]
    how = random.choice(["member", "member", "member", "member", "gone", "cut", "binary", "folder", "link", "other"])
    # The manifest and the plan: most of what commands read.
    above = [path for path in documents if path.parent == folder and random.random() < 0.6]
    file = random.choice((above or documents) if how == "member" else files)
    body = file.read_bytes()
    if how == "member":
        file.write_text(json.dumps(changed(random, json.loads(body))))
        return f"{how} of {file.name}"
    file.unlink()
    match how:
        case "cut":
            file.write_bytes(body[: random.randrange(len(body) + 1)])
        case "binary":
            file.write_bytes(random.randbytes(99))
        case "other":
            shutil.copyfile(random.choice([each for each in documents if each != file]), file)
        case "folder":
            file.mkdir()
        case "link":
            file.symlink_to("nowhere")
    return f"{how} of {file.name}"


def opened(folder: Path) -> None:
    list(open_run(folder).groups())


def continued(folder: Path) -> None:
    unfinished = listing(folder)
    unfinished.listing_input = unfinished_in(folder, {})
    unfinished.run()


def command(*arguments: str) -> Callable[[Path], None]:
    def run(folder: Path) -> None:
        done = invoke(arguments[0], str(folder), *arguments[1:])
        assert done.status != DEFECT, done.stderr

    return run


USES: Mapping[str, Callable[[Path], None]] = {
    "open_run": opened,
    "resume": continued,
    "download": command("download"),
    "download csv": command("download", "--format", "csv"),
    "report": command("report", "--json"),
}


@pytest.mark.slow
@pytest.mark.posix
@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_changed_folder_leads_to_no_unexpected_error(
    folders: list[Path], use: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", lambda file: None)
    for seed in range(CASES):
        random, folder = Random(seed), tmp_path / f"./{seed}"
        shutil.copytree(folders[seed % len(folders)], folder)
        done = [harm(random, folder) for _ in range(random.choice([1, 1, 2]))]
        try:
            use(folder)
        except SkipscanError:
            continue
        except Exception as error:
            raise AssertionError(f"seed {seed}: {done}") from error
