"""A run compared with an earlier one: whether it is possible, what is stored, and what the output says.

The parts of a difference depend only on the two runs, which never change: a repeated comparison puts the same objects
under the same names. diff.json is put last, and a repeated comparison adopts it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from skipscan import __version__
from skipscan.errors import IncompleteRunError, StateError
from skipscan.inputs.names import table_name
from skipscan.inputs.quantities import money
from skipscan.lines.convert import bodies, has_items, key_lines
from skipscan.lines.formats import format_of
from skipscan.lines.json_lines import JSONL
from skipscan.listing.compare.difference import KeyChange, difference
from skipscan.listing.scope import Scope, line_labels
from skipscan.loop.results import Results
from skipscan.loop.storage import checksum
from skipscan.scan.progress import ScanCounts
from skipscan.stored.figures import Figure, of_counts

PART_BYTES = 32 << 20
"""The lines in memory, for each side of the difference."""

CHUNK_BYTES = 256 << 20
"""The lines sorted at once. The function has 1769 MB; the largest comparison has some fifty such chunks."""

MOST_BYTES = 8_000_000_000
"""The most bytes of both runs. They are sorted on the function's disk of 10 GB."""

MOST_LINES = 200_000_000
"""The most lines of both runs; one vCPU sorts half a million a second, well within fifteen minutes."""

MOST_PART_BYTES = 200_000_000
"""The most bytes of a part; four are in memory at once. Parts have 32 MB unless an environment's limits were raised."""

CONVERTED_LINES = 10
"""The number of lines that a line in another format than the other run's counts for, because it is parsed."""


class ComparisonStatus(StrEnum):
    COMPARED = "compared"
    FIRST = "first"  # no earlier finished run has the same scope
    NOT_COMPARED = "not compared"  # impossible, for the reason given


@dataclass(frozen=True)
class Piece:
    """The lines of one object. The same runs are always cut alike, so a repeated comparison finds its own objects."""

    change: KeyChange
    number: int
    keys: int
    body: bytes


def pieces(changes: Iterable[tuple[KeyChange, bytes]], piece_bytes: int) -> Iterator[Piece]:
    """Yield all lines of a difference in order, in pieces: memory holds one piece and a line for each side."""
    gathered: dict[KeyChange, list[bytes]] = {change: [] for change in KeyChange}
    taken = dict.fromkeys(KeyChange, 0)
    numbers = dict.fromkeys(KeyChange, 0)

    def cut(change: KeyChange) -> Piece:
        piece = Piece(change, numbers[change], len(gathered[change]), b"".join(gathered[change]))
        gathered[change].clear()
        taken[change], numbers[change] = 0, numbers[change] + 1
        return piece

    for change, line in changes:
        gathered[change].append(line)
        taken[change] += len(line)
        if taken[change] >= piece_bytes:
            yield cut(change)
    for change in KeyChange:
        if gathered[change]:
            yield cut(change)


def compared_form(form: str) -> str:
    """Return the format for comparing lines: the new run's, unless one of its keys may have several forms."""
    return form if format_of(form).quote is None else JSONL.name


def obstacle(old: Mapping[str, Any], new: Mapping[str, Any]) -> str | None:
    """Return why runs with these manifests are not compared in a deployed environment; `None` if they are."""
    sizes_bytes = [part["bytes"] for run in (old, new) for part in run["parts"]]
    if (largest := max(sizes_bytes, default=0)) > MOST_PART_BYTES:
        return (
            f"a part has {largest:,} bytes; Compare reads parts of at most {MOST_PART_BYTES:,} bytes: lower "
            "limits.batch_bytes of the environment, or use `skipscan diff`"
        )
    size_bytes = sum(sizes_bytes)
    form = compared_form(new["format"])
    parsed = [run["format"] != form or has_items(run) for run in (old, new)]
    lines = sum(
        run["keys"] * (CONVERTED_LINES if is_parsed else 1) for run, is_parsed in zip((old, new), parsed, strict=True)
    )
    if size_bytes <= MOST_BYTES and lines <= MOST_LINES:
        return None
    labels = line_labels(has_level=bool(new.get("level")), has_items=False)
    formats = "" if old["format"] == new["format"] else f', written as "{old["format"]}" and as "{new["format"]}"'
    return (
        f"the runs have {old['keys']:,} and {new['keys']:,} {labels} in {size_bytes:,} bytes{formats}; Compare reads "
        f"at most {MOST_LINES:,} {labels} and {MOST_BYTES:,} bytes together, and one in another format or with an item "
        f"counts {CONVERTED_LINES} times: use `skipscan diff`"
    )


