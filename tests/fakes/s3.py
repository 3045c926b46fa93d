"""S3 in memory, as strict as the service about what it is asked, and with puts that take effect late.

The calls of boto3's low-level client that Skipscan makes, and two that tests make. Bad requests raise what boto3
raises: ClientError with the service's code and status, ParamValidationError for what boto3 refuses before sending.
"""

import hashlib
import os
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from io import BytesIO
from types import SimpleNamespace
from typing import Any, ClassVar
from urllib.parse import parse_qsl

from botocore.exceptions import ClientError, ParamValidationError
from botocore.paginate import Paginator

from tests.fakes.hostile.refusal import check_parameters, exceptions, model, paginators

NAME_BYTES = 1024
METADATA_BYTES = 2048
PUT_HEADERS = {"Bucket", "Key", "Body", "ContentType", "Metadata", "Tagging", "IfNoneMatch", "ChecksumSHA256"}

PAGE_SIZE = 1 if os.environ.get("SKIPSCAN_AWS") == "worst" else 1000
"""See tests/house/suite/worst.py."""

MODIFIED = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class StoredObject:
    body: bytes
    content_type: str
    metadata: Mapping[str, str]
    tags: tuple[tuple[str, str], ...]
    sha256: str | None = None

    @cached_property
    def etag(self) -> str:
        return f'"{hashlib.md5(self.body, usedforsecurity=False).hexdigest()}"'


@dataclass
class Put:
    """A put that S3 has received and not carried out. `refusals`: so many others of its name are answered 409."""

    name: str
    stored: StoredObject
    is_conditional: bool
    refusals: int = 0


class FakeS3:
    """One bucket. `journal`: the name of every put that took effect, in their order."""

    meta = SimpleNamespace(events=SimpleNamespace(register=lambda *_: None, register_first=lambda *_: None))
    """What looks into answers finds none that is not whole here."""

    _sound: ClassVar[set[tuple[object, ...]]] = set()
    """Forms of requests that botocore found nothing wrong with."""

    def __init__(self, bucket: str, page_size: int = PAGE_SIZE) -> None:
        self.bucket = bucket
        self.objects: dict[str, StoredObject] = {}
        self.journal: list[str] = []
        self.under_way: list[Put] = []
        self._page_size = page_size
        self.exceptions = exceptions("s3")

    def put_object(self, **asked: Any) -> dict[str, Any]:
        put = self.received(**asked)
        if put.is_conditional:
            self._check_race(put.name)
        self.carry_out(put)
        return {"ETag": put.stored.etag, **_ok()}

    def received(self, **asked: Any) -> Put:
        """Return a put that passed every check that does not depend on other objects."""
        self._check("PutObject", asked)
        if unknown := asked.keys() - PUT_HEADERS:
            raise NotImplementedError(f"The fake has no {', '.join(sorted(unknown))}")
        if asked.get("IfNoneMatch", "*") != "*":
            raise s3_error("NotImplemented", 501, "PutObject")
        if len(asked["Key"].encode()) > NAME_BYTES:
            raise s3_error("KeyTooLongError", 400, "PutObject")
        metadata = asked.get("Metadata", {})
        if sum(len(name) + len(value) for name, value in metadata.items()) > METADATA_BYTES:
            raise s3_error("MetadataTooLarge", 400, "PutObject")
        if not all(text.isascii() for pair in metadata.items() for text in pair):
            raise ParamValidationError(report="Non ascii characters found in S3 metadata")
        body = bytes(asked.get("Body", b""))
        if asked.get("ChecksumSHA256") not in {None, b64encode(hashlib.sha256(body).digest()).decode()}:
            raise s3_error("BadDigest", 400, "PutObject")
        stored = StoredObject(
            body=body,
            content_type=asked.get("ContentType", "binary/octet-stream"),
            metadata={name.lower(): value for name, value in metadata.items()},
            tags=tuple(parse_qsl(asked.get("Tagging", ""), strict_parsing="Tagging" in asked)),
            sha256=asked.get("ChecksumSHA256"),
        )
        return Put(asked["Key"], stored, "IfNoneMatch" in asked)

    def receive(self, asked: Mapping[str, Any], refusals: int = 0) -> None:
        """Take a put that is carried out later."""
        self.under_way.append(replace(self.received(**asked), refusals=refusals))

    def carry_out(self, put: Put) -> None:
        """Carry out a put; raise 412 if its condition forbids an existing object and there is one."""
        if put in self.under_way:
            self.under_way.remove(put)
        if put.is_conditional and put.name in self.objects:
            raise s3_error("PreconditionFailed", 412, "PutObject")
        self.objects[put.name] = put.stored
        self.journal.append(put.name)

    def land(self, put: Put) -> None:
        """Carry out a late put whose answer is lost."""
        with suppress(ClientError):
            self.carry_out(put)

    def head_object(self, **asked: Any) -> dict[str, Any]:
        self._check("HeadObject", asked)
        stored = self.objects.get(asked["Key"])
        if stored is None:  # an answer to HEAD has no body, so it has no code but the status
            raise s3_error("404", 404, "HeadObject", "Not Found")
        measured = {"ChecksumSHA256": stored.sha256} if stored.sha256 and "ChecksumMode" in asked else {}
        return {**_described(stored), **measured}

    def get_object(self, **asked: Any) -> dict[str, Any]:
        self._check("GetObject", asked)
        stored = self.objects.get(asked["Key"])
        if stored is None:
            error = self.exceptions.NoSuchKey
            raise s3_error("NoSuchKey", 404, "GetObject", "The specified key does not exist.", error)
        if "Range" not in asked:
            return {**_described(stored), "Body": BytesIO(stored.body)}
        start, end = map(int, asked["Range"].removeprefix("bytes=").split("-"))
        if start >= len(stored.body):
            raise s3_error("InvalidRange", 416, "GetObject")
        body = stored.body[start : end + 1]
        span = f"bytes {start}-{start + len(body) - 1}/{len(stored.body)}"
        return {**_described(stored), "ContentLength": len(body), "ContentRange": span, "Body": BytesIO(body)}

    def delete_object(self, **asked: Any) -> dict[str, Any]:
        self._check("DeleteObject", asked)
        self.objects.pop(asked["Key"], None)
        return _ok()

    def get_object_tagging(self, **asked: Any) -> dict[str, Any]:
        self._check("GetObjectTagging", asked)
        if asked["Key"] not in self.objects:
            raise s3_error("NoSuchKey", 404, "GetObjectTagging")
        tags = self.objects[asked["Key"]].tags
        return {"TagSet": [{"Key": key, "Value": value} for key, value in tags], **_ok()}

    def list_objects_v2(self, **asked: Any) -> dict[str, Any]:
        self._check("ListObjectsV2", asked)
        if unknown := asked.keys() - {"Bucket", "Prefix", "Delimiter", "MaxKeys", "ContinuationToken"}:
            raise NotImplementedError(f"The fake has no {', '.join(sorted(unknown))}")
        after = asked.get("ContinuationToken", "")
        prefix, most = asked.get("Prefix", ""), min(asked.get("MaxKeys", 1000), self._page_size)
        found = {_folder(name, prefix, asked.get("Delimiter")) for name in self.objects if name.startswith(prefix)}
        names = sorted((name for name in found if name > after), key=str.encode)
        page = names[:most]
        answer: dict[str, Any] = {"KeyCount": len(page), "IsTruncated": len(names) > most, **_ok()}
        contents = [
            {"Key": name, "Size": len(self.objects[name].body), "LastModified": MODIFIED}
            for name in page
            if name in self.objects
        ]
        folders = [{"Prefix": name} for name in page if name not in self.objects]
        answer |= {"Contents": contents} if contents else {}
        answer |= {"CommonPrefixes": folders} if folders else {}
        if answer["IsTruncated"]:
            answer["NextContinuationToken"] = page[-1]
        return answer

    def get_paginator(self, operation: str) -> Any:
        return paginator(self.list_objects_v2, operation)

    def _check(self, operation: str, asked: Mapping[str, Any]) -> None:
        form = (operation, *(_form(name, value) for name, value in sorted(asked.items())))
        if form not in self._sound:  # botocore takes as long for this as all else here
            check_parameters("s3", operation, asked)
            self._sound.add(form)
        if asked["Bucket"] != self.bucket:
            raise s3_error("NoSuchBucket", 404, operation)

    def _check_race(self, name: str) -> None:
        """Answer 409 while another put of the name is under way; that one is carried out when it refused enough."""
        for other in [put for put in self.under_way if put.name == name and put.refusals]:
            other.refusals -= 1
            if not other.refusals:
                self.land(other)
            raise s3_error("ConditionalRequestConflict", 409, "PutObject")


