"""The lines that only one of two runs has: exact, in memory that does not grow with the runs.

Both runs are sorted on disk, in chunks that fit into memory, and then read side by side.
"""

import heapq
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Self

CHUNK_BYTES = 32 << 20
"""Lines that are sorted at once, with what Python adds to each."""

LINE_BYTES = 48  # of a `bytes` object and of its place in a list, beside its content
MOST_FILES = 100  # open at once for one run; two runs stay below the 256 that macOS allows a process


class KeyChange(StrEnum):
    """What happened to a key between two runs."""

    NEW = "new"
    VANISHED = "vanished"


def difference(
    old: Iterable[bytes], new: Iterable[bytes], folder: Path, *, chunk_bytes: int = CHUNK_BYTES
) -> Iterator[tuple[KeyChange, bytes]]:
    """Yield the lines that only one side has, in the order of their bytes. Duplicates within a side do not matter.

    `folder`: for the sorted chunks, which need as much space as both sides. The files have no names, so none remains
    however the process ends. Lines include their line ends. Both sides are read completely before the first line is
    yielded.
    """
    with ExitStack() as files:
        before = files.enter_context(_Sorted(folder, old, chunk_bytes)).lines()
        after = files.enter_context(_Sorted(folder, new, chunk_bytes)).lines()
        left, right = next(before, None), next(after, None)
        while left is not None or right is not None:
            if left == right:
                left, right = next(before, None), next(after, None)
            elif right is None or (left is not None and left < right):
                yield KeyChange.VANISHED, left or b""
                left = next(before, None)
            else:
                yield KeyChange.NEW, right
                right = next(after, None)


class _Sorted:
    """Lines in sorted files, few enough to be open at once."""

    def __init__(self, folder: Path, lines: Iterable[bytes], chunk_bytes: int) -> None:
        self._folder = folder
        self._files: list[IO[bytes]] = []
        chunk: list[bytes] = []
        room = chunk_bytes
        for line in lines:
            chunk.append(line)
            room -= len(line) + LINE_BYTES
            if room <= 0:
                self._add(chunk)
                room = chunk_bytes
        self._add(chunk)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files:
            file.close()

    def lines(self) -> Iterator[bytes]:
        """Return all lines in order, each once."""
        last = None
        for line in heapq.merge(*self._files):
            if line != last:
                yield line
            last = line

    def _add(self, chunk: list[bytes]) -> None:
        if len(self._files) == MOST_FILES:
            merged = self._written(heapq.merge(*self._files))
            self.__exit__()
            self._files = [merged]
        chunk.sort()
        self._files.append(self._written(chunk))
        chunk.clear()

    def _written(self, lines: Iterable[bytes]) -> IO[bytes]:
        file = TemporaryFile(dir=self._folder)  # noqa: SIM115 - it stays open until all are merged
        file.writelines(lines)
        file.seek(0)
        return file
