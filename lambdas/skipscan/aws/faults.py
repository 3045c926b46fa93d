"""The meaning of failed requests, and what messages may say of them: an answer of AWS may quote key values."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from botocore import exceptions
from botocore.parsers import ResponseParserError

from skipscan.aws.answer import CutAnswerError
from skipscan.errors import BatchError, DeniedError, SkipscanError, TableError
from skipscan.pace.pace import Fault, throttling

LOST_ANSWERS = (
    exceptions.ChecksumError,
    exceptions.ConnectionError,
    CutAnswerError,
    exceptions.HTTPClientError,
    exceptions.IncompleteReadError,
    ResponseParserError,
)
THROTTLING = {
    "ProvisionedThroughputExceededException",
    "Throttling",  # CloudFormation, CloudWatch, STS
    "ThrottlingException",
    "RequestLimitExceeded",
    "TooManyRequestsException",  # Lambda
    "RequestThrottled",  # SQS
    "KmsThrottled",  # SQS, about its queue's key
    "KMS.ThrottlingException",  # the same in SQS's older protocol, whose names boto3 returns
}
KEY_ERRORS = ("AccessDenied", "Disabled", "InvalidState", "NotFound")
"""The prefixes of codes for a KMS key that cannot be used: `KMS.` in S3 and SQS, `KMS` in Lambda, `Kms` in SQS."""

NO_QUEUE = {"QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue"}
"""SQS's code for a queue that does not exist, and its name in the older protocol, which boto3 returns."""

DENIALS = {
    "403",  # of a HEAD, which has no body
    "AccessDenied",
    "AccessDeniedException",
    "AllAccessDisabled",
    "NoSuchBucket",
    *NO_QUEUE,
    "KMS.KMSInvalidStateException",
    *(f"{prefix}{error}Exception" for prefix in ("KMS.", "KMS") for error in KEY_ERRORS),
    *(f"Kms{error}" for error in KEY_ERRORS),
}
"""Refusals that repeat until a person grants, enables or creates something."""

REFUSED = {"ValidationException", "ItemCollectionSizeLimitExceededException"}
"""Refusals of what one request asks: it is invalid, or its item collection is full (10 GB, on a table with a local
index). They say nothing about other requests."""

CONFLICTS = {"TransactionConflictException", "ReplicatedWriteConflictException"}
"""Another transaction or request is writing the same item."""

UNRECOGNIZED = "UnrecognizedClientException"
"""DynamoDB's answer to an invalid token, and once in millions of requests to a valid one: its developer guide says to
retry ("Error handling with DynamoDB"; https://github.com/boto/boto3/issues/509)."""

SLOW = "RequestTimeout"
"""S3's answer, with status 400, when it waited too long for the next bytes of a request."""


def fault(error: Exception) -> Fault:
    """Classify a failed request. Engines word errors differently, but their codes are the same."""
    if isinstance(error, LOST_ANSWERS):
        return Fault.PASSING
    if not isinstance(error, exceptions.ClientError):
        return Fault.FATAL
    code = error.response["Error"].get("Code")
    if code in REFUSED:
        return Fault.INVALID
    if code in THROTTLING:
        said: Any = error.response
        # ThrottlingException spells it with a small letter (API reference, Scan, "Errors").
        reasons = said.get("ThrottlingReasons") or said.get("throttlingReasons") or ()
        return throttling(entry.get("reason", "") for entry in reasons)
    server_error = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) >= 500
    # Lambda answers 502 if a function's key is disabled: access is denied until the key is enabled.
    passes = code in {*CONFLICTS, UNRECOGNIZED, SLOW} or (server_error and code not in DENIALS)
    return Fault.PASSING if passes else Fault.FATAL


def fault_of_entry(code: str) -> Fault:
    """Classify an entry of a batch that the service may take later."""
    return Fault.CAPACITY if code in THROTTLING else Fault.PASSING


# Their texts name an address or a source of credentials, nothing of a request or an answer.
QUIET = (
    exceptions.ConnectionClosedError,
    exceptions.ConnectionError,
    exceptions.CredentialRetrievalError,
    exceptions.NoCredentialsError,
    exceptions.ReadTimeoutError,
    exceptions.RefreshWithMFAUnsupportedError,
    exceptions.SSOError,
    exceptions.TokenRetrievalError,
    # Of `aws login`. The botocore of Lambda's runtime may be older than that.
    getattr(exceptions, "LoginError", exceptions.SSOError),
)


