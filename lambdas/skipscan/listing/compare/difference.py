"""The lines that only one of two runs has: exact, in memory that does not grow with the runs.

Nearly all lines of two runs are in both. So both runs are first dealt into piles on disk by the lines' hashes, and each
pair of piles is compared as sets: that takes a fraction of the time in which Python sorts lines. What is left is sorted
on disk, in chunks that fit into memory, and read side by side.
"""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from enum import StrEnum
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Self

CHUNK_BYTES = 32 << 20
"""Lines that are in memory at once, with what Python adds to each."""

LINE_BYTES = 48  # of a `bytes` object and of its place in a list, beside its content
MOST_FILES = 35  # open at once for one run; with the piles, two runs stay below the 256 that macOS allows a process

PILES = (53, 29)
"""Into so many piles a run is dealt, and a pile that is too large once more: numbers without a common factor."""

DEALT = 8
"""An eighth of a chunk is dealt before it goes to the piles' files: what fits into a processor's cache takes two thirds
of the time."""

TAKEN_LINES = 1_000
"""So many lines are taken before their bytes are counted."""


class KeyChange(StrEnum):
    """What happened to a key between two runs."""

    NEW = "new"
    VANISHED = "vanished"


def difference(
    old: Iterable[bytes], new: Iterable[bytes], folder: Path, *, chunk_bytes: int = CHUNK_BYTES
) -> Iterator[tuple[KeyChange, bytes]]:
    """Yield the lines that only one side has, in the order of their bytes. Duplicates within a side do not matter.

    `folder`: for piles and sorted chunks, which need as much space as both sides. The files have no names, so none
    remains however the process ends. Lines include their line ends. Both sides are read completely before the first
    line is yielded.
    """
    with ExitStack() as files:
        vanished, found = (files.enter_context(_Sorted(folder, chunk_bytes)) for _ in range(2))
        _sift(old, new, vanished, found)
        before, after = vanished.lines(), found.lines()
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

    def __init__(self, folder: Path, chunk_bytes: int) -> None:
        self.folder, self.chunk_bytes = folder, chunk_bytes
        self._files: list[IO[bytes]] = []
        self._chunk: list[bytes] = []
        self._room = chunk_bytes

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files:
            file.close()

    def add(self, lines: Iterable[bytes]) -> None:
        for some in _taken(lines):
            self._chunk += some
            self._room -= _memory_bytes(some)
            if self._room <= 0:
                self._put_chunk()

    def lines(self) -> Iterator[bytes]:
        """Return all lines in order, each once."""
        self._put_chunk()
        last = None
        for line in heapq.merge(*self._files):
            if line != last:
                yield line
            last = line

    def _put_chunk(self) -> None:
        if len(self._files) == MOST_FILES:
            merged = self._written(heapq.merge(*self._files))
            self.__exit__()
            self._files = [merged]
        self._chunk.sort()
        self._files.append(self._written(self._chunk))
        self._chunk.clear()
        self._room = self.chunk_bytes

    def _written(self, lines: Iterable[bytes]) -> IO[bytes]:
        file = TemporaryFile(dir=self.folder)  # noqa: SIM115 - it stays open until all are merged
        file.writelines(lines)
        file.seek(0)
        return file


def _sift(
    old: Iterable[bytes], new: Iterable[bytes], vanished: _Sorted, found: _Sorted, piles: tuple[int, ...] = PILES
) -> None:
    """Add the lines that only `old` has to `vanished`, and those that only `new` has to `found`.

    Piles that are still too large when they were dealt again are added whole: the difference stays the same.
    """
    folder, chunk_bytes = vanished.folder, vanished.chunk_bytes
    count, *more = piles
    with _Piles(count, folder, chunk_bytes) as left, _Piles(count, folder, chunk_bytes) as right:
        left.deal(old)
        right.deal(new)
        for one, other in zip(left.piles, right.piles, strict=True):
            if one.memory_bytes + other.memory_bytes <= chunk_bytes:
                changed, after = set(one.lines()), set(other.lines())
                changed ^= after  # once over all lines, where two differences would be twice
                found.add(changed & after)
                vanished.add(changed - after)
            elif more:
                _sift(one.lines(), other.lines(), vanished, found, tuple(more))
            else:
                vanished.add(one.lines())
                found.add(other.lines())
            one.close()  # what is sorted may need the space
            other.close()


class _Piles:
    """Lines dealt by their hashes: equal lines are in the same pile."""

    def __init__(self, count: int, folder: Path, chunk_bytes: int) -> None:
        self.piles = [_Pile(folder) for _ in range(count)]
        self._chunk_bytes = chunk_bytes

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pile in self.piles:
            pile.close()

    def deal(self, lines: Iterable[bytes]) -> None:
        add, count = [pile.added.append for pile in self.piles], len(self.piles)
        room = most = self._chunk_bytes // DEALT
        for some in _taken(lines):
            for line, number in zip(some, map(hash, some), strict=False):
                add[number % count](line)
            room -= _memory_bytes(some)
            if room <= 0:
                for pile in self.piles:
                    pile.put()
                room = most
        for pile in self.piles:
            if pile.file is not None:
                pile.put()


class _Pile:
    """Lines whose hashes leave the same rest: in memory at first, and in a file when all piles are too much."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.added: list[bytes] = []
        self._put_bytes = 0
        self.file: IO[bytes] | None = None

    @property
    def memory_bytes(self) -> int:
        """What all of its lines take in memory."""
        return self._put_bytes + _memory_bytes(self.added)

    def put(self) -> None:
        """Move the lines in memory to the file."""
        if self.file is None:
            self.file = TemporaryFile(dir=self._folder)  # noqa: SIM115 - it stays open until the pile is compared
        body = b"".join(self.added)
        self.file.write(body)
        self._put_bytes += len(body) + LINE_BYTES * len(self.added)
        self.added.clear()

    def lines(self) -> Iterator[bytes]:
        """Return all lines; may be called again afterwards."""
        if self.file is None:
            return iter(self.added)
        self.file.seek(0)
        return self.file

    def close(self) -> None:
        self.added.clear()
        if self.file is not None:
            self.file.close()


def _taken(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    left = iter(lines)
    while some := list(islice(left, TAKEN_LINES)):
        yield some


def _memory_bytes(lines: Sequence[bytes]) -> int:
    return sum(map(len, lines)) + LINE_BYTES * len(lines)
