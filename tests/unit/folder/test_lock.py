"""One process at a time in a folder, and who has it."""

import os
from pathlib import Path

import pytest

from skipscan.errors import DeniedError
from skipscan.folder.lock import locked


@pytest.mark.posix  # there the same process is refused, too
def test_a_folder_in_use_says_by_whom_and_is_free_afterwards(tmp_path: Path) -> None:
    scratch = tmp_path / ".skipscan"
    said = f"is in use by process {os.getpid()}: wait until that has ended"
    with locked(tmp_path, scratch), pytest.raises(DeniedError, match=said), locked(tmp_path, scratch):
        pytest.fail("two of them had it")
    with locked(tmp_path, scratch):
        pass


def test_every_version_locks_the_same_file(tmp_path: Path) -> None:
    with locked(tmp_path, tmp_path / ".skipscan"):
        assert [path.name for path in (tmp_path / ".skipscan").iterdir()] == ["lock"]
