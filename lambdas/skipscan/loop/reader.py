"""The reader of what one piece of work left: for the kernel, and for status, reports, the library and comparisons.

A committed batch is read by one of two rules. Exact: its part's metadata name the checkpoint and that one's SHA-256,
see `skipscan.loop`. Any attempt: one of its checkpoints, for those who may not read parts, and for copies, which have
no metadata.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any, Self
from urllib.parse import urlencode

from skipscan import form
from skipscan.errors import OMITTED, IncompleteRunError
from skipscan.loop.kind import Failure
from skipscan.loop.layout import CHECKPOINT_DAYS, Layout
from skipscan.loop.storage import Storage, Stored, StoredPart, checksum
from skipscan.loop.work import FORM, MANIFEST_FORMS, check_form
from skipscan.pace.bill import Amounts

HOSTS = {
    "aws": "console.aws.amazon.com",
    "aws-cn": "console.amazonaws.cn",
    "aws-us-gov": "console.amazonaws-us-gov.com",
    "aws-eusc": "console.amazonaws-eusc.eu",
}
"""The console's host in each public partition; others get no link."""

_REGION = re.compile(r"[a-z0-9-]+")


def console(arn: str) -> str | None:
    """Return where the console of a resource's partition and region begins; `None` if it is unknown."""
    if arn.count(":") < 5:  # arn:partition:service:region:account:resource
        return None
    _, partition, _, region, *_ = arn.split(":")
    return f"https://{region}.{HOSTS[partition]}" if partition in HOSTS and _REGION.fullmatch(region) else None


def object_link(uri: str, arn: str) -> str:
    """Return the page of an object in the S3 console, or its URI if the console is unknown.

    `uri`: s3://bucket/name. `arn`: of any resource in the bucket's partition and region.
    """
    home = console(arn)
    if not uri.startswith("s3://") or home is None:
        return uri
    bucket, _, name = uri.removeprefix("s3://").partition("/")
    return f"{home}/s3/object/{bucket}?{urlencode({'region': arn.split(':')[3], 'prefix': name})}"


def execution_link(arn: str) -> str | None:
    """Return the page of an execution in the Step Functions console; `None` if the console is unknown."""
    if (home := console(arn)) is None:
        return None
    return f"{home}/states/home?region={arn.split(':')[3]}#/v2/executions/details/{arn}"


LOOKS, AHEAD, HELD = 16, 1024, 64
"""Objects that are read at once, parts that are requested ahead, and checkpoints that are held at once. There may be
tens of thousands."""

Place = tuple[int, int]
"""A worker and its batch."""


