"""The stored work of one kind over one table, newest first; and a watch that polls one piece of work."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from skipscan.environment.execution import Execution
from skipscan.environment.executions import Executions
from skipscan.environment.status import State, Status, state
from skipscan.errors import StateError
from skipscan.loop.kind import Failure, Kind
from skipscan.loop.reader import LOOKS, ResultsReader
from skipscan.loop.work import is_readable
from skipscan.stored.moment import Moment
from skipscan.stored.stored_work import StoredWork

SHORTEST_SECONDS, LONGEST_SECONDS = 1.0, 10.0


def seconds_to_next_look(waited: float) -> float:
    """Return the seconds until the next poll, after `waited` seconds. A poll of S3 costs as much as ten read units."""
    return min(LONGEST_SECONDS, max(SHORTEST_SECONDS, waited / 60))


def status_of(
    work: StoredWork,
    at: datetime,
    execution: Execution | None,
    moment: Moment | None,
    *,
    has_parts: bool,
    workers_by_state: Mapping[str, int] | None = None,
    failures: Sequence[Failure] = (),
) -> Status:
    """Return the status of stored work. `execution`: the current or the last one. `has_parts`: of unfinished work."""
    manifest = moment.ending if moment else None
    found = state(
        plan=moment.document if moment else None,
        parts=has_parts,
        manifest=bool(manifest),
        is_running=bool(execution and execution.is_running),
        earlier=execution.earlier if execution else None,
    )
    results, table = work.results, work.results.layout.table
    uri, report = results.manifest_uri, results.report(manifest)
    known = (execution, moment, uri, report, workers_by_state)
    return Status(work.kind, table, work.name, found, at, *known, failures=failures)


@dataclass(frozen=True)
class Watch:
    """Follows one run or job. `execution`: the current or the last one, if Step Functions has it."""

    work: StoredWork
    executions: Executions
    execution: Execution | None

    def look(self) -> Status:
        """Return the status.

        A look makes two LISTs, one or two calls to Step Functions, and two GETs for each new batch.
        """
        at = datetime.now(UTC)
        # The execution first: everything that it stored before its end is then found, and not reported as missing. A
        # new execution may not be visible yet.
        execution = self.execution and (self.executions.at(self.execution.arn) or self.execution)
        moment = self.work.look(at)
        is_running = execution and execution.is_running and moment
        return status_of(
            self.work,
            at,
            execution,
            moment,
            has_parts=bool(moment and moment.reached),
            workers_by_state=self.executions.workers(execution) if execution and is_running else None,
            failures=self.work.failures() if moment and not moment.ending else (),
        )


@dataclass(frozen=True)
class Archive:
    """Read-only. `any`: results of the kind over the table, by any name. `arn`: the table's."""

    kind: Kind[Any]
    any: ResultsReader
    arn: str

    def work(self, name: str) -> StoredWork:
        """Return the work of a name, which need not exist; raise `InputError` for an invalid name."""
        return StoredWork(self.kind, self.any.other(name))

    def all(self) -> list[StoredWork]:
        """Return all work over the table that has a plan, also of versions whose plans are unreadable; newest first.

        Makes one request for each, and one for every thousand names.
        """
        found = [self.work(name) for name in self.any.storage.folders(self.any.layout.all)]
        with ThreadPoolExecutor(LOOKS) as pool:
            plans = pool.map(lambda work: work.results.stored_plan(), found)
            stored = [replace(work, document=plan) for work, plan in zip(found, plans, strict=True) if plan]
        stored = [work for work in stored if self.has(work) is not False]
        return sorted(stored, key=lambda work: work.started, reverse=True)

    def entries(self) -> list[StoredWork]:
        """Return all work over the table that has a plan in this version's form, the newest first."""
        return [work for work in self.all() if self.has(work)]

    def has(self, work: StoredWork) -> bool | None:
        """Return whether work with a plan is over the table; `None` if another version wrote its plan."""
        try:
            return bool(self.kind.work(work.document or {}).plan.identity.arn == self.arn)
        except StateError:
            return None

    def status(self, work: StoredWork, running: Mapping[str, Execution]) -> Status:
        """Return the status, without the workers. `running`: running executions, by the work's name."""
        at = datetime.now(UTC)
        if self.has(work) is None:
            unreadable, execution = work.document, running.get(work.name)
            return Status(
                self.kind, self.any.layout.table, work.name, State.UNREADABLE, at, execution, unreadable=unreadable
            )
        moment = work.look(at, is_deep=False)
        is_ended = moment is not None and moment.ending is not None
        has_parts = is_ended or any(True for _ in self.any.storage.names(work.results.layout.parts))
        return status_of(work, at, running.get(work.name), moment, has_parts=has_parts)

    def statuses(self, entries: list[StoredWork], running: Mapping[str, Execution]) -> list[Status]:
        with ThreadPoolExecutor(LOOKS) as pool:
            return list(pool.map(lambda work: self.status(work, running), entries))

    def finished(self) -> Iterator[Mapping[str, Any]]:
        """Return the manifests of finished work, newest first, also of versions whose plans this one cannot read.

        Makes one request for each.
        """
        return filter(None, (self.manifest(work.name) for work in self.all()))

    def manifest(self, name: str) -> Mapping[str, Any] | None:
        """Return the manifest of finished work over the table; `None` if there is none that this version can read."""
        manifest = self.work(name).results.stored_manifest()
        is_ours = manifest and is_readable(manifest) and manifest["identity"]["arn"] == self.arn
        return manifest if is_ours else None