def is_denial(error: Exception) -> bool:
    """Return whether AWS would refuse the request again."""
    return isinstance(error, exceptions.ClientError) and str(error.response["Error"].get("Code")) in DENIALS


def is_gone(error: Exception) -> bool:
    """Return whether a request names a queue, a function or a table that does not exist."""
    return isinstance(error, exceptions.ClientError) and code_of(error) in {*NO_QUEUE, VANISHED}


def is_of_key(error: exceptions.ClientError) -> bool:
    """Return whether a key of KMS was refused; S3 and DynamoDB show that only in the message."""
    said = error.response["Error"]
    return "kms" in f"{said.get('Code')} {said.get('Message')}".lower()


def code_of(error: exceptions.ClientError) -> str:
    """Return the code of a refusal; an empty one if it is not a code."""
    code = str(error.response["Error"].get("Code", ""))
    return code if code.replace(".", "").isalnum() else ""


def name_of(error: Exception) -> str:
    """Return an error's code or class, because its text may hold key values."""
    if isinstance(error, exceptions.ClientError):
        return code_of(error) or "ClientError"
    return type(error).__name__


PERMISSION = re.compile(
    r"User: arn:[\w:/+=,.@-]+ is not authorized to perform: \w+:\w+"
    r"(?: on resource: \"?arn:[\w:/+=,.@*-]+\"?)?"
    r"(?: (?:because no [\w-]+ policy allows the \w+:\w+ action|with an explicit deny in an? [\w-]+ policy))?"
)
"""AWS's sentence about who lacks which permission on which resource, and why: names alone, and so no key value (IAM
User Guide, "Troubleshoot access denied error messages")."""

VANISHED = "ResourceNotFoundException"
"""DynamoDB's answer about a table that does not exist (Plan found it, so somebody has deleted it since), and Lambda's
about a function."""

OF_ITEMS = {"DeleteItem", "GetItem", "PutItem", "Query", "Scan", "UpdateItem"}
"""The requests that name a table. Other services have an error of the same name."""

WAITED_FOR = "ContinuousBackupsUnavailableException"
"""The error whose name a retrier of the state machine waits for."""


@contextmanager
def scrubbed() -> Iterator[None]:
    """Let no error leave a function whose text may hold a key value: Lambda logs it, and the execution shows it."""
    try:
        yield
    except Exception as error:
        is_own = type(error) is RuntimeError  # the kernel's own words, which are safe
        if is_own or (isinstance(error, exceptions.ClientError) and code_of(error) == WAITED_FOR):
            raise error from None
        raise scrub(error) from None


def scrub(error: Exception) -> Exception:
    """Return an error that ended a batch in a form that may be raised, logged and shown: without key values.

    A refusal of AWS is reduced to its code, because its message may quote a key. The state machine retries it like any
    other failure.
    """
    if isinstance(error, (SkipscanError, *QUIET)):
        return error
    if isinstance(error, exceptions.ClientError):
        code = code_of(error)
        if code == VANISHED and error.operation_name in OF_ITEMS:
            rule = f"answered {error.operation_name} with {code}: the table was deleted, or an index of it was"
            way = "start again on a table that exists"
            return TableError("DynamoDB", rule=rule, remedy=way).with_traceback(error.__traceback__)
        metadata: Any = error.response.get("ResponseMetadata", {})
        rule = f"refused {error.operation_name} with {code or 'an unknown code'}"
        rule += f" (HTTP status {metadata.get('HTTPStatusCode')}, request {metadata.get('RequestId')})"
        if is_denial(error):
            way = f"allow {error.operation_name} on its resource"
            if code in NO_QUEUE:
                way = "create the queue again"
            elif is_of_key(error):
                way = "enable its KMS key, and allow kms:Decrypt on that key"
            sentence = PERMISSION.search(str(error.response["Error"].get("Message")))
            rule += f": {sentence[0]}" if sentence else ""
            return DeniedError("AWS", rule=rule, remedy=way).with_traceback(error.__traceback__)
        return BatchError("AWS", rule=rule, remedy="").with_traceback(error.__traceback__)
    return BatchError("a request", rule=f"failed: {type(error).__name__}", remedy="").with_traceback(
        error.__traceback__
    )
