"""What a failed request means, and what may be said of it: an answer of AWS may quote key values."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from botocore.exceptions import (
    ChecksumError,
    ClientError,
    ConnectionClosedError,
    ConnectionError,
    CredentialRetrievalError,
    HTTPClientError,
    IncompleteReadError,
    NoCredentialsError,
    ReadTimeoutError,
    TokenRetrievalError,
)
from botocore.parsers import ResponseParserError

from skipscan.aws.answer import CutAnswerError
from skipscan.errors import BatchError, DeniedError, SkipscanError
from skipscan.pace.backoff import Fault, throttling

LOST_ANSWERS = (
    ChecksumError,
    ConnectionError,
    CutAnswerError,
    HTTPClientError,
    IncompleteReadError,
    ResponseParserError,
)
THROTTLING = {
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
    "TooManyRequestsException",  # Lambda
    "RequestThrottled",  # SQS
    "KmsThrottled",  # SQS, of its queue's key
    "KMS.ThrottlingException",  # the same, in the words of SQS's older protocol, which boto3 hands out
}
KEY_ERRORS = ("AccessDenied", "Disabled", "InvalidState", "NotFound")
"""What a service answers of a key of KMS that it cannot use: `KMS.` in S3 and SQS, `KMS` in Lambda, `Kms` in SQS."""

DENIALS = {
    "403",  # of a HEAD, which has no body
    "AccessDenied",
    "AccessDeniedException",
    "AllAccessDisabled",
    "NoSuchBucket",
    "KMS.KMSInvalidStateException",
    *(f"{prefix}{error}Exception" for prefix in ("KMS.", "KMS") for error in KEY_ERRORS),
    *(f"Kms{error}" for error in KEY_ERRORS),
}
"""What the next attempt meets as well, until somebody grants, enables or creates something."""

CONFLICTS = {"TransactionConflictException", "ReplicatedWriteConflictException"}
"""Somebody else writes the same item at this moment."""


def fault(error: Exception) -> Fault:
    """Return what a failed request says about the next one. Engines word an error differently, its code is the same."""
    if isinstance(error, LOST_ANSWERS):
        return Fault.PASSING
    if not isinstance(error, ClientError):
        return Fault.FATAL
    code = error.response["Error"].get("Code")
    if code == "ValidationException":
        return Fault.INVALID
    if code in THROTTLING:
        said: Any = error.response
        # ThrottlingException spells it with a small letter (API reference, Scan, "Errors").
        reasons = said.get("ThrottlingReasons") or said.get("throttlingReasons") or ()
        return throttling(entry.get("reason", "") for entry in reasons)
    server_error = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) >= 500
    # Lambda answers 502 where a function's key is disabled: that is denied, and does not pass.
    passes = code in CONFLICTS or (server_error and code not in DENIALS)
    return Fault.PASSING if passes else Fault.FATAL


# Their texts name an address or a source of credentials, nothing of a request or an answer.
QUIET = (
    ConnectionClosedError,
    ConnectionError,
    CredentialRetrievalError,
    NoCredentialsError,
    ReadTimeoutError,
    TokenRetrievalError,
)


def is_denial(error: Exception) -> bool:
    """Tell whether AWS refused what it will refuse again."""
    return isinstance(error, ClientError) and str(error.response["Error"].get("Code")) in DENIALS


def is_of_key(error: ClientError) -> bool:
    """Tell whether what was refused is a key of KMS: S3 and DynamoDB call that by its message alone."""
    said = error.response["Error"]
    return "kms" in f"{said.get('Code')} {said.get('Message')}".lower()


def code_of(error: ClientError) -> str:
    """Return the code of what AWS refused; an empty one for what is no code."""
    code = str(error.response["Error"].get("Code"))
    return code if code.replace(".", "").isalnum() else ""


WAITED_FOR = "ContinuousBackupsUnavailableException"
"""What the state machine waits for by its name, in infra/state_machine.py."""


@contextmanager
def scrubbed() -> Iterator[None]:
    """Let no error out of a function whose words may hold a key value: Lambda logs it, and the execution shows it."""
    try:
        yield
    except Exception as error:
        is_own = type(error) is RuntimeError  # the kernel's own words, which Step Functions hears as they are
        if is_own or (isinstance(error, ClientError) and code_of(error) == WAITED_FOR):
            raise error from None
        raise scrub(error) from None


def scrub(error: Exception) -> Exception:
    """Return an error that ended a batch as it may be raised, logged and shown: free of key values.

    What AWS refused is named by its code alone, for its message may quote a key. The state machine tries it again like
    any other failure.
    """
    if isinstance(error, (SkipscanError, *QUIET)):
        return error
    if isinstance(error, ClientError):
        code = code_of(error)
        metadata: Any = error.response.get("ResponseMetadata", {})
        said = f"AWS refused {error.operation_name} with {code or 'an unknown code'}"
        said += f" (HTTP status {metadata.get('HTTPStatusCode')}, request {metadata.get('RequestId')})"
        if is_denial(error):
            way = "enable the KMS key that it needs, and allow kms:Decrypt on it"
            said += f": {way if is_of_key(error) else f'allow {error.operation_name} on what it is for'}"
            return DeniedError(said).with_traceback(error.__traceback__)
    else:
        said = f"a request failed: {type(error).__name__}"
    return BatchError(said).with_traceback(error.__traceback__)
