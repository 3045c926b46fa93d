"""The results of one piece of work, written so that every batch counts exactly once: see `skipscan.loop`."""

import json
from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import Any

from skipscan import form
from skipscan.loop.kind import Failure
from skipscan.loop.reader import ResultsReader
from skipscan.loop.storage import Part, checksum
from skipscan.pace.bill import Amounts


class Results(ResultsReader):
    """The objects of one run or job, as the kernel reads and puts them."""

    def commit(
        self, worker: int, batch: int, part: Part, progress: Mapping[str, Any], attempt: str
    ) -> Mapping[str, Any]:
        """Commit a batch; return its progress, or that of an attempt that committed it before."""
        # Checkpoints are for programs: indenting would take ten times as long.
        written = json.dumps(progress, ensure_ascii=False).encode()
        checkpoint, body = self.layout.checkpoint(worker, batch, attempt), part.body()
        is_put = self.storage.put_once(checkpoint, written, expires=True)
        # The name belongs to this attempt: an object of that name can only come from a retry of the client.
        if not is_put and self.storage.get(checkpoint) != written:
            raise RuntimeError(f"the checkpoint of batch {batch} of worker {worker} could not be written: try again")
        metadata = {
            "attempt": attempt,
            "checkpoint": checksum(written),
            # The lines of any kind of work, under the name that runs have for theirs: stored parts keep it.
            "keys": str(part.lines),
            "sha256": checksum(body),
        }
        if self.storage.put_once(self.layout.part(worker, batch), body, metadata):
            return progress
        # Another attempt's part; or this one's, if only the answer to its put was lost.
        return self.of(worker, batch)

    def declare(self, worker: int, batch: int, attempt: str, ceiling: Amounts) -> None:
        """Store the maximum that an attempt may consume, before it consumes anything."""
        # Whether it was put does not matter: the name is all that it says, and no other attempt has it.
        self.storage.put_once(self.layout.allotment(worker, batch, attempt, ceiling), b"", expires=True)

    def put_failure(self, failure: Failure) -> None:
        """Store why an attempt failed, in place of the worker's earlier failure."""
        self.storage.put(self.layout.error(failure.worker), indented(form.write(failure)))

    def put_plan(self, document: Mapping[str, Any]) -> Mapping[str, Any]:
        """Store the plan, or return the one that is already stored."""
        return self._put_once(self.layout.plan, document)

    def add_resume(self, execution: str) -> None:
        """Record that an execution resumes the work; recording it again changes nothing. `execution`: its ARN."""
        self.storage.put(self.layout.resume(execution), b"")

    def put_profile(self, document: Mapping[str, Any], page: str) -> Mapping[str, Any]:
        """Store a profile and its page, or return the profile that is already stored."""
        # First, because who finds the profile follows its link to the page.
        self.storage.put(self.layout.profile_page, page.encode())
        return self._put_once(self.layout.profile, document)

    def put_unfinished(self, manifest: Mapping[str, Any]) -> None:
        """Store how far unfinished work has come, in place of an earlier execution's object."""
        self.storage.put(self.layout.unfinished, indented(manifest))

    def put_manifest(self, manifest: Mapping[str, Any]) -> Mapping[str, Any]:
        """Store the manifest, or return the one that is already stored."""
        return self._put_once(self.layout.manifest, manifest)

    def _put_once(self, name: str, document: Mapping[str, Any]) -> Mapping[str, Any]:
        if self.storage.put_once(name, indented(document)):
            return document
        there = self.document(name)  # strongly consistent: a put that was refused has its object
        if there is None:
            raise RuntimeError(f"{name} was deleted: never delete results while work is running")
        return there


class Rows:
    """A document's list of objects, already a line each: as objects, tens of thousands take twice the memory."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self._lines = BytesIO()
        for row in rows:
            self.add(row)

    def add(self, row: Mapping[str, Any]) -> None:
        self._lines.write(f"{',' if self else ''}\n    {json.dumps(row, ensure_ascii=False)}".encode())

    def __bool__(self) -> bool:
        return bool(self._lines.tell())

    def lines(self) -> bytes:
        return self._lines.getvalue()  # BytesIO returns its buffer, not a copy


def indented(document: Mapping[str, Any]) -> bytes:
    """Return a document for people: a member a line, and an entry of a list of objects a line.

    Python indents in Python, ten times as long as it writes a line in C, and there may be tens of thousands of parts.
    """
    rows = {name: found for name, value in document.items() if (found := _rows(value)) is not None}
    text = json.dumps({**document, **{key: [] for key in rows}}, indent=2, ensure_ascii=False)
    written: list[bytes] = []
    for name, value in rows.items():
        head = f"\n  {json.dumps(name, ensure_ascii=False)}: ["
        # json.dumps wrote the list empty: its lines go between the brackets.
        # No value contains `head`: JSON escapes a text's line breaks, and inner members are indented further.
        before, _, text = text.partition(f"{head}]")
        written += f"{before}{head}".encode(), value.lines(), b"\n  ]" if value else b"]"
    return b"".join([*written, text.encode()])


def _rows(value: object) -> Rows | None:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return Rows(value)
    return value if isinstance(value, Rows) else None
