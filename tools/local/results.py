"""The objects of a run on S3: counted while it runs, copied when it is finished."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

    from skipscan.loop.layout import Layout


class Results:
    """The objects of one run in `bucket`."""

    def __init__(self, client: S3Client, bucket: str, layout: Layout) -> None:
        self._client = client
        self._bucket = bucket
        self._layout = layout
        self._keys_by_part: dict[str, int] = {}

    def keys(self) -> int:
        """Return the number of keys on S3 now."""
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=self._layout.parts)
        for part in (entry["Key"] for page in pages for entry in page.get("Contents", [])):
            if part not in self._keys_by_part:  # a part never changes
                head = self._client.head_object(Bucket=self._bucket, Key=part)
                self._keys_by_part[part] = int(head["Metadata"]["keys"])
        return sum(self._keys_by_part.values())

    def copy(self, folder: Path) -> list[dict[str, str]]:
        """Return the keys of the manifest's parts in order, after copying the manifest and the parts to `folder`."""
        manifest = json.loads(self._download(self._layout.manifest, folder))
        parts = [self._download(part["name"], folder) for part in manifest["parts"]]
        return [json.loads(line) for part in parts for line in part.splitlines()]

    def _download(self, name: str, folder: Path) -> bytes:
        body = self._client.get_object(Bucket=self._bucket, Key=name)["Body"].read()
        path = folder / name.removeprefix(self._layout.root)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
        return body
