"""Each refusal has a page, and is what boto3 would raise."""

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.faults import fault, is_denial, is_of_key, scrub
from skipscan.errors import DeniedError
from skipscan.pace.pace import Fault
from tests.fakes.hostile.documented import ALL, DOCS, FINAL, PASSING, THROTTLES
from tests.fakes.hostile.refusal import Refusal
from tests.refusal import check_refusal

OPERATIONS = {
    "dynamodb": "Scan",
    "kms": "DescribeKey",
    "lambda": "Invoke",
    "pricing": "GetProducts",
    "s3": "PutObject",
    "sqs": "SendMessageBatch",
    "stepfunctions": "DescribeExecution",
}


def error(refusal: Refusal) -> ClientError:
    return refusal.error(OPERATIONS[refusal.service])


@pytest.mark.parametrize("name", ALL)
def test_a_refusal_names_its_page_and_comes_as_boto3_raises_it(name: str) -> None:
    refusal = ALL[name]
    assert refusal.page.startswith(f"{DOCS}/")
    assert refusal.page.endswith(".html")
    raised = error(refusal)
    assert raised.response["ResponseMetadata"]["HTTPStatusCode"] == refusal.status
    assert raised.response["Error"]["Code"] in {refusal.code, refusal.query}


@pytest.mark.parametrize("name", THROTTLES)
def test_throttling_concerns_the_walk_where_its_reason_is_a_key_range_and_all_walks_else(name: str) -> None:
    """`ThrottlingException` spells the field with its reasons otherwise than the two older exceptions do."""
    assert fault(error(THROTTLES[name])) is (Fault.KEY_RANGE if "KeyRange" in name else Fault.CAPACITY)


# Of requests that no batch makes: the machine's retriers see to these, or a plan does without an answer.
NOT_OF_BATCHES = {"ResourceInUseException", "LimitExceededException", "ContinuousBackupsUnavailableException"}


@pytest.mark.parametrize("name", PASSING)
def test_what_may_pass_ends_no_batch(name: str) -> None:
    refusal = PASSING[name]
    if refusal.service == "s3" or refusal.code in {*NOT_OF_BATCHES, "ResourceNotFoundException"}:
        assert not is_denial(error(refusal))
    else:
        assert fault(error(refusal)) in {Fault.PASSING, Fault.CAPACITY}


# DynamoDB and Lambda have one code for what is gone; each caller words it. A put that came second is no mistake.
NO_DENIAL = {"PreconditionFailed", "ResourceNotFoundException"}


@pytest.mark.parametrize(("code", "expected"), [("Throttling", Fault.CAPACITY), ("RequestTimeout", Fault.PASSING)])
def test_a_client_repeats_what_passes_with_status_400(code: str, expected: Fault) -> None:
    """CloudFormation, CloudWatch and STS throttle with the first; S3 says the second of a body that stopped."""
    refused = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": 400}}
    assert fault(ClientError(refused, "PutObject")) is expected  # type: ignore[arg-type]


@pytest.mark.parametrize("name", FINAL)
def test_a_denied_request_ends_a_batch_with_a_denied_error(name: str) -> None:
    refused = error(FINAL[name])
    assert is_denial(refused) == (FINAL[name].code not in NO_DENIAL)
    assert fault(refused) is Fault.FATAL


@pytest.mark.parametrize("name", FINAL)
def test_a_refused_kms_key_differs_from_a_missing_permission(name: str) -> None:
    """DynamoDB and S3 say by the message alone that it is the key, and by the code of any other denial."""
    assert is_of_key(error(FINAL[name])) == ("'s key " in name or "' key " in name)


def test_a_queue_that_is_gone_is_to_be_created() -> None:
    """The queue of a copy: the error names no field."""
    raised = scrub(error(FINAL["the queue is gone"]))
    check_refusal(
        raised, DeniedError, "AWS", rule="SendMessageBatch with AWS.SimpleQueueService", way="^create the queue"
    )
