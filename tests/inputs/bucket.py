"""S3 in memory, as far as a run's results need it, and as strict about names."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from types import SimpleNamespace
from typing import Any

from botocore.exceptions import ClientError

MODIFIED = datetime(2026, 1, 1, tzinfo=UTC)


def _refused(status: int, code: str, operation: str) -> ClientError:
    return ClientError({"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}, operation)  # type: ignore[typeddict-item]


class NoSuchKey(ClientError):  # noqa: N818 - as boto3 names it
    pass


class Bucket:
    """A client that knows one bucket. `objects`: bodies and metadata by name."""

    exceptions = SimpleNamespace(NoSuchKey=NoSuchKey)

    def __init__(self) -> None:
        self.objects: dict[str, tuple[bytes, dict[str, str]]] = {}

    def put_object(self, *, Key: str, Body: bytes, **headers: Any) -> dict[str, Any]:  # noqa: N803
        assert 0 < len(Key.encode()) <= 1024
        if headers.get("IfNoneMatch") and Key in self.objects:
            raise _refused(412, "PreconditionFailed", "PutObject")
        self.objects[Key] = Body, headers.get("Metadata", {})
        return {}

    def head_object(self, *, Key: str, **_: Any) -> dict[str, Any]:  # noqa: N803
        if Key not in self.objects:
            raise _refused(404, "404", "HeadObject")
        body, metadata = self.objects[Key]
        return {"ContentLength": len(body), "Metadata": metadata, "LastModified": MODIFIED}

    def get_object(self, *, Key: str, **_: Any) -> dict[str, Any]:  # noqa: N803
        assert 0 < len(Key.encode()) <= 1024
        if Key not in self.objects:
            raise NoSuchKey({"Error": {"Code": "NoSuchKey"}}, "GetObject")
        return {"Body": BytesIO(self.objects[Key][0])}

    def list_objects_v2(self, *, Prefix: str = "", **_: Any) -> dict[str, Any]:  # noqa: N803
        return {
            "Contents": [
                {"Key": name, "LastModified": MODIFIED} for name in sorted(self.objects) if name.startswith(Prefix)
            ]
        }

    def get_paginator(self, _operation: str) -> Any:
        def paginate(**asked: Any) -> Iterable[dict[str, Any]]:
            return iter([self.list_objects_v2(**asked)])

        return SimpleNamespace(paginate=paginate)

    def bodies(self, part_of_name: str = "") -> Iterator[bytes]:
        return (body for name, (body, _) in self.objects.items() if part_of_name in name)
