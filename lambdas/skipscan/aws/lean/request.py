"""A request as boto3 sends it, with another body and a new signature (AWS Signature Version 4); and answers to it."""

import hashlib
import hmac
import io
import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from mmap import mmap
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.compat import HTTPHeaders
from botocore.credentials import ReadOnlyCredentials
from botocore.parsers import ResponseParserError

from skipscan.aws.answer import decode

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


OPERATIONS = {
    "scan": "Scan",
    "query": "Query",
    "get_item": "GetItem",
    "update_item": "UpdateItem",
    "put_item": "PutItem",
    "delete_item": "DeleteItem",
}
"""The frequent calls, by the names of boto3's methods."""

READS = {"Scan", "Query", "GetItem"}


class Call(NamedTuple):
    """One of the frequent calls, by the `name` of boto3's method."""

    name: str
    parameters: Mapping[str, Any]

    @property
    def operation(self) -> str:
        return OPERATIONS[self.name]

    @property
    def way(self) -> tuple[str, str]:
        """The operation and the table, which have a route of their own."""
        return self.operation, self.parameters["TableName"]


class Route:
    """Address and headers of an operation on a table, learnt from a request that boto3 prepared.

    So botocore chooses the region, the endpoint (of the account, FIPS, dual-stack or custom) and the user agent. Raises
    `ValueError` for a request that is not signed with Signature Version 4.
    """

    def __init__(self, prepared: AWSPreparedRequest) -> None:
        place = urlsplit(prepared.url)
        self.url = prepared.url
        self.scheme = place.scheme
        self.host = str(place.hostname)
        self.port = place.port
        sent: Any = prepared.body
        self.body: bytes = sent
        self._path = place.path or "/"
        self._prepared = {name.lower(): _text(value) for name, value in prepared.headers.items()}
        # botocore adds the header when it sends, and signs it without a default port.
        self._prepared["host"] = place.netloc.removesuffix(":443" if self.is_secure else ":80")
        signed = AUTHORIZATION.fullmatch(self._prepared.get("authorization", ""))
        if signed is None or place.query:
            raise ValueError("boto3's requests are not signed with Signature Version 4")
        self._scope = f"{signed['region']}/{signed['service']}/aws4_request"
        # Later credentials may have a session token, which these had not.
        self._names = sorted({*signed["names"].split(";"), TOKEN})
        self._signature = signed["signature"]
        self._headers = {name: value for name, value in self._prepared.items() if name not in OF_ONE_REQUEST}
        lines = "".join(f"{name}: {value}\r\n" for name, value in self._headers.items())
        # Not encoded: `Connection` reads no such answer, and would leave it to boto3.
        self._head = f"POST {self._path} HTTP/1.1\r\n{lines}accept-encoding: identity\r\n"
        self._last: _Signer | None = None

    @property
    def is_secure(self) -> bool:
        return self.scheme == "https"

    def is_signed_by(self, credentials: ReadOnlyCredentials) -> bool:
        """Return whether boto3's request has the signature that this module would compute."""
        signer = self._signer(credentials, self._prepared[DATE], self._prepared)
        return signer.signature(self.body) == self._signature

    def request(self, body: bytes, credentials: ReadOnlyCredentials, date: str) -> bytes:
        """Return the bytes of a request. `date`: in UTC, such as "20260101T000000Z"."""
        signer = self._last
        if signer is None or (signer.credentials, signer.date) != (credentials, date):
            extra = {DATE: date, TOKEN: credentials.token} if credentials.token else {DATE: date}
            signer = self._last = self._signer(credentials, date, {**self._headers, **extra}, extra)
        signature = signer.signature(body).encode()
        return b"%b%b\r\ncontent-length: %d\r\n\r\n%b" % (signer.head, signature, len(body), body)

    def _signer(
        self, credentials: ReadOnlyCredentials, date: str, headers: Mapping[str, str], extra: Mapping[str, str] = {}
    ) -> "_Signer":
        """Return what all requests of a second share. `headers`: to sign. `extra`: those that boto3 did not prepare."""
        names = [name for name in self._names if name in headers]
        signed = ";".join(names)
        lines = "".join(f"{name}:{headers[name]}\n" for name in names)
        head = "".join(f"{name}: {value}\r\n" for name, value in extra.items())
        scope = f"{date[:8]}/{self._scope}"
        return _Signer(
            credentials,
            date,
            (
                f"{self._head}{head}authorization: AWS4-HMAC-SHA256 Credential={credentials.access_key}/{scope}, "
                f"SignedHeaders={signed}, Signature="
            ).encode("latin-1"),
            hashlib.sha256(f"POST\n{self._path}\n\n{lines}\n{signed}\n".encode()),
            f"AWS4-HMAC-SHA256\n{date}\n{scope}\n",
            hmac.new(_signing_key(credentials.secret_key, scope), digestmod="sha256"),
        )


