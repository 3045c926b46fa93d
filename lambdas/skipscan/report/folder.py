"""Where a run's objects lie: on S3, or in a folder they were copied to. Names are relative to the run's own folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from botocore.exceptions import ClientError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


class Folder(Protocol):
    """A run's objects."""

    def read(self, name: str) -> bytes | None:
        """Return an object's content, or `None` if there is no such object."""

    def names(self, below: str) -> list[str]:
        """Return the names that begin so."""

    def attempt(self, part: str) -> str | None:
        """Return which attempt put a part; `None` where only its content was kept."""


class BucketFolder:
    """A run on S3. `prefix`: `<prefix>/<table>/<run>/`. Needs s3:GetObject there, and s3:ListBucket."""

    def __init__(self, client: "S3Client", bucket: str, prefix: str) -> None:
        self._client = client
        self._bucket = bucket
        self._prefix = prefix.rstrip("/") + "/"

    def read(self, name: str) -> bytes | None:
        try:
            return self._client.get_object(Bucket=self._bucket, Key=self._prefix + name)["Body"].read()
        except ClientError as error:
            if error.response["ResponseMetadata"]["HTTPStatusCode"] == 404:
                return None
            raise

    def names(self, below: str) -> list[str]:
        return list(self._names(below))

    def attempt(self, part: str) -> str | None:
        head = self._client.head_object(Bucket=self._bucket, Key=self._prefix + part)
        return head["Metadata"].get("attempt")

    def _names(self, below: str) -> Iterator[str]:
        pages = self._client.get_paginator("list_objects_v2")
        for page in pages.paginate(Bucket=self._bucket, Prefix=self._prefix + below):
            for entry in page.get("Contents", ()):
                yield entry["Key"].removeprefix(self._prefix)


class LocalFolder:
    """A run's objects as `aws s3 sync` copies them."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, name: str) -> bytes | None:
        try:
            return (self._path / name).read_bytes()
        except FileNotFoundError:
            return None

    def names(self, below: str) -> list[str]:
        files = (path for path in (self._path / below).rglob("*") if path.is_file())
        return sorted(path.relative_to(self._path).as_posix() for path in files)

    def attempt(self, part: str) -> str | None:
        return None
