"""Files in a folder of results that are not ours: of the operating system, of a synchronizing tool, of the user."""

import json
import os
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from unittest.mock import patch
from uuid import uuid4

import pytest

from skipscan.errors import BatchError, InputError
from skipscan.folder.storage import InFolder
from skipscan.inputs.names import MEDIA_TYPES
from skipscan.library import into_folder
from skipscan.listing.compare.difference import KeyChange
from skipscan.listing.kind import LISTING
from skipscan.loop.layout import is_own
from skipscan.pace.bill import Amounts
from skipscan.report.record import read_work
from tests.refusal import refused
from tests.unit.cli.command import invoke
from tests.unit.folder.local_listing import CUSTOMERS, Client, few_pages, listing
from tests.unit.report.local import local

SYSTEM = (".DS_Store", "desktop.ini", "Thumbs.db", "._part-00000.jsonl", ".localized", "Desktop.ini")
"""What macOS and Windows put into a folder by themselves."""
OTHERS_OF_THE_SYSTEM = (
    *(".fseventsd", ".Spotlight-V100", ".Trashes", ".directory", "lost+found"),
    *("ehthumbs.db", "$RECYCLE.BIN", "System Volume Information"),
)

ANY = (
    *SYSTEM,
    "part-00000 (1).jsonl",
    "part-00000.jsonl~",
    "part-00000.bak",
    "part-0.jsonl",
    "part-99999999999999999999.jsonl.icloud",
    "zzz",
    "größe",
    "a\nb",
)
EVERYWHERE = ("", "keys", "keys/worker-0000", "checkpoints", "checkpoints/worker-0000", "allotments/worker-0000")


@pytest.fixture(autouse=True)
def _short_without_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(into_folder, "RETRY_SECONDS", ())
    monkeypatch.setattr(os, "fsync", lambda file: None)
    monkeypatch.delenv("SKIPSCAN_ENV", raising=False)
    with few_pages():
        yield


def scatter(folder: Path, *names: str) -> None:
    for below in EVERYWHERE:
        for name in names:
            (folder / below).mkdir(parents=True, exist_ok=True)
            (folder / below / name).write_bytes(b"stray")


@pytest.fixture(scope="module")
def interrupted_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which a process has listed some batches before it ended."""
    folder, client = tmp_path_factory.mktemp("interrupted") / "orders", Client()

    def die() -> None:
        if client.scans > 12:
            raise RuntimeError

    client.on_scan = die
    with few_pages(), patch.object(into_folder, "RETRY_SECONDS", ()), pytest.raises(BatchError):
        listing(folder, client, max_read_units=10_000).run()
    return folder


@pytest.mark.parametrize("name", ANY)
def test_a_listing_continues_beside_a_stray_file(tmp_path: Path, interrupted_folder: Path, name: str) -> None:
    folder = tmp_path / "orders"
    shutil.copytree(interrupted_folder, folder)
    scatter(folder, name)
    manifest = listing(folder, max_read_units=10_000).run()
    assert manifest
    assert (manifest["keys"], manifest["complete"]) == (len(CUSTOMERS), True)
    assert all(part["name"].endswith(".jsonl") for part in manifest["parts"])
    parts = list(folder.glob("keys/worker-0000/part-000[0-9][0-9].jsonl"))
    assert read_work(LISTING, local(folder)).batches_committed == len(parts) > 3
    done = invoke("download", str(folder))
    assert (done.status, sorted(done.stdout.splitlines())) == (0, sorted(CUSTOMERS))
    assert (folder / "keys" / name).read_bytes() == b"stray"


def test_a_folder_with_files_of_the_system_counts_as_empty(tmp_path: Path) -> None:
    folder = tmp_path / "orders"
    folder.mkdir()
    for name in (*SYSTEM, *OTHERS_OF_THE_SYSTEM):
        (folder / name).write_bytes(b"")
    manifest = listing(folder).run()
    assert manifest
    assert json.loads((folder / "manifest.json").read_text())["keys"] == len(CUSTOMERS)


@pytest.mark.parametrize("name", ["notes.txt", ".git", "worker-0000"])
def test_a_folder_with_files_of_the_user_is_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "orders"
    folder.mkdir()
    (folder / name).write_bytes(b"")
    with refused(InputError, "folder", str(folder), rule="other files"):
        listing(folder).run()


def test_every_name_of_the_layout_is_our_own() -> None:
    for lines, suffix in product(("keys", "failed"), MEDIA_TYPES):
        layout = InFolder("", "Orders", "runs", "run", lines, suffix=suffix)
        attempts = [uuid4().hex, str(uuid4())]
        names = [layout.plan, layout.manifest, layout.unfinished, layout.report, layout.diff, layout.resume("arn")]
        names += [layout.diff_part(change, 7) for change in KeyChange]
        for worker, batch in ((0, 0), (9_999, 99_999), (10_000, 100_000)):
            names += [layout.part(worker, batch)]
            names += [layout.checkpoint(worker, batch, attempt) for attempt in attempts]
            names += [layout.allotment(worker, batch, attempt, Amounts(1e6, 2.0, 1.25)) for attempt in attempts]
        names += [f"skipscan/Orders/runs/run/{name}" for name in names]
        names.append(layout.entry("0123456789abcdef", "2026-01-01T00:00:00Z"))
        assert all(map(is_own, names)), [name for name in names if not is_own(name)]
