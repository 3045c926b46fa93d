"""One process at a time works in a folder; the other learns which one does."""

import errno
import os
from pathlib import Path

import pytest

from skipscan.errors import DeniedError
from skipscan.folder.files import HELD_BYTE, locked
from tests.refusal import refused


@pytest.mark.posix  # there the same process is refused, too
def test_a_second_one_is_refused_and_learns_who_is_first(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    holder = rf"process {os.getpid()}\b"
    with (
        locked(tmp_path, scratch),
        refused(DeniedError, str(tmp_path), rule=holder, way="wait"),
        locked(tmp_path, scratch),
    ):
        raise AssertionError


def test_every_version_locks_the_same_byte_of_the_same_file(tmp_path: Path) -> None:
    """Two that locked others, as Windows locks bytes, would both work in the folder."""
    with locked(tmp_path, tmp_path / ".skipscan"):
        assert [path.name for path in (tmp_path / ".skipscan").iterdir()] == ["lock"]
    assert HELD_BYTE == 1_048_576


def test_the_lock_names_its_holder_alone(tmp_path: Path) -> None:
    (tmp_path / "lock").write_bytes(b"99999999999999999999")
    for _ in range(2):
        with locked(tmp_path, tmp_path):
            assert (tmp_path / "lock").read_bytes() == b"%d" % os.getpid()


def test_a_folder_that_another_process_makes_meanwhile_is_as_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = Path.mkdir

    def made_before(path: Path, **options: bool) -> None:
        make(path)
        make(path, **options)

    monkeypatch.setattr(Path, "mkdir", made_before)
    with locked(tmp_path, tmp_path / "run" / "scratch"):
        assert (tmp_path / "run" / "scratch" / "lock").exists()


@pytest.mark.posix
def test_a_full_disk_keeps_the_error_of_what_comes_next(tmp_path: Path) -> None:
    """Closing the lock's file wrote again what had failed, and that error hid the other."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    refusal = DeniedError("a", rule="is full", remedy="make room")
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
        with pytest.raises(DeniedError) as caught, locked(tmp_path, tmp_path):
            raise refusal
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert caught.value is refusal


@pytest.mark.posix
def test_a_disk_that_cannot_lock_is_not_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", without_locks)
    with refused(DeniedError, str(tmp_path), rule="No locks available", way="disk"), locked(tmp_path, tmp_path):
        raise AssertionError
