"""One piece of work, read from what it left on S3 or in a folder: its plan, its end, and its committed batches.

A batch is read by one of two rules. Exact: its part's metadata names the checkpoint and its SHA-256, as the kernel
reads it. Any attempt: one of its checkpoints, for those who may not read parts, and for copies, which have no metadata.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from skipscan.errors import IncompleteRunError
from skipscan.loop.kind import AnyProgress, Failure, Kind
from skipscan.loop.reader import Reader
from skipscan.stored.moment import Moment

READERS, AHEAD = 16, 64
"""Objects that are read at once, and checkpoints that are held at once."""

LONG_AGO = datetime.min.replace(tzinfo=UTC)
"""In place of an unknown start."""


def started_in(document: Mapping[str, Any]) -> datetime | None:
    """Return when work started, by its plan.json; `None` if another version wrote it without that."""
    try:
        return datetime.fromisoformat(document["started"]).astimezone(UTC)
    except (LookupError, TypeError, ValueError):
        return None


Place = tuple[int, int]
"""A worker and its batch."""


@dataclass
class StoredWork:
    """`document`: plan.json, where it is read already, in whatever form it has.

    `previous`: returns the main count of the last finished work with the same scope, for a plan without an estimate.
    `shows_attempts`: whether the metadata of parts can be read. S3 shows metadata only with the permission to read the
    parts, and with them the keys.
    """

    kind: Kind[Any]
    results: Reader
    document: Mapping[str, Any] | None = None
    previous: Callable[[], float | None] = lambda: None
    shows_attempts: bool = True
    _reached: dict[int, AnyProgress] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.results.layout.name

    @property
    def started(self) -> datetime:
        return started_in(self.document or {}) or LONG_AGO

    def plan(self) -> Mapping[str, Any] | None:
        """Return plan.json, or `None` if there is none yet; it never changes."""
        self.document = self.document or self.results.plan()
        return self.document

    def look(self, at: datetime, *, is_deep: bool = True) -> Moment | None:
        """Return the work at one moment by the exact rule; `None` without a plan. `is_deep`: reads checkpoints."""
        document = self.plan()
        if document is None:
            return None
        manifest = self.results.manifest()
        if manifest or not is_deep:
            return Moment(self.kind, at, document, manifest)
        committed = self._take_committed(document)
        previous = self.previous() if self.kind.expected(document) is None else None
        return Moment(self.kind, at, document, None, dict(self._reached), committed, self.results.resumes(), previous)

    def failures(self) -> list[Failure]:
        """Return the failures that no later batch of their worker has overcome, the newest first."""
        reached = {worker: progress.batch for worker, progress in self._reached.items()}
        found = [one for one in self.results.failures() if one.batch >= reached.get(one.worker, 0)]
        return sorted(found, key=lambda failure: failure.at, reverse=True)

    def parts(self) -> dict[Place, tuple[str, datetime]]:
        """Return each committed batch, in order, with the name of its part and when it was put."""
        layout = self.results.layout
        named = ((layout.worker_and_batch(name), name, at) for name, at in self.results.storage.names(layout.parts))
        return dict(sorted((place, (name, at)) for place, name, at in named if place))

    def checkpoints(self, parts: Mapping[Place, str]) -> Iterator[tuple[Place, Mapping[str, Any]]]:
        """Yield the checkpoints of committed batches by the rule of any attempt, in order, without expired ones.

        `parts`: by batch, the name of its part.
        """
        results, attempts = self.results, {place: list[str]() for place in parts}
        for name, _ in results.storage.names(results.layout.checkpoints):
            place = results.layout.worker_and_batch(name)
            if place in attempts:
                attempts[place].append(name)

        def read(place: Place) -> Mapping[str, Any] | None:
            names = attempts[place]
            return results.document(names[0] if len(names) == 1 else self._counted(parts[place], names))

        places = (place for place, names in attempts.items() if names)
        with ThreadPoolExecutor(READERS) as pool:
            while some := list(islice(places, AHEAD)):
                found = zip(some, pool.map(read, some), strict=True)
                yield from ((place, checkpoint) for place, checkpoint in found if checkpoint is not None)

    def _counted(self, part: str, names: Sequence[str]) -> str:
        """Return the checkpoint of the attempt that committed a batch.

        A copy on disk does not say which attempt that was. All of them started at the same place and differ little.
        """
        found = self.results.storage.look(part) if self.shows_attempts else None
        attempt = found.metadata.get("attempt") if found else None
        return next((name for name in names if attempt and name.endswith(f"-{attempt}.json")), min(names))

    def _take_committed(self, document: Mapping[str, Any]) -> datetime | None:
        """Read what workers have committed since the last look; return the time of the newest commit."""
        work, parts = self.kind.work(document), self.parts()
        results, last = self.results.named(self.kind.suffix(work.plan), work.folders), dict(parts.keys())

        def reached(worker: int) -> AnyProgress:
            committed = results.committed(worker, last[worker])
            if committed is None:
                raise IncompleteRunError(
                    f"a part of worker {worker}",
                    rule="was deleted",
                    remedy="start new work, and never delete parts",
                )
            progress: AnyProgress = self.kind.progress(committed, work.plan)
            return progress

        fresh = [one for one in last if one not in self._reached or self._reached[one].batch <= last[one]]
        with ThreadPoolExecutor(READERS) as pool:
            self._reached.update(zip(fresh, pool.map(reached, fresh), strict=True))
        return max((parts[place][1] for place in last.items()), default=None)
