"""The finished runs of a table with the same scope, found without reading the others.

Every finished run puts an empty object whose name contains its scope and its start. S3 lists objects in the order of
their names, so one request finds the newest, however many runs there are.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from skipscan.errors import InputError
from skipscan.inputs.names import quoted
from skipscan.listing.execution_input import PREVIOUS
from skipscan.listing.scope import Scope
from skipscan.loop.results import Results

MOST_LOOKED_AT = 100
"""Entries of removed runs are skipped, at most this many."""


class FinishedRuns:
    """The finished runs that a run may be compared with. `run`: its results. `scope`: of the run."""

    def __init__(self, run: Results, scope: Scope) -> None:
        self._run = run
        self._scope = scope

    def add(self, started: str) -> None:
        """Add the finished run itself; adding it again changes nothing."""
        self._run.storage.put(self._run.layout.entry(self._scope.id, started), b"")

    def chosen(self, asked: str) -> str | None:
        """Return the run to compare with; `None` if there is no previous one.

        Raises `InputError` for a named run that is not finished, or has another scope, `TableError` for one over
        another table.
        """
        if asked == PREVIOUS:
            return next(filter(self._is_there, self._newest()), None)
        manifest = self._results(asked).manifest()
        if manifest is None:
            raise InputError(
                f'compare is {quoted(asked)}; table "{self._run.layout.table}" has no finished run with this name: '
                f'use a finished run, or set "{PREVIOUS}"'
            )
        other = Scope.of_manifest(manifest)
        other.table.check(self._scope.table, f"compare is {quoted(asked)}; that run")
        if other != self._scope:
            raise InputError(
                f"compare is {quoted(asked)}; that run lists {other}, and this one {self._scope}: use a run with the "
                f'same scope, or set "{PREVIOUS}"'
            )
        return asked

    def newest(self) -> Mapping[str, Any] | None:
        """Return the manifest of the newest finished run with the same scope; `None` if there is none."""
        manifests = (self._results(run).manifest() for run in self._newest())
        return next((manifest for manifest in manifests if manifest is not None), None)

    def _newest(self) -> list[str]:
        prefix = self._run.layout.finished(self._scope.id)
        names = islice(self._run.storage.names(prefix), MOST_LOOKED_AT)
        return [name.removeprefix(prefix).partition("-")[2] for name, _ in names]

    def _is_there(self, run: str) -> bool:
        return self._results(run).manifest() is not None

    def _results(self, run: str) -> Results:
        return Results(self._run.storage, replace(self._run.layout, name=run))
