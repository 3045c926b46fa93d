"""The finished runs of a table with the same scope, found without reading the others.

Every finished run puts an empty object whose name contains its scope and its start. S3 lists objects in the order of
their names, so one request finds the newest, however many runs there are.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from skipscan import form
from skipscan.dynamodb.table_description import TableIdentity
from skipscan.errors import InputError
from skipscan.inputs.names import quoted
from skipscan.listing.fields import PREVIOUS
from skipscan.listing.scope import Scope
from skipscan.loop.reader import ResultsReader
from skipscan.loop.work import is_readable

MOST_NAMED = 3
"""Runs that a warning names."""

MOST_LOOKED_AT = 100
"""Entries of removed runs are skipped, at most this many."""


def finished_run(field: str, run: ResultsReader, table: TableIdentity) -> Mapping[str, Any]:
    """Return the manifest of the run that a field names.

    Raises `InputError` unless it is finished, `TableError` unless it is over this table.
    """
    name, manifest = run.layout.name, run.manifest()
    if manifest is None:
        rule = f'table "{run.layout.table}" has no finished run with this name'
        raise InputError(field, name, rule, f"use a finished run, as `skipscan runs {run.layout.table}` lists them")
    form.read(TableIdentity, manifest["identity"]).check(table, f"{field} is {quoted(name)}; that run")
    return manifest


class FinishedRuns:
    """The finished runs that share an id, the newest first. `run`: the results of one that may be added."""

    def __init__(self, run: ResultsReader, id: str) -> None:
        self._run = run
        self._id = id

    def add(self, started: str) -> None:
        """Add the finished run itself; adding it again changes nothing."""
        self._run.storage.put(self._run.layout.entry(self._id, started), b"")

    def newest(self) -> Mapping[str, Any] | None:
        """Return the manifest of the newest readable run; `None` if there is none."""
        return next((manifest for _, manifest in self.manifests() if is_readable(manifest)), None)

    def before(self, started: str, count: int) -> list[Mapping[str, Any]]:
        """Return manifests of readable runs that started earlier, the newest first.

        `started`: ISO 8601. `count`: the most manifests.
        """
        earlier = self.manifests(self._run.layout.entry(self._id, started))
        return list(islice((manifest for _, manifest in earlier if is_readable(manifest)), count))

    def manifests(self, before: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the runs that are still there, newest first, each with its manifest in whatever form it has.

        `before`: an entry; only runs that started earlier.
        """
        prefix = self._run.layout.finished(self._id)
        names = (name for name, _ in self._run.storage.names(prefix) if name > before)
        for name in islice(names, MOST_LOOKED_AT):
            run = name.removeprefix(prefix).partition("-")[2]
            if (found := self._run.other(run).stored_manifest()) is not None:
                yield run, found


def to_compare(name: str, run: ResultsReader, scope: Scope) -> tuple[str | None, str | None]:
    """Return the run to compare with, `None` if there is no previous one, and a warning about runs passed over.

    `run`: the results of the run that is compared. `scope`: its own.

    Raises `InputError` for a named run that is not finished, or has another scope, `TableError` for one over another
    table.
    """
    if name == PREVIOUS:
        unreadable: list[str] = []
        for earlier, stored in FinishedRuns(run, scope.id).manifests():
            if is_readable(stored):
                return earlier, _passed_over(unreadable)
            unreadable.append(earlier)
        return None, _passed_over(unreadable)
    other = Scope.of_manifest(finished_run("compare", run.other(name), scope.table))
    if other != scope:
        raise InputError(
            "compare",
            name,
            f"that run lists {other}, and this one {scope}",
            f'use a run with the same scope, or set "{PREVIOUS}"',
        )
    return name, None


def _passed_over(unreadable: Sequence[str]) -> str | None:
    """Return the sentence about newer runs that this version cannot read, if any."""
    if not unreadable:
        return None
    names, more = ", ".join(unreadable[:MOST_NAMED]), len(unreadable) - MOST_NAMED
    return (
        "The comparison passes over newer runs that another version of Skipscan wrote in another form: "
        f"{names}{f' and {more} more' if more > 0 else ''}."
    )
