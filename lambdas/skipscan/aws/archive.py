"""All work of one kind over one table as it is stored, newest first."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from skipscan.loop.kind import Kind
from skipscan.loop.layout import Layout
from skipscan.loop.results import Results
from skipscan.loop.status import Execution, Status, state
from skipscan.loop.storage import Storage

LOOKS = 16


@dataclass(frozen=True)
class Entry:
    """A piece of work with what plan.json holds."""

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
    """Reads alone. `table`: its bare name. `owner`: see `skipscan.inputs.names.table_owner`. `arn`: the table's."""

    kind: Kind[Any, Any]
    storage: Storage
    prefix: str
    table: str
    owner: str
    arn: str

    def results(self, name: str) -> Results:
        """Return the results of that name; raise `InputError` for what can be no name."""
        return Results(self.storage, self._layout(name))

    def _layout(self, name: str) -> Layout:
        return self.kind.layout(self.prefix, self.table, name, self.owner)

    def entries(self) -> list[Entry]:
        """Return all work over the table that has a plan: one request for each, and one for a thousand names."""
        names = list(self.storage.folders(self._layout("any").all))
        with ThreadPoolExecutor(LOOKS) as pool:
            plans = pool.map(lambda name: self.results(name).plan(), names)
            found = [Entry(name, plan) for name, plan in zip(names, plans, strict=True) if plan and self.has(plan)]
        return sorted(found, key=lambda entry: entry.started, reverse=True)

    def has(self, plan: Mapping[str, Any]) -> bool:
        """Tell whether what plan.json holds is of work over the table."""
        return bool(self.kind.work(plan).plan.identity.arn == self.arn)

    def status(self, entry: Entry, running: Mapping[str, Execution]) -> Status:
        """Return the status, without what the workers do. `running`: executions under way, by the work's name."""
        results = self.results(entry.name)
        manifest = results.manifest()
        execution = running.get(entry.name)
        has_parts = manifest is not None or any(True for _ in self.storage.names(results.layout.parts))
        return Status(
            self.kind,
            self.table,
            entry.name,
            state(plan=True, parts=has_parts, manifest=bool(manifest), is_running=bool(execution)),
            datetime.now(UTC),
            execution,
            entry.plan,
            manifest=manifest,
            manifest_uri=results.manifest_uri,
            report=results.report(manifest),
        )

    def statuses(self, entries: list[Entry], running: Mapping[str, Execution]) -> list[Status]:
        with ThreadPoolExecutor(LOOKS) as pool:
            return list(pool.map(lambda entry: self.status(entry, running), entries))

    def finished(self) -> Iterator[Finished]:
        """Return the finished work, the newest first; a request for each that is looked at."""
        for entry in self.entries():
            if manifest := self.results(entry.name).manifest():
                yield Finished(entry.name, manifest)
