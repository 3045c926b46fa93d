"""What AWS answers when it refuses: a document on the wire, read by botocore's own parser for the service."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from xml.sax.saxutils import escape

from botocore.errorfactory import ClientExceptionsFactory
from botocore.exceptions import ClientError, ParamValidationError
from botocore.loaders import Loader
from botocore.model import ServiceModel
from botocore.paginate import PaginatorModel
from botocore.parsers import create_parser
from botocore.validate import ParamValidator
from botocore.waiter import WaiterModel

REQUEST = "HOSTILE"


@dataclass(frozen=True)
class Refusal:
    """`service`: by boto3's name. `page`: the address of what documents the refusal.

    `said`: the other fields of the document, as they are on the wire. `query`: the code in the words of the service's
    older protocol, which boto3 prefers.
    """

    service: str
    code: str
    status: int
    page: str
    message: str = "refused"
    said: Mapping[str, Any] = field(default_factory=dict)
    query: str = ""

    def error(self, operation: str) -> ClientError:
        """Return what boto3 raises for an operation that is answered so."""
        service = model(self.service)
        document = {"headers": self._headers(), "body": self._body(operation), "status_code": self.status}
        parser: Any = create_parser(service.metadata["protocol"])
        shape = service.operation_model(operation).output_shape
        response = parser.parse(document, shape)
        code = response["Error"].get("QueryErrorCode", response["Error"]["Code"])
        shapes: list[Any] = service.operation_model(operation).error_shapes
        for error in shapes:  # as client._make_api_call does
            if code in {error.name, error.error_code}:
                response |= parser.parse(document, error)
        made: ClientError = exceptions(self.service).from_code(code)(response, operation)
        return made

    def _headers(self) -> dict[str, str]:
        kind = {"x-amzn-errortype": f"{self.code}:http://internal.amazon.com/"} if self._is("rest-json") else {}
        if self.query:
            kind = {"x-amzn-query-error": f"{self.query};Sender"}
        return {"x-amzn-requestid": REQUEST, "x-amz-request-id": REQUEST, **kind}

    def _body(self, operation: str) -> bytes:
        if operation.startswith("Head"):  # which has no body, and so no code
            return b""
        if self._is("rest-xml"):
            inner = f"<Code>{self.code}</Code><Message>{escape(self.message)}</Message><RequestId>{REQUEST}</RequestId>"
            return f'<?xml version="1.0" encoding="UTF-8"?>\n<Error>{inner}</Error>'.encode()
        kind = {} if self._is("rest-json") else {"__type": f"com.amazonaws#{self.code}"}
        return json.dumps({**kind, "message": self.message, **self.said}).encode()

    def _is(self, protocol: str) -> bool:
        return bool(model(self.service).metadata["protocol"] == protocol)


@cache
def model(service: str) -> ServiceModel:
    return ServiceModel(Loader().load_service_model(service, "service-2"), service)


def check_parameters(service: str, operation: str, asked: Mapping[str, Any]) -> None:
    """Raise what boto3 raises for parameters that it refuses before sending."""
    shape: Any = model(service).operation_model(operation).input_shape
    report = ParamValidator().validate(asked, shape)
    if report.has_errors():
        raise ParamValidationError(report=report.generate_report())


@cache
def paginators(service: str) -> PaginatorModel:
    return PaginatorModel(Loader().load_service_model(service, "paginators-1"))


@cache
def waiters(service: str) -> WaiterModel:
    return WaiterModel(Loader().load_service_model(service, "waiters-2"))


@cache
def exceptions(service: str) -> Any:
    """Return what a client's `exceptions` is."""
    return ClientExceptionsFactory().create_client_exceptions(model(service))