def diff_document(
    outcome: ComparisonStatus,
    new: Mapping[str, Any],
    *,
    old: Mapping[str, Any] | None = None,
    reason: str | None = None,
    parts: Mapping[KeyChange, list[dict[str, Any]]] | None = None,
) -> dict[str, Any]:
    """Return diff.json. `old`, `new`: the manifests. `parts`: each with name, keys, bytes and sha256."""
    return {
        "table": new["table"],
        "index": new["index"],
        "outcome": outcome,
        "reason": reason,
        "old": old and {"run": old["run"], "started": old["started"], "keys": old["keys"]},
        "new": {"run": new["run"], "started": new["started"], "keys": new["keys"]},
        "partition_key": new["partition_key"],
        "format": compared_form(new["format"]),
        **{f"{change}_keys": parts and sum(part["keys"] for part in parts[change]) for change in KeyChange},
        "parts": parts,
        "skipscan_version": __version__,
    }


def count_of(manifest: Mapping[str, Any]) -> Figure:
    """Return the main count of a finished run, which says in a line what was listed: 1 key, 46 groups."""
    return next(of_counts(ScanCounts.stated(manifest), "keys", Scope.of_manifest(manifest).labels))


def notice_of(manifest: Mapping[str, Any], diff: Mapping[str, Any] | None = None) -> str:
    """Return a sentence for people about a finished run: Orders: 12 new, 3 vanished, 1,002 in all, $0.00040.

    `diff`: its diff.json, if it was compared.
    """
    index = f" ({manifest['index']})" if manifest["index"] else ""
    found = count_of(manifest)
    said, rest = str(found), ""
    if diff and diff["outcome"] == ComparisonStatus.COMPARED:
        changes = (f"{diff[f'{change}_keys']:,} {change}" for change in KeyChange)
        said = f"{', '.join(changes)}, {found.words} in all"
    elif diff:
        rest = f". Not compared: {diff['reason']}"
    scoped = f"{said}{Scope.of_manifest(manifest).within}"
    return f"{table_name(manifest['table'])}{index}: {scoped}, {money(manifest['dollars']['total'])}{rest}"


def summary(manifest: Mapping[str, Any], diff: Mapping[str, Any], uri: str) -> dict[str, Any]:
    """Return what the execution's output says of a comparison: counts and names, no keys. `manifest`: of the run."""
    return {
        "outcome": diff["outcome"],
        "reason": diff["reason"],
        "old": diff["old"] and diff["old"]["run"],
        **{name: diff[name] for name in (f"{change}_keys" for change in KeyChange)},
        "document": uri,
        "notice": notice_of(manifest, diff),
    }


def compare_runs(run: Results, earlier: str | None, folder: Path) -> Mapping[str, Any]:
    """Compare a run with an earlier one; return the diff.json that is stored then.

    `folder`: for temporary files, which need as much space as both runs. Raises `IncompleteRunError` if the run itself
    is not finished.
    """
    new = run.manifest()
    if new is None:
        raise IncompleteRunError(
            f"run {run.layout.name}",
            rule="has no manifest; only finished runs can be compared",
            remedy="wait until it is finished, or resume it",
        )
    document = _compared(run, earlier, new, folder)
    body = json.dumps(document, indent=2, ensure_ascii=False).encode()
    return document if run.storage.put_once(run.layout.diff, body) else run.document(run.layout.diff) or document


def _compared(run: Results, earlier: str | None, new: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    reason: str | None
    if earlier is None:
        reason = "when this run started, no finished run had listed the same scope in a form that this version reads"
        return diff_document(ComparisonStatus.FIRST, new, reason=reason)
    try:
        old = run.other(earlier).manifest()
    except StateError as error:  # of another version
        return diff_document(ComparisonStatus.NOT_COMPARED, new, reason=str(error))
    reason = f"run {earlier} was removed while this run was in progress" if old is None else obstacle(old, new)
    if old is None or reason is not None:
        return diff_document(ComparisonStatus.NOT_COMPARED, new, old=old, reason=reason)
    form = compared_form(new["format"])
    before, after = (key_lines(bodies(run.storage, manifest), manifest, form) for manifest in (old, new))
    changes = difference(before, after, folder, chunk_bytes=CHUNK_BYTES)
    parts: dict[KeyChange, list[dict[str, Any]]] = {change: [] for change in KeyChange}
    try:
        for piece in pieces(changes, PART_BYTES):
            parts[piece.change].append(_put_piece(run, piece))
    except IncompleteRunError as error:
        return diff_document(ComparisonStatus.NOT_COMPARED, new, old=old, reason=str(error))
    return diff_document(ComparisonStatus.COMPARED, new, old=old, parts=parts)


def _put_piece(run: Results, piece: Piece) -> dict[str, Any]:
    """Put the lines unless they are stored; return their description for diff.json."""
    name, digest = run.layout.diff_part(piece.change, piece.number), checksum(piece.body)
    if not run.storage.put_once(name, piece.body, {"sha256": digest}):
        there = run.storage.look(name)
        if there is None or there.metadata.get("sha256") != digest:
            raise RuntimeError(
                f"{name} was written by another version of Skipscan: delete the run's diff/, then redrive the execution"
            )
    return {"name": name, "keys": piece.keys, "bytes": len(piece.body), "sha256": digest}
