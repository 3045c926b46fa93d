"""S3 in memory, as far as results need it: conditional puts, metadata, ranges, listing."""

import io
from base64 import b64encode
from datetime import UTC, datetime
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

from botocore.exceptions import ClientError

MODIFIED = datetime(2026, 1, 1, tzinfo=UTC)


class NoSuchKeyError(ClientError):
    """What a client's `exceptions.NoSuchKey` is."""


class MemoryS3:
    """One bucket; `objects` holds the body and metadata of each name."""

    def __init__(self) -> None:
        self.objects: dict[str, tuple[bytes, dict[str, str]]] = {}
        self.exceptions = SimpleNamespace(NoSuchKey=NoSuchKeyError)

    def put_object(self, *, Key: str, Body: bytes, **asked: Any) -> dict[str, Any]:  # noqa: N803 (boto3's names)
        if asked.get("IfNoneMatch") and Key in self.objects:
            raise ClientError(_response("PreconditionFailed", 412), "PutObject")
        self.objects[Key] = Body, asked.get("Metadata", {})
        return {}

    def get_object(self, *, Key: str, Range: str | None = None, **_: Any) -> dict[str, Any]:  # noqa: N803
        if Key not in self.objects:
            raise NoSuchKeyError(_response("NoSuchKey", 404), "GetObject")
        body = self.objects[Key][0]
        start, end = map(int, Range.removeprefix("bytes=").split("-")) if Range else (0, len(body) - 1)
        return {"Body": io.BytesIO(body[start : end + 1]), "ContentRange": f"bytes {start}-{end}/{len(body)}"}

    def head_object(self, *, Key: str, **_: Any) -> dict[str, Any]:  # noqa: N803
        if Key not in self.objects:
            raise ClientError(_response("404", 404), "HeadObject")
        body, metadata = self.objects[Key]
        measured = b64encode(sha256(body).digest()).decode()
        return {"ContentLength": len(body), "Metadata": metadata, "LastModified": MODIFIED, "ChecksumSHA256": measured}

    def get_paginator(self, _: str) -> "MemoryS3":
        return self

    def paginate(self, *, Prefix: str, **_: Any) -> list[dict[str, Any]]:  # noqa: N803
        names = (name for name in sorted(self.objects) if name.startswith(Prefix))
        return [{"Contents": [{"Key": name, "LastModified": MODIFIED} for name in names]}]


def _response(code: str, status: int) -> Any:
    return {"Error": {"Code": code, "Message": ""}, "ResponseMetadata": {"HTTPStatusCode": status}}
