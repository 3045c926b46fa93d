"""An answer of DynamoDB: as received, in boto3's form, and as JSON."""

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.parsers import ResponseParserError

from skipscan.aws.answer import decode

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
    body: bytes | bytearray

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


def understood(raw: Raw, operation: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of an answer with status 200; numbers stay texts.

    Raises `ResponseParserError` for an answer that lacks a requested member: a page without items would end a segment.
    """
    try:
        # As json.loads does, which first guesses the encoding.
        answer = _read(raw.body.decode("utf-8", "surrogatepass"))
        items = [*answer["Items"]] if operation in COLLECTIONS and parameters.get("Select") != COUNTED else []
        if "ReturnConsumedCapacity" in parameters:
            float(answer["ConsumedCapacity"]["CapacityUnits"])
        if b'"B"' in raw.body or b'"BS"' in raw.body:
            for item in (*items, *(answer[name] for name in ITEMS if answer.get(name))):
                decode(item)
    except (ValueError, TypeError, LookupError, AttributeError):
        raise ResponseParserError(f"the answer to {operation} is not an answer of DynamoDB") from None
    content: dict[str, Any] = answer
    return content
