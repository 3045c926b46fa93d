"""The stored comparison of a run with an earlier one, beside the run's manifest.

The parts of a difference depend only on the two runs, which never change: a repeated comparison puts the same objects
under the same names. diff.json is put last, and a repeated comparison adopts it.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from skipscan import __version__
from skipscan.errors import IncompleteRunError, StateError
from skipscan.lines.convert import bodies, key_lines
from skipscan.listing.compare.comparison import (
    CHUNK_BYTES,
    PART_BYTES,
    ComparisonStatus,
    Piece,
    compared_form,
    diff_document,
    obstacle,
    pieces,
)
from skipscan.listing.compare.difference import KeyChange, difference
from skipscan.loop.results import Results
from skipscan.loop.storage import checksum


class Comparisons:
    """The stored objects of a run and its comparison. `results`: of the run."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self._storage, self._layout = results.storage, results.layout

    def diff(self) -> Mapping[str, Any] | None:
        """Return diff.json; `None` if the run is not compared yet."""
        body = self._storage.get(self._layout.diff)
        return None if body is None else json.loads(body)

    def compare(self, earlier: str | None, folder: Path) -> Mapping[str, Any]:
        """Compare the run with an earlier one; return the diff.json that is stored then.

        `folder`: for temporary files, which need as much space as both runs. Raises `IncompleteRunError` if the run
        itself is not finished.
        """
        new = self._results.manifest()
        if new is None:
            raise IncompleteRunError(f"run {self._layout.name} has no manifest; only finished runs can be compared")
        document = self._compared(earlier, new, folder)
        body = json.dumps(document, indent=2, ensure_ascii=False).encode()
        return document if self._storage.put_once(self._layout.diff, body) else self.diff() or document

    def _compared(self, earlier: str | None, new: Mapping[str, Any], folder: Path) -> dict[str, Any]:
        if earlier is None:
            reason = (
                "when this run started, no finished run had listed the same scope in a form that this version reads"
            )
            return diff_document(ComparisonStatus.FIRST, new, reason=reason, version=__version__)
        try:
            old = Results(self._storage, replace(self._layout, name=earlier)).manifest()
        except StateError as error:  # of another version
            return diff_document(ComparisonStatus.NOT_COMPARED, new, reason=str(error), version=__version__)
        if old is None:
            reason = f"run {earlier} was removed while this run was in progress"
            return diff_document(ComparisonStatus.NOT_COMPARED, new, reason=reason, version=__version__)
        if (too_large := obstacle(old, new)) is not None:
            return diff_document(ComparisonStatus.NOT_COMPARED, new, old=old, reason=too_large, version=__version__)
        form = compared_form(new["format"])
        before, after = (self._lines(run, form) for run in (old, new))
        changes = difference(before, after, folder, chunk_bytes=CHUNK_BYTES)
        parts: dict[KeyChange, list[dict[str, Any]]] = {change: [] for change in KeyChange}
        try:
            for piece in pieces(changes, PART_BYTES):
                parts[piece.change].append(self._put_piece(piece))
        except IncompleteRunError as error:
            return diff_document(ComparisonStatus.NOT_COMPARED, new, old=old, reason=str(error), version=__version__)
        return diff_document(ComparisonStatus.COMPARED, new, old=old, parts=parts, version=__version__)

    def _lines(self, manifest: Mapping[str, Any], form: str) -> Iterator[bytes]:
        return key_lines(bodies(self._storage, manifest), manifest, form)

    def _put_piece(self, piece: Piece) -> dict[str, Any]:
        """Put the lines unless they are stored; return their description for diff.json."""
        name, digest = self._layout.diff_part(piece.change, piece.number), checksum(piece.body)
        if not self._storage.put_once(name, piece.body, {"sha256": digest}):
            there = self._storage.look(name)
            if there is None or there.metadata.get("sha256") != digest:
                raise RuntimeError(
                    f"{name} was written by another version of Skipscan: delete the run's diff/, then redrive the "
                    "execution"
                )
        return {"name": name, "keys": piece.keys, "bytes": len(piece.body), "sha256": digest}
