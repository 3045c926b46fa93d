"""The objects of a run or job on S3, as the report reads them. Names are relative to its own folder."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


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
