"""Which lines only one of two runs has: exact, and in memory that does not grow with the runs.

Both are sorted on disk, in chunks that fit into memory, and then read side by side.
"""

import heapq
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path

CHUNK_BYTES = 32 << 20
"""Lines that are sorted at once, with what Python adds to each."""

LINE_BYTES = 48  # of a `bytes` object and of its place in a list, beside its content
MOST_FILES = 100  # open at once for one run; two runs stay below the 256 that macOS allows a process


class Change(StrEnum):
    """What became of a key between two runs."""

    NEW = "new"
    VANISHED = "vanished"


def difference(
    old: Iterable[bytes], new: Iterable[bytes], folder: Path, *, chunk_bytes: int = CHUNK_BYTES
) -> Iterator[tuple[Change, bytes]]:
    """Return the lines that only one side has, in the order of their bytes; how often a side has one is no matter.

    `folder`: an empty one for the sorted chunks, which take as much room as both sides. Lines end in a line end.
    """
    with ExitStack() as open_files:
        before = _Sorted(old, folder / "old", chunk_bytes).lines(open_files)
        after = _Sorted(new, folder / "new", chunk_bytes).lines(open_files)
        left, right = next(before, None), next(after, None)
        while left is not None or right is not None:
            if left == right:
                left, right = next(before, None), next(after, None)
            elif right is None or (left is not None and left < right):
                yield Change.VANISHED, left or b""
                left = next(before, None)
            else:
                yield Change.NEW, right
                right = next(after, None)


class _Sorted:
    """Lines in sorted files of a folder of their own, few enough to be open at once."""

    def __init__(self, lines: Iterable[bytes], folder: Path, chunk_bytes: int) -> None:
        folder.mkdir()
        self._folder = folder
        self._files: list[Path] = []
        self._written = 0
        chunk: list[bytes] = []
        room = chunk_bytes
        for line in lines:
            chunk.append(line)
            room -= len(line) + LINE_BYTES
            if room <= 0:
                chunk.sort()
                self._write(chunk)
                chunk.clear()
                room = chunk_bytes
        chunk.sort()
        self._write(chunk)

    def lines(self, open_files: ExitStack) -> Iterator[bytes]:
        """Return all lines in order, each once."""
        last = None
        for line in heapq.merge(*(open_files.enter_context(file.open("rb")) for file in self._files)):
            if line != last:
                yield line
            last = line

    def _write(self, lines: Iterable[bytes]) -> None:
        if len(self._files) == MOST_FILES:
            files, self._files = self._files, []
            with ExitStack() as open_files:
                self._write(heapq.merge(*(open_files.enter_context(file.open("rb")) for file in files)))
            for file in files:
                file.unlink()
        file = self._folder / str(self._written)
        self._written += 1
        with file.open("wb") as sorted_file:
            sorted_file.writelines(lines)
        self._files.append(file)
