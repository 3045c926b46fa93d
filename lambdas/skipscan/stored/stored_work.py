"""One piece of work, known from what it left on S3 or in a folder: its plan, its end, and its committed batches."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from skipscan.loop.kind import AnyProgress, Failure, Kind
from skipscan.loop.reader import LOOKS, ResultsReader
from skipscan.stored.moment import Moment

LONG_AGO = datetime.min.replace(tzinfo=UTC)
"""In place of an unknown start."""


def started_in(document: Mapping[str, Any]) -> datetime | None:
    """Return when work started, by its plan.json; `None` if another version wrote it without that."""
    try:
        return datetime.fromisoformat(document["started"]).astimezone(UTC)
    except (LookupError, TypeError, ValueError):
        return None


@dataclass
class StoredWork:
    """`document`: plan.json, where it is read already, in whatever form it has.

    `previous`: returns the main count of the last finished work with the same scope, for a plan without an estimate.
    """

    kind: Kind[Any]
    results: ResultsReader
    document: Mapping[str, Any] | None = None
    previous: Callable[[], float | None] = lambda: None
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

    def _take_committed(self, document: Mapping[str, Any]) -> datetime | None:
        """Read what workers have committed since the last look; return the time of the newest commit."""
        work, parts = self.kind.work(document), self.results.batches()
        results = self.results.named(self.kind.suffix(work.plan), work.folders)
        last = dict(parts.keys())

        def reached(worker: int) -> AnyProgress:
            progress: AnyProgress = self.kind.progress(results.of(worker, last[worker]), work.plan)
            return progress

        fresh = [one for one in last if one not in self._reached or self._reached[one].batch <= last[one]]
        with ThreadPoolExecutor(LOOKS) as pool:
            self._reached.update(zip(fresh, pool.map(reached, fresh), strict=True))
        return max((parts[place][1] for place in last.items()), default=None)