class _Signer(NamedTuple):
    """What the requests of one second have in common: all but the body. botocore computes it for every request.

    `head`: up to the signature. `canonical`: the hash of the canonical request, but for the hash of the body. `text`:
    the string to sign, but for the former. `keyed`: the hash with the key of the day. It is copied for each request,
    because OpenSSL 3 takes ten times as long to begin one.
    """

    credentials: ReadOnlyCredentials
    date: str
    head: bytes
    canonical: Any
    text: str
    keyed: hmac.HMAC

    def signature(self, body: bytes) -> str:
        canonical = self.canonical.copy()
        canonical.update(hashlib.sha256(body).hexdigest().encode())
        signature = self.keyed.copy()
        signature.update(f"{self.text}{canonical.hexdigest()}".encode())
        return signature.hexdigest()


def _signing_key(secret: str | None, scope: str) -> bytes:
    """Return the key of a day."""
    key = f"AWS4{secret}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    return key


def body(parameters: Mapping[str, Any]) -> bytes:
    """Return the parameters of a call in DynamoDB's form.

    In UTF-8: the escapes of a largest sort key would take three times its bytes, and they are hashed, too.
    """
    try:
        return _json(parameters).encode()
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8; as boto3 sends it
        return json.dumps(parameters, default=_base64).encode()


def _base64(value: bytes) -> str:
    return b64encode(value).decode()


_json = json.JSONEncoder(default=_base64, ensure_ascii=False).encode


def _text(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


COLLECTIONS = {"Scan", "Query"}
COUNTED = "COUNT"
"""The value of `Select` in a request whose answer has a count and no items. `parse_count` checks the count."""
ITEMS = ("Item", "Attributes", "LastEvaluatedKey")
_read = json.JSONDecoder().decode


@dataclass(frozen=True)
class Raw:
    """An answer as received. `head`: its headers, a line each."""

    status: int
    head: bytes
    body: bytes | mmap

    @cached_property
    def headers(self) -> Mapping[str, str]:
        """The headers; their names are in lower case. Only boto3 reads them, so a page's are never taken apart."""
        pairs = (line.partition(":") for line in self.head.decode("latin-1").split("\r\n"))
        return {name.lower(): value.strip() for name, _, value in pairs if name}

    def for_boto3(self, url: str) -> AWSResponse:
        """Return the answer in the form in which boto3 would have received it."""
        headers = HTTPHeaders.from_dict(self.headers)
        return AWSResponse(url, self.status, headers, _Body(self.body))


class _Body(io.BytesIO):
    def stream(self) -> Iterator[bytes]:
        yield self.read()


def understood(raw: Raw, call: Call) -> dict[str, Any]:
    """Return the content of an answer with status 200; numbers stay texts.

    Raises `ResponseParserError` for an answer that lacks a requested member: a page without items would end a segment.
    """
    operation, parameters = call.operation, call.parameters
    try:
        # As json.loads does, which first guesses the encoding.
        text = str(raw.body, "utf-8", "surrogatepass")
        answer = _read(text)

        items = [*answer["Items"]] if operation in COLLECTIONS and parameters.get("Select") != COUNTED else []
        if "ReturnConsumedCapacity" in parameters:
            float(answer["ConsumedCapacity"]["CapacityUnits"])  # raises unless it is a number
        # Only binary values differ from JSON.
        if '"B"' in text or '"BS"' in text:
            for item in (*items, *(answer[name] for name in ITEMS if answer.get(name))):
                decode(item)
    except (ValueError, TypeError, LookupError, AttributeError):
        raise ResponseParserError(f"the answer to {operation} is not an answer of DynamoDB") from None
    content: dict[str, Any] = answer
    return content
