"""Results in an S3 bucket: the kernel's storage in the account."""

import random
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any

from botocore.exceptions import ClientError

from skipscan.aws.clients import S3Client
from skipscan.aws.faults import LOST_ANSWERS, code_of, is_denial, is_of_key
from skipscan.errors import DeniedError
from skipscan.inputs.names import MEDIA_TYPES
from skipscan.loop.dependencies import Meter
from skipscan.loop.layout import CHECKPOINT_DAYS
from skipscan.loop.storage import Stored
from skipscan.pace.pace import jittered, retrying

CHECKPOINT_TAG = "skipscan=checkpoint"
"""The tag by which a lifecycle rule of the bucket expires objects."""

RACES = 8
"""How many puts are sent before 409 (another put of the same name is in progress) is an error.

The waits between them double from 0.1 to 6.4 seconds, each drawn at random from the whole span: a put that S3 has not
settled within milliseconds takes seconds, and a lost put loses the reads of its whole batch (user guide, "Prevent
object overwrites with conditional writes": upload again after a 409).
"""

BODIES = 3
"""How often an object is read if its body breaks off: the client repeats only what fails before the body begins."""

CONTENT_TYPES = {**MEDIA_TYPES, "html": "text/html; charset=utf-8", "json": "application/json"}


@dataclass(frozen=True)
class Bucket:
    """Safe to use from several threads. `meter`: counts the requests."""

    client: S3Client
    name: str
    meter: Meter = field(default_factory=Meter, compare=False)
    sleep: Callable[[float], None] = field(default=time.sleep, compare=False)
    random: Callable[[], float] = field(default=random.random, compare=False)

    def uri(self, name: str) -> str:
        return f"s3://{self.name}/{name}"

    def get(self, name: str) -> bytes | None:
        try:
            return self._get(name)[0]
        except self.client.exceptions.NoSuchKey:
            return None
        except ClientError as error:
            raise _in_words(error, self.uri(name)) from None

    def get_range(self, name: str, start: int, end: int) -> tuple[bytes, int]:
        try:
            body, answer = self._get(name, Range=f"bytes={start}-{end - 1}")
        except ClientError as error:
            raise _in_words(error, self.uri(name)) from None
        return body, int(answer["ContentRange"].rpartition("/")[2])

    def _get(self, name: str, **parameters: Any) -> tuple[bytes, Any]:
        left = BODIES
        while True:
            left -= 1
            self.meter.add(s3_gets=1)
            answer = self.client.get_object(Bucket=self.name, Key=name, **parameters)
            try:
                return answer["Body"].read(), answer
            except LOST_ANSWERS:
                if not left:
                    raise

    def look(self, name: str) -> Stored | None:
        try:
            try:
                head = self._head(name)
            except ClientError as error:
                head = self._head_again(error, name)
        except ClientError as error:
            if _status(error) == 404:
                return None
            raise _in_words(error, self.uri(name)) from None
        measured = head.get("ChecksumSHA256")
        content = b64decode(measured).hex() if measured else None
        return Stored(name, head["ContentLength"], head["Metadata"], content)

    def _head(self, name: str) -> Any:
        self.meter.add(s3_gets=1)
        return self.client.head_object(Bucket=self.name, Key=name, ChecksumMode="ENABLED")

    def _head_again(self, refused: ClientError, name: str) -> Any:
        """Return the answer to a HEAD that was refused; raise the refusal with S3's code.

        The answer to a HEAD has no body, and so no code: a GET asks for it. If the GET is not refused, the HEAD is sent
        again, once.
        """
        if _status(refused) not in {400, 403}:
            raise refused
        self.meter.add(s3_gets=1)
        try:
            self.client.get_object(Bucket=self.name, Key=name, Range="bytes=0-0")
        except ClientError as error:
            if _status(error) in {400, 403}:
                raise
        return self._head(name)

    def put(self, name: str, body: bytes) -> None:
        self.meter.add(s3_puts=1)
        try:
            self.client.put_object(Bucket=self.name, Key=name, Body=body, ContentType=_content_type(name))
        except ClientError as error:
            raise _in_words(error, self.uri(name)) from None

    def put_once(
        self, name: str, body: bytes, metadata: Mapping[str, str] | None = None, *, expires: bool = False
    ) -> bool:
        tag: dict[str, Any] = {"Tagging": CHECKPOINT_TAG} if expires else {}
        digest = b64encode(sha256(body).digest()).decode()

        def put() -> bool:
            self.meter.add(s3_puts=1)
            try:
                self.client.put_object(
                    Bucket=self.name,
                    Key=name,
                    Body=body,
                    ContentType=_content_type(name),
                    Metadata=metadata or {},
                    IfNoneMatch="*",
                    ChecksumSHA256=digest,  # S3 verifies it and stores it with the object
                    **tag,
                )
            except ClientError as error:
                if _status(error) == 412:
                    return False
                raise
            return True

        try:
            return retrying(put, jittered(RACES - 1, self.random), passes=_is_race, sleep=self.sleep)
        except ClientError as error:
            raise _in_words(error, self.uri(name)) from None

    def names(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        pages = self._listed(Prefix=prefix)
        return ((entry["Key"], entry["LastModified"]) for page in pages for entry in page.get("Contents", ()))

    def folders(self, prefix: str) -> Iterator[str]:
        pages = self._listed(Prefix=prefix, Delimiter="/")
        return (
            entry["Prefix"].removeprefix(prefix).rstrip("/")
            for page in pages
            for entry in page.get("CommonPrefixes", ())
        )

    def _listed(self, **parameters: Any) -> Iterator[Any]:
        for page in self.client.get_paginator("list_objects_v2").paginate(Bucket=self.name, **parameters):
            self.meter.add(s3_puts=1)
            yield page


def _is_race(error: Exception) -> bool:
    """Return whether S3 refused a put because another put of the same name is in progress."""
    return isinstance(error, ClientError) and _status(error) == 409


def _in_words(error: ClientError, uri: str) -> Exception:
    """Return the error to raise. If S3 will refuse again, it says what to do."""
    if not is_denial(error):
        return error
    code = code_of(error)
    said = f"returned {_status(error)} for {uri}"
    if code == "NoSuchBucket":
        way = "correct its name, or deploy the environment again"
        return DeniedError("S3", rule=f"{said}: the bucket does not exist", remedy=way)
    if is_of_key(error):
        way = "enable the key of the bucket, and allow kms:Decrypt and kms:GenerateDataKey on it"
        return DeniedError("S3", rule=f"{said} ({code})", remedy=way)
    if error.operation_name == "PutObject":
        return DeniedError("S3", rule=f"{said}: writing is not allowed", remedy="allow s3:PutObject on it")
    # S3 also answers 403 for a missing object.
    return DeniedError(
        "S3",
        rule=f"{said}: reading is not allowed, or the object does not exist (checkpoints expire after "
        f"{CHECKPOINT_DAYS} days) and S3 does not say so without s3:ListBucket",
        remedy="allow s3:GetObject on it and s3:ListBucket on the bucket",
    )


def _content_type(name: str) -> str:
    return CONTENT_TYPES.get(name.rpartition(".")[2], "application/octet-stream")


def _status(error: ClientError) -> int:
    return error.response["ResponseMetadata"]["HTTPStatusCode"]
