"""A request as boto3 sends it, with another body and a new signature (AWS Signature Version 4)."""

import hashlib
import hmac
import json
import re
from base64 import b64encode
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from botocore.awsrequest import AWSPreparedRequest
from botocore.credentials import ReadOnlyCredentials

AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=[^/]+/[0-9]{8}/(?P<region>[^/]+)/(?P<service>[^/]+)/aws4_request, "
    r"SignedHeaders=(?P<names>[^,]+), Signature=(?P<signature>[0-9a-f]{64})"
)
DATE, TOKEN = "x-amz-date", "x-amz-security-token"
OF_ONE_REQUEST = {
    *("authorization", DATE, TOKEN, "content-length"),
    *("amz-sdk-invocation-id", "amz-sdk-request", "x-amzn-trace-id"),
}
"""Headers that are not sent again."""


class Route:
    """Address and headers of an operation on a table, learnt from a request that boto3 prepared.

    So botocore chooses the region, the endpoint (of the account, FIPS, dual-stack or custom) and the user agent. Raises
    `ValueError` for a request that is not signed with Signature Version 4.
    """

    def __init__(self, prepared: AWSPreparedRequest) -> None:
        place = urlsplit(prepared.url)
        self.url, self.scheme, self.host, self.port = prepared.url, place.scheme, str(place.hostname), place.port
        sent: Any = prepared.body
        self.body: bytes = sent
        self._path = place.path or "/"
        self._prepared = {name.lower(): _text(value) for name, value in prepared.headers.items()}
        self._prepared["host"] = place.netloc.removesuffix(":443" if self.is_secure else ":80")
        signed = AUTHORIZATION.fullmatch(self._prepared.get("authorization", ""))
        if signed is None or place.query:
            raise ValueError("boto3's requests are not signed with Signature Version 4")
        self._scope = f"{signed['region']}/{signed['service']}/aws4_request"
        self._names = sorted({*signed["names"].split(";"), TOKEN})
        self._signature = signed["signature"]
        self._headers = {name: value for name, value in self._prepared.items() if name not in OF_ONE_REQUEST}
        lines = "".join(f"{name}: {value}\r\n" for name, value in self._headers.items())
        self._head = f"POST {self._path} HTTP/1.1\r\n{lines}accept-encoding: identity\r\n"
        self._key: tuple[str | None, str, bytes] = ("", "", b"")

    @property
    def is_secure(self) -> bool:
        return self.scheme == "https"

    def is_signed_by(self, credentials: ReadOnlyCredentials) -> bool:
        """Return whether boto3's request has the signature that this module would compute."""
        return self._sign(self._prepared, self.body, credentials)[1] == self._signature

    def request(self, body: bytes, credentials: ReadOnlyCredentials, date: str) -> bytes:
        """Return the bytes of a request. `date`: in UTC, such as "20260101T000000Z"."""
        own = {DATE: date, TOKEN: credentials.token} if credentials.token else {DATE: date}
        names, signature = self._sign({**self._headers, **own}, body, credentials)
        lines = "".join(f"{name}: {value}\r\n" for name, value in own.items())
        head = (
            f"{self._head}{lines}authorization: AWS4-HMAC-SHA256 Credential={credentials.access_key}/{date[:8]}/"
            f"{self._scope}, SignedHeaders={names}, Signature={signature}\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        return head.encode("latin-1") + body

    def _sign(self, headers: Mapping[str, str], body: bytes, credentials: ReadOnlyCredentials) -> tuple[str, str]:
        """Return the names of the signed headers, and the signature."""
        date = headers[DATE]
        names = [name for name in self._names if name in headers]
        lines = "".join(f"{name}:{headers[name]}\n" for name in names)
        signed = ";".join(names)
        request = f"POST\n{self._path}\n\n{lines}\n{signed}\n{hashlib.sha256(body).hexdigest()}"
        digest = hashlib.sha256(request.encode()).hexdigest()
        text = f"AWS4-HMAC-SHA256\n{date}\n{date[:8]}/{self._scope}\n{digest}"
        return signed, hmac.digest(self._signing_key(credentials.secret_key, date[:8]), text.encode(), "sha256").hex()

    def _signing_key(self, secret: str | None, day: str) -> bytes:
        """Return the key of a day, computed once: botocore computes it for every request."""
        known_secret, known_day, key = self._key
        if (known_secret, known_day) != (secret, day):
            key = f"AWS4{secret}".encode()
            for part in (day, *self._scope.split("/")):
                key = hmac.digest(key, part.encode(), "sha256")
            self._key = secret, day, key  # in one step, so that no thread sees half of it
        return key


def body(asked: Mapping[str, Any]) -> bytes:
    """Return the parameters of a call in DynamoDB's form."""
    return json.dumps(asked, default=_base64).encode()


def _base64(value: bytes) -> str:
    return b64encode(value).decode()


def _text(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
