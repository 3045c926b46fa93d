"""A folder keeps what the kernel's storage promises, also where the process ends at any of its calls of the disk."""

import errno
import os
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISDIR
from typing import Any
from unittest.mock import patch

import pytest

from skipscan.errors import DeniedError, IncompleteRunError
from skipscan.folder.files import create
from skipscan.folder.storage import Folder
from tests.refusal import refused

NAME = "keys/worker-0000/part-00000.jsonl"
METADATA = {"attempt": "a", "keys": "1"}
CALLS = ("link", "fsync", "open", "mkdir", "unlink", "rename", "replace")


@pytest.fixture
def storage(tmp_path: Path) -> Folder:
    storage = Folder(tmp_path / "run")
    storage.clear()
    return storage


def test_what_was_put_is_there_with_its_metadata(storage: Folder) -> None:
    assert (storage.get(NAME), storage.look(NAME)) == (None, None)
    assert storage.put_once(NAME, b"one\n", METADATA)
    assert storage.get(NAME) == b"one\n"
    assert storage.get_range(NAME, 1, 3) == (b"ne", 4)
    found = storage.look(NAME)
    assert found
    assert (found.name, found.bytes, found.metadata) == (NAME, 4, METADATA)
    assert storage.uri(NAME) == str(storage.path / NAME)


def test_a_part_of_a_copied_run_is_found_by_the_name_that_it_has_on_s3(storage: Folder) -> None:
    storage.put("keys/worker-0000/part-00000.jsonl", b"content")
    assert storage.get("skipscan/Orders/runs/nightly+1/keys/worker-0000/part-00000.jsonl") == b"content"


def test_a_file_is_as_old_as_its_last_change_in_utc(storage: Folder) -> None:
    storage.put(NAME, b"one")
    os.utime(storage.path / NAME, (0.0, 1_767_225_600.0))
    changed = datetime(2026, 1, 1, tzinfo=UTC)
    assert list(storage.names("keys/")) == [(NAME, changed)]


def test_names_are_in_order_and_hold_nothing_of_the_folder_s_own(storage: Folder) -> None:
    for name in ("plan.json", "keys/worker-0001/part-00000.jsonl", NAME):
        storage.put_once(name, b"", METADATA)
    assert [name for name, _ in storage.names("")] == [NAME, "keys/worker-0001/part-00000.jsonl", "plan.json"]
    assert [name for name, _ in storage.names("keys/worker-0000/")] == [NAME]
    assert [name for name, _ in storage.names("keys/worker-0000/part-00001")] == []
    assert list(storage.names("nowhere/")) == []
    assert list(storage.folders("keys/")) == ["worker-0000", "worker-0001"]


@pytest.mark.parametrize("name", ["../plan.json", "/etc/passwd", "a//b", "a/./b", "a:b", "a\\b", "", "é", "." * 3])
def test_names_that_not_every_file_system_takes_are_refused(storage: Folder, name: str) -> None:
    with pytest.raises(IncompleteRunError):
        storage.put(name, b"")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EIO, errno.EROFS])
def test_another_error_of_a_link_is_no_lack_of_links(storage: Folder, code: int) -> None:
    with patch("os.link", side_effect=OSError(code, "")), refused(DeniedError, str(storage.path)):
        storage.put_once(NAME, b"one")
    assert storage.get(NAME) is None
    assert not list(storage.scratch.glob("unfinished-*"))


class Killed(BaseException):
    """The process ends here."""


def killed_at(number: int) -> Iterator[list[int]]:
    """Let the process end before the so-manieth call of the disk; yield how many came."""
    came = [0]

    def counted(name: str) -> Any:
        real = getattr(os, name)

        def call(*arguments: Any, **named: Any) -> Any:
            came[0] += 1
            if came[0] > number:  # after the first, nothing is done any more: not even what `finally` would do
                raise Killed
            return real(*arguments, **named)

        return call

    with patch.multiple(os, **{name: counted(name) for name in CALLS}):
        yield came


def test_wherever_the_process_ends_the_part_is_whole_or_not_there(tmp_path: Path) -> None:
    """The next writer puts its own object, or finds all of the first one."""
    outcomes = set()
    for number in range(100):
        folder = Folder(tmp_path / str(number))
        folder.clear()
        kill = killed_at(number)
        came = next(kill)
        try:
            folder.put_once(NAME, b"one", METADATA)
        except Killed:
            pass
        else:
            break
        finally:
            kill.close()  # type: ignore[attr-defined]
        was_there = folder.get(NAME) is not None
        after = Folder(folder.path)
        after.clear()
        assert after.put_once(NAME, b"two", {"attempt": "b"}) is not was_there
        found = after.look(NAME)
        assert found
        assert (after.get(NAME), found.metadata) in ((b"one", METADATA), (b"two", {"attempt": "b"}))
        assert not list(after.scratch.glob("unfinished-*"))
        outcomes.add(was_there)
    assert outcomes == {True, False}
    assert 8 < came[0] < 100


