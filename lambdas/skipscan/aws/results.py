"""A run's results on S3, written so that every batch counts exactly once.

The outgoing progress is put first, as a checkpoint under a name of its own attempt. Then the part is put under
the name of its batch, only if nothing lies there, with that attempt in its metadata: this put is the commit. Whoever
finds a part there adopts the progress it points to. Orphan checkpoints mean nothing; their tag lets them expire.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from skipscan.errors import IncompleteRunError
from skipscan.loop.layout import Layout
from skipscan.loop.manifest import StoredPart
from skipscan.loop.part import Part, checksum

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

CHECKPOINT_TAG = "skipscan=checkpoint"
RACES = 5
"""How often a put is tried again after 409 (another put of the same name is under way)."""


Dump = Callable[[Mapping[str, Any]], bytes]


def _short(document: Mapping[str, Any]) -> bytes:
    """Return a document that nobody reads: indenting one takes ten times as long."""
    return json.dumps(document, ensure_ascii=False).encode()


def _dump(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, indent=2, ensure_ascii=False).encode()


class Results:
    """The objects of one run, or of one job over it."""

    def __init__(self, client: "S3Client", bucket: str, layout: Layout) -> None:
        self._client = client
        self._bucket = bucket
        self._layout = layout

    def uri(self, name: str) -> str:
        return f"s3://{self._bucket}/{name}"

    @property
    def manifest_uri(self) -> str:
        return self.uri(self._layout.manifest)

    def committed(self, worker: int, batch: int) -> Mapping[str, Any] | None:
        """Return the progress with which that batch was committed, as JSON; `None` if it was not."""
        try:
            part = self._client.head_object(Bucket=self._bucket, Key=self._layout.part(worker, batch))
        except ClientError as error:
            if error.response["ResponseMetadata"]["HTTPStatusCode"] == 404:
                return None
            raise
        return self.checkpoint(worker, batch, part["Metadata"]["attempt"])

    def checkpoint(self, worker: int, batch: int, attempt: str) -> Mapping[str, Any]:
        """Return the progress with which a batch was committed; raise `IncompleteRunError` if it has expired."""
        progress = self._get_if_there(self._layout.checkpoint(worker, batch, attempt))
        if progress is None:
            raise IncompleteRunError(
                f"the checkpoint of batch {batch} of worker {worker} is gone; the environment lets checkpoints expire "
                "after 30 days, and a run cannot go on without: start a new run"
            )
        return progress

    def reached(self, worker: int) -> Mapping[str, Any] | None:
        """Return the progress of a worker's last committed batch, as JSON; `None` if it committed none."""
        parts = self._parts(self._layout.worker(worker))
        return self.checkpoint(worker, parts[-1].batch, parts[-1].attempt) if parts else None

    def commit(
        self, worker: int, batch: int, part: Part, progress: Mapping[str, Any], attempt: str
    ) -> Mapping[str, Any]:
        """Commit a batch; return the progress that counts: this one, or the one that was committed before it."""
        self._put_json(self._layout.checkpoint(worker, batch, attempt), progress, dump=_short, Tagging=CHECKPOINT_TAG)
        body = part.body()
        was_first = self._put_once(
            self._layout.part(worker, batch),
            body,
            ContentType="application/x-ndjson",
            Metadata={"attempt": attempt, "keys": str(part.keys), "sha256": checksum(body)},
        )
        if was_first:
            return progress
        adopted = self.committed(worker, batch)
        if adopted is None:
            raise RuntimeError(f"part {batch} of worker {worker} was there and is gone: parts must never be deleted")
        return adopted

    def parts(self) -> list[StoredPart]:
        """Return every part that lies on S3, in the order of workers and batches."""
        return self._parts(self._layout.parts)

    def put_plan(self, run: Mapping[str, Any]) -> Mapping[str, Any]:
        """Write the plan, or return the one that is there."""
        return self._put_json_once(self._layout.plan, run)

    def plan(self) -> Mapping[str, Any] | None:
        """Return the plan of the run, or `None` if there is no such run."""
        return self._get_if_there(self._layout.plan)

    def manifest(self) -> Mapping[str, Any] | None:
        """Return the manifest, or `None` if the run is not finished."""
        return self._get_if_there(self._layout.manifest)

    def put_unfinished(self, manifest: Mapping[str, Any]) -> None:
        """Write how far an unfinished run came, in place of what an earlier execution wrote."""
        self._put_json(self._layout.unfinished, manifest)

    def put_manifest(self, manifest: Mapping[str, Any]) -> Mapping[str, Any]:
        """Write the manifest, or return the one that is there."""
        return self._put_json_once(self._layout.manifest, manifest)

    def _parts(self, prefix: str) -> list[StoredPart]:
        with ThreadPoolExecutor(16) as pool:
            return list(pool.map(self._stored, self._names(prefix)))

    def _stored(self, name: str) -> StoredPart:
        place = self._layout.worker_and_batch(name)
        head = self._client.head_object(Bucket=self._bucket, Key=name)
        metadata = head["Metadata"]
        return StoredPart(
            worker=place[0] if place else -1,
            batch=place[1] if place else -1,
            name=name,
            keys=int(metadata.get("keys", 0)),
            bytes=head["ContentLength"],
            sha256=metadata.get("sha256", ""),
            attempt=metadata.get("attempt", ""),
        )

    def _names(self, prefix: str) -> Iterator[str]:
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=prefix)
        return (entry["Key"] for page in pages for entry in page.get("Contents", ()))

    def _put_json(
        self,
        name: str,
        document: Mapping[str, Any],
        *,
        dump: Dump = _dump,
        **headers: Any,
    ) -> None:
        self._client.put_object(
            Bucket=self._bucket, Key=name, Body=dump(document), ContentType="application/json", **headers
        )

    def _put_json_once(self, name: str, document: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._put_once(name, _dump(document), ContentType="application/json"):
            return document
        return self._get(name)

    def _put_once(self, name: str, body: bytes, **headers: Any) -> bool:
        """Put an object unless one is there; return whether it was put. A lost answer shows as one being there."""
        for race in range(RACES):
            try:
                self._client.put_object(Bucket=self._bucket, Key=name, Body=body, IfNoneMatch="*", **headers)
            except ClientError as error:
                status = error.response["ResponseMetadata"]["HTTPStatusCode"]
                if status == 412:
                    return False
                if status != 409 or race == RACES - 1:
                    raise
            else:
                return True
        raise AssertionError("unreachable")

    def _get_if_there(self, name: str) -> Mapping[str, Any] | None:
        try:
            return self._get(name)
        except self._client.exceptions.NoSuchKey:
            return None

    def _get(self, name: str) -> Mapping[str, Any]:
        body = self._client.get_object(Bucket=self._bucket, Key=name)["Body"].read()
        document: Mapping[str, Any] = json.loads(body)
        return document