def paginator(method: Any, operation: str) -> Any:
    """Return botocore's own paginator over a method."""
    if operation != "list_objects_v2":
        raise NotImplementedError(f"The fake pages through no {operation}")
    pages = paginators("s3").get_paginator("ListObjectsV2")
    return Paginator(method, pages, model("s3").operation_model("ListObjectsV2"))


def s3_error(
    code: str, status: int, operation: str, message: str = "", kind: type[ClientError] = ClientError
) -> ClientError:
    response: Any = {
        "Error": {"Code": code, "Message": message},
        "ResponseMetadata": {"RequestId": "FAKE", "HostId": "", "HTTPStatusCode": status, "HTTPHeaders": {}},
    }
    return kind(response, operation)


def _folder(name: str, prefix: str, delimiter: str | None) -> str:
    """Return an object's name, cut behind the first delimiter after the prefix."""
    head, found, _ = name.removeprefix(prefix).partition(delimiter or "\0")
    return prefix + head + found


def _form(name: str, value: object) -> tuple[object, ...]:
    """Return all of a parameter that botocore's validation looks at: types, and whether anything is there."""
    inner = {type(part) for pair in value.items() for part in pair} if isinstance(value, Mapping) else ()
    return (name, type(value), bool(value), frozenset(inner))


def _described(stored: StoredObject) -> dict[str, Any]:
    return {
        "ContentLength": len(stored.body),
        "ContentType": stored.content_type,
        "ETag": stored.etag,
        "LastModified": MODIFIED,
        "Metadata": dict(stored.metadata),
        **_ok(),
    }


def _ok() -> dict[str, Any]:
    return {"ResponseMetadata": {"RequestId": "FAKE", "HTTPStatusCode": 200, "HTTPHeaders": {}, "RetryAttempts": 0}}
