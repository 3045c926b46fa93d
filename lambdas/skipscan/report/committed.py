"""The objects of a run or job, wherever they are stored, and its committed batches, read from their checkpoints."""

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from math import ceil
from typing import Any

from skipscan.loop.results import Results
from skipscan.loop.storage import Storage
from skipscan.report.batch_record import BatchRecord


@dataclass(frozen=True)
class StoredWork:
    """The objects of a run or job. Several threads may read at once.

    `root`: the common prefix of their names. `shows_attempts`: whether the metadata of parts can be read. S3 shows
    metadata only with the permission to read the parts, and with them the keys.
    """

    storage: Storage
    root: str = ""
    shows_attempts: bool = True

    @classmethod
    def of(cls, results: Results) -> "StoredWork":
        """Return the objects as a function may read them: no part, and so no key."""
        return cls(results.storage, results.layout.root, shows_attempts=False)

    def read(self, name: str) -> bytes | None:
        """Return an object's content, or `None` if there is no such object."""
        return self.storage.get(self.root + name)

    def uri(self, name: str) -> str:
        """Return an object's address for people and other tools."""
        return self.storage.uri(self.root + name)

    def names(self, below: str) -> list[str]:
        """Return the names that begin with `below`."""
        return [name.removeprefix(self.root) for name, _ in self.storage.names(self.root + below)]

    def attempt(self, part: str) -> str | None:
        """Return which attempt wrote a part; `None` if only the part's content was kept, or is not shown."""
        found = self.storage.look(self.root + part) if self.shows_attempts else None
        return found.metadata.get("attempt") if found else None


def stored_document(body: bytes | None, inner: Callable[[Any], Any] | None = None) -> Any:
    """Return an object's content as JSON, or `None` if there is no such object. `inner`: replaces each JSON object."""
    return None if body is None else json.loads(body, object_hook=inner)


CHECKPOINTS = "checkpoints/"
CHECKPOINT = re.compile(r"checkpoints/worker[-=](\d+)/batch-(\d+)-(.+)\.json")
PART = re.compile(r"\w+/worker[-=](\d+)/part-(\d+)\.\w+")
READERS = 16

Place = tuple[int, int]
"""A worker and its batch."""

Attempts = tuple[Place, Sequence[str]]
"""A batch and its checkpoints, one for each attempt."""


@dataclass(frozen=True)
class Committed:
    """The committed batches, by the names of their parts."""

    folder: StoredWork
    parts: Mapping[Place, str]

    @classmethod
    def of(cls, folder: StoredWork, lines: str) -> "Committed":
        """Return the batches in a folder. `lines`: the folder of the parts within."""
        return cls(folder, {place: name for name in folder.names(f"{lines}/") if (place := _place(name))})

    @property
    def workers(self) -> list[int]:
        return sorted({worker for worker, _ in self.parts})

    def sampled(self, batches: int) -> set[int]:
        """Return every second, third … worker, so that about `batches` batches are read."""
        return set(self.workers[:: max(1, ceil(len(self.parts) / batches))])

    def batches(
        self, seen: set[int], read: Callable[[Mapping[str, Any]], BatchRecord | None], *, lasts: bool
    ) -> Iterator[BatchRecord]:
        """Return the batches of the workers in `seen`, in order; with `lasts` also the last of each other worker.

        Only a few are held at once, however many there are.
        """

        def batch(place: Place, names: Sequence[str]) -> BatchRecord | None:
            name = names[0] if len(names) == 1 else self._counted(place, names)
            checkpoint = stored_document(self.folder.read(name))
            return read(checkpoint) if checkpoint else None

        with ThreadPoolExecutor(READERS) as pool:
            ahead: deque[Future[BatchRecord | None]] = deque()
            for place, names in self._needed(seen, lasts=lasts):
                if names:
                    ahead.append(pool.submit(batch, place, names))
                if len(ahead) >= 2 * READERS and (found := ahead.popleft().result()):
                    yield found
            for future in ahead:
                if found := future.result():
                    yield found

    def _needed(self, seen: set[int], *, lasts: bool) -> list[Attempts]:
        places = sorted(self.parts)
        last = dict(places) if lasts else {}
        attempts: dict[Place, list[str]] = {
            (worker, batch): [] for worker, batch in places if worker in seen or last.get(worker) == batch
        }
        for name in self.folder.names(CHECKPOINTS):
            match = CHECKPOINT.fullmatch(name)
            if match and (names := attempts.get((int(match[1]), int(match[2])))) is not None:
                names.append(name)
        return list(attempts.items())

    def _counted(self, place: Place, names: Sequence[str]) -> str:
        """Return the checkpoint of the attempt that committed a batch.

        A copy on disk does not say which attempt that was. All of them started at the same place and differ little.
        """
        attempt = self.folder.attempt(self.parts[place])
        return next((name for name in names if attempt and name.endswith(f"-{attempt}.json")), min(names))


def _place(name: str) -> Place | None:
    match = PART.fullmatch(name)
    return (int(match[1]), int(match[2])) if match else None