@pytest.fixture
def disk(storage: Folder, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str | int]]:
    """The calls that make files last, in their order: of a file's content with its bytes, of names with the folder."""
    done: list[tuple[str, str | int]] = []
    real_link, real_replace, real_sync = os.link, os.replace, os.fsync

    def link(source: Any, target: Any) -> None:
        done.append(("link", Path(target).name))
        real_link(source, target)

    def replace(source: Any, target: Any) -> None:
        done.append(("replace", Path(target).name))
        real_replace(source, target)

    def sync(file: int) -> None:
        found = os.fstat(file)
        if S_ISDIR(found.st_mode):
            folders = [storage.path, *(path for path in storage.path.rglob("*") if path.is_dir())]
            [folder] = [path for path in folders if path.stat().st_ino == found.st_ino]
            done.append(("folder", folder.relative_to(storage.path).as_posix()))
        else:
            done.append(("file", found.st_size))
        real_sync(file)

    for name, call in (("link", link), ("replace", replace), ("fsync", sync)):
        monkeypatch.setattr(os, name, call)
    return done


def test_content_lasts_before_its_name_and_its_name_before_the_answer(
    storage: Folder, disk: list[tuple[str, str | int]]
) -> None:
    names = [("folder", ".")] if os.name == "posix" else []  # Windows cannot open a folder, and journals names itself
    storage.put_once("manifest.json", b"{}")
    assert disk == [("file", 2), ("link", "manifest.json"), *names]
    disk.clear()
    storage.put("manifest.json", b"{ }")
    assert disk == [("file", 3), ("replace", "manifest.json"), *names]


@pytest.mark.parametrize(
    ("code", "rule", "way"),
    [
        (errno.ENOSPC, "full", "room"),
        (errno.EDQUOT, "quota", "room"),
        (errno.EACCES, "permission", "permissions"),
        (errno.EPERM, "permission", "permissions"),
        (errno.EROFS, "read-only", "another disk"),
        (errno.EIO, os.strerror(errno.EIO), "disk"),
    ],
)
def test_disk_errors_have_a_message(storage: Folder, code: int, rule: str, way: str) -> None:
    expected = refused(DeniedError, str(storage.path), rule=rule, way=way)
    with patch("os.fsync", side_effect=OSError(code, "")), expected:
        storage.put_once("manifest.json", b"one")
    assert storage.get("manifest.json") is None
    assert not list(storage.scratch.glob("unfinished-*"))


@pytest.mark.parametrize(
    "content", ["{", "[]", "7", '{"keys": {}}', '{"keys": "-1"}', '{"keys": "1", "attempt": null}']
)
def test_metadata_that_was_changed_is_refused(storage: Folder, content: str) -> None:
    storage.put_once(NAME, b"one", METADATA)
    (storage.scratch / "metadata" / f"{NAME}.json").write_text(content)
    with refused(IncompleteRunError, str(storage.scratch / "metadata" / f"{NAME}.json"), rule="changed"):
        storage.look(NAME)


@pytest.mark.parametrize("links", [None, OSError(errno.EPERM, "no links")])
def test_a_file_is_created_where_none_is(storage: Folder, links: OSError | None) -> None:
    path = storage.path / "one"
    with patch("os.link", side_effect=links) if links else nullcontext():
        assert create(path, b"one", storage.scratch)
        assert not create(path, b"two", storage.scratch)
    assert path.read_bytes() == b"one"
    assert not list(storage.scratch.glob("unfinished-*"))


OF_THE_SYSTEM = (
    *(".DS_Store", "desktop.ini", "Thumbs.db", "._part-00000.jsonl", ".localized", "Desktop.ini"),
    *(".fseventsd", ".Spotlight-V100", ".Trashes", ".directory", "lost+found"),
    *("ehthumbs.db", "$RECYCLE.BIN", "System Volume Information"),
)
"""What macOS, Windows and Linux put into a folder by themselves."""


def test_a_folder_with_files_of_the_system_counts_as_empty_and_with_others_does_not(storage: Folder) -> None:
    for name in OF_THE_SYSTEM:
        (storage.path / name).touch()
    assert not storage.is_foreign()
    for name in ("notes.txt", ".git", "worker-0000"):
        (storage.path / name).touch()
        assert storage.is_foreign()
        (storage.path / name).unlink()
