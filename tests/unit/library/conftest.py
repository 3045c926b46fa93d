"""The environment that the commands' tests have, too, and a folder to list into."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from skipscan.library import into_folder
from tests.unit.cli.place import place, quiet
from tests.unit.folder.local_listing import few_pages
from tests.unit.handlers.conftest import dynamodb, listing, s3

__all__ = ["dynamodb", "listing", "place", "quiet", "s3"]


@pytest.fixture
def quick_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a listing into a folder retry at once, not wait for the disk, and have batches of few pages."""
    monkeypatch.setattr(into_folder, "RETRY_SECONDS", ())
    # tests/unit/folder/test_storage.py sees that it is called.
    monkeypatch.setattr(os, "fsync", lambda file: None)
    with few_pages():
        yield


@pytest.fixture
def orders_folder(tmp_path: Path) -> Path:
    return tmp_path / "orders"
