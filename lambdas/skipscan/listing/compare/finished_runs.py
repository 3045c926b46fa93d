"""The finished runs of a table with the same scope, found without reading the others.

Every finished run puts an empty object whose name contains its scope and its start. S3 lists objects in the order of
their names, so one request finds the newest, however many runs there are.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from skipscan import form
from skipscan.dynamodb.table_description import TableDescription, TableIdentity
from skipscan.errors import InputError
from skipscan.inputs.names import quoted
from skipscan.listing.execution_input import PREVIOUS
from skipscan.listing.scope import Scope
from skipscan.loop.results import Results
from skipscan.loop.work import is_readable

MOST_NAMED = 3
"""Runs that a warning names."""

MOST_LOOKED_AT = 100
"""Entries of removed runs are skipped, at most this many."""


class Chosen(NamedTuple):
    """The run to compare with; `None` if there is no previous one.

    `unreadable`: newer runs that another version wrote in another form, which this version cannot read.
    """

    run: str | None
    unreadable: tuple[str, ...] = ()

    @property
    def warning(self) -> str | None:
        """Return the sentence about the runs that were passed over, if any."""
        if not self.unreadable:
            return None
        names, more = ", ".join(self.unreadable[:MOST_NAMED]), len(self.unreadable) - MOST_NAMED
        return (
            "The comparison passes over newer runs that another version of Skipscan wrote in another form: "
            f"{names}{f' and {more} more' if more > 0 else ''}."
        )


def finished_run(field: str, name: str, description: TableDescription, run: Results) -> Mapping[str, Any]:
    """Return the manifest of the run that a field names.

    Raises `InputError` unless it is finished, `TableError` unless it is over the described table.
    """
    manifest = run.manifest()
    if manifest is None:
        rule = f'table "{description.name}" has no finished run with this name'
        raise InputError(field, name, rule, "use a run whose execution succeeded")
    form.read(TableIdentity, manifest["identity"]).check(description.identity, f'{field} is "{name}"; that run')
    return manifest


class Entries:
    """The finished runs that share an id, the newest first. `run`: the results of one that may be added."""

    def __init__(self, run: Results, id: str) -> None:
        self._run = run
        self._id = id

    def add(self, started: str) -> None:
        """Add the finished run itself; adding it again changes nothing."""
        self._run.storage.put(self._run.layout.entry(self._id, started), b"")

    def newest(self) -> Mapping[str, Any] | None:
        """Return the manifest of the newest readable run; `None` if there is none."""
        return next((manifest for _, manifest in self._manifests() if is_readable(manifest)), None)

    def _manifests(self, before: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the runs that are still there, newest first, each with its manifest in whatever form it has.

        `before`: an entry; only runs that started earlier.
        """
        prefix = self._run.layout.finished(self._id)
        names = (name for name, _ in self._run.storage.names(prefix) if name > before)
        for name in islice(names, MOST_LOOKED_AT):
            run = name.removeprefix(prefix).partition("-")[2]
            if (found := self._results(run).stored_manifest()) is not None:
                yield run, found

    def _results(self, run: str) -> Results:
        return Results(self._run.storage, replace(self._run.layout, name=run))


class FinishedRuns(Entries):
    """The finished runs that a run may be compared with. `scope`: of the run."""

    def __init__(self, run: Results, scope: Scope) -> None:
        super().__init__(run, scope.id)
        self._scope = scope

    def chosen(self, name: str) -> Chosen:
        """Return the run to compare with.

        Raises `InputError` for a named run that is not finished, or has another scope, `TableError` for one over
        another table.
        """
        if name == PREVIOUS:
            unreadable: list[str] = []
            for run, stored in self._manifests():
                if is_readable(stored):
                    return Chosen(run, tuple(unreadable))
                unreadable.append(run)
            return Chosen(None, tuple(unreadable))
        manifest = self._results(name).manifest()
        if manifest is None:
            raise InputError(
                "compare",
                name,
                f'table "{self._run.layout.table}" has no finished run with this name',
                f'use a finished run, or set "{PREVIOUS}"',
            )
        other = Scope.of_manifest(manifest)
        other.table.check(self._scope.table, f"compare is {quoted(name)}; that run")
        if other != self._scope:
            raise InputError(
                "compare",
                name,
                f"that run lists {other}, and this one {self._scope}",
                f'use a run with the same scope, or set "{PREVIOUS}"',
            )
        return Chosen(name)

    def before(self, started: str, count: int) -> list[Mapping[str, Any]]:
        """Return manifests of readable runs with the same scope that started earlier, the newest first.

        `started`: ISO 8601. `count`: the most manifests.
        """
        earlier = self._manifests(self._run.layout.entry(self._id, started))
        return list(islice((manifest for _, manifest in earlier if is_readable(manifest)), count))
