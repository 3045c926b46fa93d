"""The difference of two runs, however small the sorted chunks are."""

import heapq
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from skipscan.listing.compare import difference as module
from skipscan.listing.compare.difference import KeyChange, difference


def test_memory_does_not_grow_with_the_runs(tmp_path: Path) -> None:
    def lines(count: int) -> Iterator[bytes]:
        return (b'{"customer": "customer-%08d"}\n' % (number * 7919 % count) for number in range(count))

    def peak_bytes(count: int) -> int:
        folder = tmp_path / str(count)
        folder.mkdir()
        tracemalloc.start()
        try:
            changes = sum(1 for _ in difference(lines(count), lines(count), folder, chunk_bytes=100_000))
            return tracemalloc.get_traced_memory()[1] + changes
        finally:
            tracemalloc.stop()

    # Four times the keys take four times the files, and each of them a buffer; without chunks it would be megabytes.
    assert peak_bytes(20_000) < 20_000 * 80 / 2


def test_more_chunks_than_may_be_open_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_FILES", 3)
    at_once: list[int] = []

    def merge(*files: Iterable[bytes]) -> Iterator[bytes]:
        at_once.append(len(files))
        return heapq.merge(*files)

    monkeypatch.setattr(module, "heapq", SimpleNamespace(merge=merge))
    lines = [b"%d\n" % (number * 7919 % 1000) for number in range(1000)]
    found = list(difference(lines, lines[:-1], tmp_path, chunk_bytes=1))
    assert found == [(KeyChange.VANISHED, lines[-1])]
    assert max(at_once) == 3
