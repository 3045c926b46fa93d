"""All stored work of one kind over one table, newest first."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from skipscan.environment.status import Execution, State, Status, state
from skipscan.loop.kind import Kind
from skipscan.loop.layout import Layout
from skipscan.loop.results import Results
from skipscan.loop.storage import Storage
from skipscan.loop.work import is_readable

LOOKS = 16


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
        """Return the work as in `entries`, and the status of that which another version wrote in another form."""
        names = list(self.storage.folders(self._layout("any").all))
        with ThreadPoolExecutor(LOOKS) as pool:
            plans = pool.map(lambda name: self.results(name).stored_plan(), names)
            stored = [ArchivedWork(name, plan) for name, plan in zip(names, plans, strict=True) if plan]
        found = [entry for entry in stored if is_readable(entry.plan) and self.has(entry.plan)]
        unreadable = [self._unreadable(entry) for entry in stored if not is_readable(entry.plan)]
        return sorted(found, key=lambda entry: entry.started, reverse=True), unreadable

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
        """Yield the finished work, newest first. Makes one request for each."""
        for entry in self.entries():
            if manifest := self.results(entry.name).manifest():
                yield Finished(entry.name, manifest)
