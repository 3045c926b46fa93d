"""The errors of the service as boto3 raises them: one ClientError that carries a code."""

from botocore.exceptions import ClientError


def service_error(code: str, message: str, operation: str) -> ClientError:
    return ClientError(
        {
            "Error": {"Code": code, "Message": message},
            "ResponseMetadata": {
                "RequestId": "FAKE",
                "HostId": "",
                "HTTPStatusCode": 400,
                "HTTPHeaders": {},
                "RetryAttempts": 0,
            },
        },
        operation,
    )


def validation_error(message: str, operation: str = "Scan") -> ClientError:
    return service_error("ValidationException", message, operation)


def not_found(message: str, operation: str = "Scan") -> ClientError:
    return service_error("ResourceNotFoundException", message, operation)
