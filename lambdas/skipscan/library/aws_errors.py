"""Errors of AWS, of the connection and of the settings of AWS in words for people, each with the way out.

Not for requests that read keys: their errors may quote one, and are scrubbed (`skipscan.aws.faults`).
"""

from collections.abc import Iterator
from contextlib import contextmanager

from botocore import exceptions

from skipscan.aws.answer import ForeignAnswerError
from skipscan.aws.faults import is_denial
from skipscan.errors import BatchError, DeniedError, SkipscanError
from skipscan.library.parquet import install

_UNKNOWN = (
    "AWS does not know these credentials; check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or "
    "name another profile: `aws sts get-caller-identity` shows whose they are"
)
_SIGNED_WRONGLY = "check AWS_SECRET_ACCESS_KEY, or the profile's, and this machine's clock"
_UNREACHED = "check the region, AWS_ENDPOINT_URL, AWS_CA_BUNDLE, the proxy and the network"

CODES = {
    "AuthFailure": _UNKNOWN,
    "InvalidAccessKeyId": _UNKNOWN,
    "InvalidClientTokenId": _UNKNOWN,
    "InvalidSignatureException": _SIGNED_WRONGLY,
    "RequestTimeTooSkewed": _SIGNED_WRONGLY,
    "SignatureDoesNotMatch": _SIGNED_WRONGLY,
    "UnrecognizedClientException": _UNKNOWN,
}
"""What to do about unusable credentials (IAM API reference, "Common errors"; S3 API reference, "Error responses")."""


def translated(error: Exception) -> SkipscanError | None:
    """Return the error as one of ours; `None` for an error of another kind."""
    if isinstance(error, exceptions.ClientError):
        said = error.response.get("Error", {})
        code, message = said.get("Code") or "no code", said.get("Message") or "no message"
        kind = DeniedError if is_denial(error) else BatchError
        rule = f"failed with {code}: {message.removesuffix('.')}"
        return kind(error.operation_name, rule=rule, remedy=CODES.get(code, ""))
    if not isinstance(error, (exceptions.BotoCoreError, ForeignAnswerError)):
        return None
    text, way = str(error).removesuffix("."), ""
    match error:
        case exceptions.NoCredentialsError():
            text = "AWS credentials are missing"
            way = "run `aws configure`, set AWS_PROFILE, or give --profile (in Python: session=)"
        case exceptions.NoRegionError():
            text, way = "the AWS region is missing", "set AWS_REGION, or give --region (in Python: session=)"
        case exceptions.ProfileNotFound():
            way = "`aws configure list-profiles` lists those that exist"
        case exceptions.MissingDependencyException():
            text = "credentials of `aws login` need awscrt, which is missing"
            way = f"`{install('awscrt')}`, or install skipscan[login]"
        case exceptions.ConnectionError():
            way = _UNREACHED
    return BatchError(text, rule="", remedy=way)


@contextmanager
def translating() -> Iterator[None]:
    """Raise such an error as one of ours, which it caused."""
    try:
        yield
    except Exception as error:
        ours = translated(error)
        if ours is None:
            raise
        raise ours from error
