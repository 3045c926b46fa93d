"""What becomes of an engine's answer on its way to the SDK."""

import json
from collections.abc import Callable

from tests.engines.e2e.proxy import ProxyResponse, Raw

PAGE = b"<!DOCTYPE html><html><body>Please log in</body></html>"
OWN_LENGTH = ("content-length", "x-amz-crc32")

Bent = Callable[[ProxyResponse], ProxyResponse | Raw | None]


def head(answer: ProxyResponse, length: int, **headers: str) -> bytes:
    kept = [(name, value) for name, value in answer.headers if name.lower() not in (*OWN_LENGTH, "transfer-encoding")]
    lines = [f"{name}: {value}" for name, value in [*kept, *headers.items(), ("Content-Length", str(length))]]
    return "\r\n".join([f"HTTP/1.1 {answer.status} OK", *lines, "", ""]).encode()


def _instead(body: bytes, kind: str) -> Bent:
    """Return what answers with a body of its own, under the status of a success."""

    def bent(answer: ProxyResponse) -> ProxyResponse:
        return ProxyResponse(200, body, (("Content-Type", kind), ("x-amzn-requestid", "proxy")))

    return bent


def whole(answer: ProxyResponse) -> bytes:
    return head(answer, len(answer.body)) + answer.body


def without_fields(answer: ProxyResponse) -> ProxyResponse | Raw | None:
    """Return the answer as another version of the service would give it: every field under another name."""
    try:
        renamed = {f"{name}2": value for name, value in json.loads(answer.body).items()}
    except (ValueError, AttributeError):
        return _instead(b"<Other></Other>", "application/xml")(answer)
    return ProxyResponse(200, json.dumps(renamed).encode(), (("Content-Type", "application/x-amz-json-1.0"),))


FAULTS: dict[str, Bent] = {
    "cut in its body": lambda answer: Raw(head(answer, len(answer.body) + 1) + answer.body[: len(answer.body) // 2]),
    "cut in its head": lambda answer: Raw(head(answer, len(answer.body))[:40]),
    "none, the connection is closed": lambda _: None,
    "shorter than it says": lambda answer: Raw(head(answer, len(answer.body) + 7) + answer.body),
    "longer than it says": lambda answer: Raw(head(answer, max(0, len(answer.body) - 7)) + answer.body),
    "delivered twice": lambda answer: Raw(whole(answer) + whole(answer), ends=False),
    "a web page": _instead(PAGE, "text/html"),
    "empty": _instead(b"", "application/octet-stream"),
    "an empty object": _instead(b"{}", "application/x-amz-json-1.0"),
    "a list": _instead(b"[]", "application/x-amz-json-1.0"),
    "a null": _instead(b"null", "application/x-amz-json-1.0"),
    "half a document": _instead(b'{"Table": {"TableName": "T', "application/x-amz-json-1.0"),
    "no text": _instead(b"\xff\xfe\x00", "application/octet-stream"),
    "without its fields": without_fields,
    "of another checksum": lambda answer: ProxyResponse(
        answer.status, answer.body, (*answer.headers, ("x-amz-crc32", "1"))
    ),
    "unavailable, by a web page": lambda _: ProxyResponse(503, PAGE, (("Content-Type", "text/html"),)),
}
