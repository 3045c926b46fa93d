"""The stored work of one kind over one table, newest first; and a watch that polls one piece of work."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from skipscan.environment.executions import Executions
from skipscan.environment.status import Execution, State, Status, state
from skipscan.errors import IncompleteRunError, StateError
from skipscan.loop.kind import Failure, Kind, Progress
from skipscan.loop.layout import Layout
from skipscan.loop.results import Results
from skipscan.loop.storage import Storage
from skipscan.loop.work import is_readable

LOOKS = 16

SHORTEST_SECONDS, LONGEST_SECONDS = 1.0, 10.0


def seconds_to_next_look(waited: float) -> float:
    """Return the seconds until the next poll, after `waited` seconds. A poll of S3 costs as much as ten read units."""
    return min(LONGEST_SECONDS, max(SHORTEST_SECONDS, waited / 60))


class Watch:
    """Follows one run or job. `execution`: the current or the last one, if Step Functions has it.

    `previous`: returns the main count of the last finished run with the same scope, for a plan without an estimate. It
    is called at most once.
    """

    def __init__(
        self,
        kind: Kind[Any, Any],
        results: Results,
        executions: Executions,
        execution: Execution | None,
        previous: Callable[[Mapping[str, Any]], float | None] = lambda plan: None,
    ) -> None:
        self.kind = kind
        self._results = results
        self._executions = executions
        self._execution = execution
        self._plan: Mapping[str, Any] | None = None
        self._reached: dict[int, Progress] = {}
        self._find_previous = previous
        self._previous: float | None = None
        self._has_looked_back = False

    def look(self) -> Status:
        """Return the status.

        A look makes two LISTs, one or two calls to Step Functions, and two GETs for each new batch.
        """
        at, layout = datetime.now(UTC), self._results.layout
        # The execution first: everything that it stored before its end is then found, and not reported as missing. A
        # new execution may not be visible yet.
        execution = self._execution and (self._executions.at(self._execution.arn) or self._execution)
        self._plan = self._plan or self._results.plan()
        manifest = self._results.manifest() if self._plan else None
        committed = self._take_committed(self._plan) if self._plan and not manifest else None
        is_running = bool(execution and execution.is_running)
        failures = self._failures() if self._plan and not manifest else []
        if self._plan and not manifest and not self._has_looked_back and self.kind.expected(self._plan) is None:
            self._previous, self._has_looked_back = self._find_previous(self._plan), True
        return Status(
            self.kind,
            layout.table,
            layout.name,
            state(
                plan=self._plan,
                parts=bool(self._reached),
                manifest=bool(manifest),
                is_running=is_running,
                earlier=execution.earlier if execution else None,
            ),
            at,
            execution,
            self._plan,
            dict(self._reached),
            committed,
            manifest,
            self._results.manifest_uri,
            self._results.report(manifest),
            self._previous,
            self._executions.workers(execution) if execution and is_running and self._plan else None,
            resumes=self._results.resumes() if self._plan and not manifest else 0,
            failures=failures,
        )

    def _failures(self) -> list[Failure]:
        """Return the failures that no later batch of their worker has overcome, the newest first."""
        reached = {worker: progress.batch for worker, progress in self._reached.items()}
        found = [one for one in self._results.failures() if one.batch >= reached.get(one.worker, 0)]
        return sorted(found, key=lambda failure: failure.at, reverse=True)

    def _take_committed(self, document: Mapping[str, Any]) -> datetime | None:
        """Read what workers have committed since the last poll; return the time of the newest commit."""
        work = self.kind.work(document)
        plan, results = work.plan, self._results.named(self.kind.suffix(work.plan), work.folders)
        last: dict[int, tuple[int, datetime]] = {}
        for name, modified in results.storage.names(results.layout.parts):
            place = results.layout.worker_and_batch(name)
            if place is not None and (place[0] not in last or place[1] > last[place[0]][0]):
                last[place[0]] = (place[1], modified)
        fresh = [
            worker
            for worker, (batch, _) in last.items()
            if worker not in self._reached or self._reached[worker].batch <= batch
        ]

        def reached(worker: int) -> Progress:
            committed = results.committed(worker, last[worker][0])
            if committed is None:
                raise IncompleteRunError(
                    f"a part of worker {worker}",
                    rule="was deleted",
                    remedy="start new work, and never delete parts",
                )
            progress: Progress = self.kind.progress(committed, plan)
            return progress

        with ThreadPoolExecutor(LOOKS) as pool:
            self._reached.update(zip(fresh, pool.map(reached, fresh), strict=True))
        return max((modified for _, modified in last.values()), default=None)


@dataclass(frozen=True)
class ArchivedWork:
    """A piece of work with its plan.json."""

    name: str
    plan: Mapping[str, Any]

    @property
    def started(self) -> datetime:
        return datetime.fromisoformat(self.plan["started"])


@dataclass(frozen=True)
class Finished:
    """A run with its manifest."""

    name: str
    manifest: Mapping[str, Any]


@dataclass(frozen=True)
class Archive:
    """Read-only. `table`: its bare name. `owner`: see `skipscan.inputs.names.table_owner`. `arn`: the table's."""

    kind: Kind[Any, Any]
    storage: Storage
    prefix: str
    table: str
    owner: str
    arn: str

    def results(self, name: str) -> Results:
        """Return the results of a name; raise `InputError` for an invalid name."""
        return Results(self.storage, self._layout(name))

    def _layout(self, name: str) -> Layout:
        return self.kind.layout(self.prefix, self.table, name, self.owner)

    def entries(self) -> list[ArchivedWork]:
        """Return all work over the table that has a plan in this version's form.

        Makes one request for each, and one for every thousand names.
        """
        return self.all()[0]

    def all(self) -> tuple[list[ArchivedWork], list[Status]]:
        """Return the work as `entries` does, and the status of work whose plan this version cannot read."""
        found, unreadable = list[ArchivedWork](), list[Status]()
        for entry in self._stored():
            try:
                found += [entry] if self.has(entry.plan) else []
            except StateError:
                unreadable.append(self._unreadable(entry))
        return sorted(found, key=lambda entry: entry.started, reverse=True), unreadable

    def _stored(self) -> list[ArchivedWork]:
        """Return all work that has a plan, in whatever form."""
        names = list(self.storage.folders(self._layout("any").all))
        with ThreadPoolExecutor(LOOKS) as pool:
            plans = pool.map(lambda name: self.results(name).stored_plan(), names)
            return [ArchivedWork(name, plan) for name, plan in zip(names, plans, strict=True) if plan]

    def _unreadable(self, entry: ArchivedWork) -> Status:
        now = datetime.now(UTC)
        return Status(self.kind, self.table, entry.name, State.UNREADABLE, now, unreadable=entry.plan)

    def has(self, plan: Mapping[str, Any]) -> bool:
        """Return whether a plan.json is about the table."""
        return bool(self.kind.work(plan).plan.identity.arn == self.arn)

    def status(self, entry: ArchivedWork, running: Mapping[str, Execution]) -> Status:
        """Return the status, without the workers. `running`: running executions, by the work's name."""
        results = self.results(entry.name)
        manifest = results.manifest()
        execution = running.get(entry.name)
        has_parts = manifest is not None or any(True for _ in self.storage.names(results.layout.parts))
        return Status(
            self.kind,
            self.table,
            entry.name,
            state(plan=entry.plan, parts=has_parts, manifest=bool(manifest), is_running=bool(execution)),
            datetime.now(UTC),
            execution,
            entry.plan,
            manifest=manifest,
            manifest_uri=results.manifest_uri,
            report=results.report(manifest),
        )

    def statuses(self, entries: list[ArchivedWork], running: Mapping[str, Execution]) -> list[Status]:
        with ThreadPoolExecutor(LOOKS) as pool:
            return list(pool.map(lambda entry: self.status(entry, running), entries))

    def finished(self) -> Iterator[Finished]:
        """Yield the finished work, newest first, also of versions whose plans this one cannot read.

        Makes one request for each.
        """
        stored = [entry for entry in self._stored() if isinstance(entry.plan.get("started"), str)]
        for entry in sorted(stored, key=lambda entry: entry.started, reverse=True):
            if found := self.finished_run(entry.name):
                yield found

    def finished_run(self, name: str) -> Finished | None:
        """Return finished work over the table by its name; `None` if there is none that this version can read."""
        manifest = self.results(name).stored_manifest()
        if manifest is None or not is_readable(manifest) or manifest["identity"]["arn"] != self.arn:
            return None
        return Finished(name, manifest)
