"""The errors of the service as boto3 raises them: one ClientError that carries a code."""

from typing import Any, cast

from botocore.exceptions import ClientError


def service_error(code: str, message: str, operation: str) -> ClientError:
    sent: Any = {"RequestId": "FAKE", "HostId": "", "HTTPStatusCode": 400, "HTTPHeaders": {}, "RetryAttempts": 0}
    return ClientError({"Error": {"Code": code, "Message": message}, "ResponseMetadata": sent}, operation)


class ConditionalCheckError(ClientError):
    """A client's `exceptions.ConditionalCheckFailedException`, with the existing item on request."""

    def __init__(self, operation: str, item: dict[str, Any] | None) -> None:
        code, message = "ConditionalCheckFailedException", "The conditional request failed"
        response: dict[str, Any] = {**service_error(code, message, operation).response}
        if item is not None:
            response["Item"] = item
        super().__init__(cast(Any, response), operation)


def validation_error(message: str, operation: str = "Scan") -> ClientError:
    return service_error("ValidationException", message, operation)


def not_found(message: str, operation: str = "Scan") -> ClientError:
    return service_error("ResourceNotFoundException", message, operation)