@dataclass(frozen=True)
class ResultsReader:
    """The objects of one run or job, in `storage`.

    `shows_attempts`: whether the metadata of parts can be read. S3 shows metadata only with the permission to read the
    parts, and with them the keys.
    """

    storage: Storage
    layout: Layout
    shows_attempts: bool = True

    def other(self, name: str) -> Self:
        """Return the results of other work of the same kind over the same table."""
        return replace(self, layout=replace(self.layout, name=name))

    def named(self, suffix: str, folders: str) -> Self:
        """Return the same results with the names that this work has: see `Layout`."""
        return replace(self, layout=replace(self.layout, suffix=suffix, folders=folders))

    @property
    def manifest_uri(self) -> str:
        return self.storage.uri(self.layout.manifest)

    def report_link(self, document: Mapping[str, Any]) -> str:
        """Return the address of the report in the S3 console. `document`: the work's plan, or its manifest."""
        return object_link(self.storage.uri(self.layout.report), document["execution"])

    def report(self, manifest: Mapping[str, Any] | None) -> str | None:
        """Return the address of the report of finished work; `None` if there is no report yet."""
        if manifest is None or not any(
            name == self.layout.report for name, _ in self.storage.names(self.layout.report)
        ):
            return None
        return self.report_link(manifest)

    def document(self, name: str, inner: Callable[[dict[str, Any]], Any] | None = None) -> Mapping[str, Any] | None:
        """Return a JSON object; `None` if there is no object of that name. `inner`: replaces each object in it."""
        body = self.storage.get(name)
        if body is None:
            return None
        document = json.loads(body, object_hook=inner)
        if not isinstance(document, dict):
            raise TypeError(f"{name} is no JSON object")
        return document

    def committed(self, worker: int, batch: int) -> Mapping[str, Any] | None:
        """Return the progress that the batch was committed with, as JSON; `None` if it was not committed."""
        part = self.storage.look(self.layout.part(worker, batch))
        return None if part is None else self.checkpoint(self._stored_part(part))

    def of(self, worker: int, batch: int) -> Mapping[str, Any]:
        """Return the progress that a batch was committed with, as JSON; the batch must be committed."""
        committed = self.committed(worker, batch)
        if committed is None:
            raise IncompleteRunError(
                f"a part of worker {worker}", rule="was deleted", remedy="start new work, and never delete parts"
            )
        return committed

    def checkpoint(self, part: StoredPart) -> Mapping[str, Any]:
        """Return the progress that a part was committed with.

        Raises `IncompleteRunError` if its checkpoint has expired, or differs from what the part's metadata says.
        """
        worker, batch = part.worker, part.batch
        body = self.storage.get(self.layout.checkpoint(worker, batch, part.attempt))
        if body is None:
            raise IncompleteRunError(
                f"the checkpoint of batch {batch} of worker {worker}",
                OMITTED,
                f"does not exist; checkpoints expire after {CHECKPOINT_DAYS} days, and work cannot continue "
                "without them",
                "start it again",
            )
        if checksum(body) != part.checkpoint_sha256:
            raise IncompleteRunError(
                f"the checkpoint of batch {batch} of worker {worker}",
                OMITTED,
                "was changed after it was written, and continuing from it could lose keys",
                "start the work again",
            )
        progress: Mapping[str, Any] = json.loads(body)
        check_form(progress, f"the checkpoint of batch {batch} of worker {worker}")
        return progress

    def reached(self, worker: int) -> Mapping[str, Any] | None:
        """Return the progress of a worker's last committed batch, as JSON; `None` if there is none."""
        names = self.storage.names(self.layout.worker(worker))
        # Of parts alone: the name of a person's copy of one may be greater.
        place = max(filter(None, (self.layout.worker_and_batch(name) for name, _ in names)), default=None)
        return self.of(*place) if place else None

    def batches(self) -> dict[Place, tuple[str, datetime]]:
        """Return each committed batch, in order, with the name of its part and when it was put."""
        named = ((self.layout.worker_and_batch(name), name, at) for name, at in self.storage.names(self.layout.parts))
        return dict(sorted((place, (name, at)) for place, name, at in named if place))

    def any_attempt(self, parts: Mapping[Place, str]) -> Iterator[tuple[Place, Mapping[str, Any]]]:
        """Yield the checkpoints of committed batches by the rule of any attempt, in order, without expired ones.

        `parts`: by batch, the name of its part.
        """
        attempts = {place: list[str]() for place in parts}
        for name, _ in self.storage.names(self.layout.checkpoints):
            place = self.layout.worker_and_batch(name)
            if place in attempts:
                attempts[place].append(name)

        def read(place: Place) -> Mapping[str, Any] | None:
            names = attempts[place]
            # A copy does not say which attempt committed the batch. All started at the same place and differ little.
            part = self.storage.look(parts[place]) if self.shows_attempts and len(names) > 1 else None
            ending = f"-{part.metadata.get('attempt')}.json" if part else None
            return self.document(next((name for name in names if ending and name.endswith(ending)), min(names)))

        places = (place for place, names in attempts.items() if names)
        with ThreadPoolExecutor(LOOKS) as pool:
            while some := list(islice(places, HELD)):
                found = zip(some, pool.map(read, some), strict=True)
                yield from ((place, checkpoint) for place, checkpoint in found if checkpoint is not None)

    def declared(self, worker: int) -> Iterator[tuple[str, Amounts]]:
        """Return the declared amounts of a worker's attempts, each with its attempt."""
        for name, _ in self.storage.names(self.layout.allotments(worker)):
            # batch-<number>, the attempt in hex, which has no dash, and three whole numbers.
            _, attempt, *most = name.rpartition("/")[2].rsplit("-", 4)
            reads, writes, millionths = map(int, most)
            yield attempt, Amounts(reads, writes, millionths / 1e6)

    def failures(self) -> list[Failure]:
        """Return the last failure of each worker that had one. A later batch may have overcome it."""
        names = [name for name, _ in self.storage.names(self.layout.errors)]
        with ThreadPoolExecutor(LOOKS) as pool:
            return [form.read(Failure, found) for found in pool.map(self.document, names) if found]

    def parts(self) -> Iterator[StoredPart]:
        """Yield every part, in the order of workers and batches."""
        names = (name for name, _ in self.storage.names(self.layout.parts))
        with ThreadPoolExecutor(LOOKS) as pool:
            # Some at a time: the pool's own record of a call takes several times the memory of a part's row.
            while some := list(islice(names, AHEAD)):
                # A part that was deleted meanwhile is left out, and Finish finds the gap.
                yield from (self._stored_part(stored) for stored in pool.map(self.storage.look, some) if stored)

    def plan(self) -> Mapping[str, Any] | None:
        """Return plan.json, or `None` if there is no such work."""
        return self._in_form(self.stored_plan(), "plan", (FORM,))

    def manifest(self) -> Mapping[str, Any] | None:
        """Return the manifest, or `None` if the work is not finished."""
        return self._in_form(self.stored_manifest(), "manifest", MANIFEST_FORMS)

    def _in_form(
        self, document: Mapping[str, Any] | None, what: str, forms: Collection[int]
    ) -> Mapping[str, Any] | None:
        if document is not None:
            check_form(document, f"the {what} of {self.layout.name}", forms)
        return document

    def stored_plan(self) -> Mapping[str, Any] | None:
        """Return plan.json in whatever form it has, or `None` if there is no such work."""
        return self.document(self.layout.plan)

    def stored_manifest(self) -> Mapping[str, Any] | None:
        """Return the manifest in whatever form it has, or `None` if the work is not finished."""
        return self.document(self.layout.manifest)

    def resumes(self) -> int:
        """Return how many executions resumed the work."""
        return sum(1 for _ in self.storage.names(self.layout.resumes))

    def _stored_part(self, stored: Stored) -> StoredPart:
        # An object that no worker wrote lacks all of this: Finish refuses worker -1.
        place = self.layout.worker_and_batch(stored.name)
        return StoredPart(
            worker=place[0] if place else -1,
            batch=place[1] if place else -1,
            name=stored.name,
            keys=int(stored.metadata.get("keys", 0)),
            bytes=stored.bytes,
            sha256=stored.metadata.get("sha256", ""),
            attempt=stored.metadata.get("attempt", ""),
            checkpoint_sha256=stored.metadata.get("checkpoint", ""),
        )
