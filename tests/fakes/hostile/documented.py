"""What AWS's documentation says that AWS refuses, and no engine here does; each with the address of its page."""

from tests.fakes.hostile.refusal import Refusal

DOCS = "https://docs.aws.amazon.com"
DYNAMODB = f"{DOCS}/amazondynamodb/latest/APIReference"
ERRORS = f"{DOCS}/amazondynamodb/latest/developerguide/Programming.Errors.html"
REASONS = f"{DYNAMODB}/API_ThrottlingReason.html"
S3 = f"{DOCS}/AmazonS3/latest"
CONDITIONAL = "userguide/conditional-writes.html"
ENCRYPTION = f"{DOCS}/amazondynamodb/latest/developerguide/encryption.usagenotes.html"
NOT_AUTHORIZED = "User: … is not authorized to perform:"
LAMBDA = f"{DOCS}/lambda/latest/api"
SQS = f"{DOCS}/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html"
STATES = f"{DOCS}/step-functions/latest"

LIMITS = ("ProvisionedThroughputExceeded", "AccountLimitExceeded", "KeyRangeThroughputExceeded")
ON_DEMAND = "MaxOnDemandThroughputExceeded"
KINDS = {
    # The name of the field differs between them, see the API reference of each exception.
    "ProvisionedThroughputExceededException": "ThrottlingReasons",
    "RequestLimitExceeded": "ThrottlingReasons",
    "ThrottlingException": "throttlingReasons",
}


def throttled(code: str, *reasons: str) -> Refusal:
    """Return how DynamoDB throttles, for reasons like `TableReadKeyRangeThroughputExceeded`."""
    arn = "arn:aws:dynamodb:us-east-1:123456789012:table/T-1"
    said = {KINDS[code]: [{"reason": reason, "resource": arn} for reason in reasons]} if reasons else {}
    return Refusal(
        "dynamodb", code, 400, REASONS if reasons else ERRORS, "Throughput exceeds the current capacity", said
    )


def _no_slot(reason: str) -> Refusal:
    said = {"Reason": reason, "Type": "User"}
    return Refusal("lambda", "TooManyRequestsException", 429, f"{LAMBDA}/API_Invoke.html", "Rate Exceeded.", said)


THROTTLES = {
    f"{code} {kind}{what}{limit}": throttled(code, f"{kind}{what}{limit}")
    for code in KINDS
    for kind in ("Table", "Index")
    for what in ("Read", "Write")
    for limit in (*LIMITS, ON_DEMAND)
} | {f"{code} without a reason": throttled(code) for code in KINDS}


def _dynamodb(code: str, page: str, message: str = "refused", status: int = 400) -> Refusal:
    return Refusal("dynamodb", code, status, page, message)


def _s3(code: str, status: int, page: str = "API/ErrorResponses.html", message: str = "refused") -> Refusal:
    return Refusal("s3", code, status, f"{S3}/{page}", message)


def _lambda(code: str, status: int, page: str = "API_Invoke.html") -> Refusal:
    return Refusal("lambda", code, status, f"{LAMBDA}/{page}")


def _sqs(code: str, query: str = "") -> Refusal:
    return Refusal("sqs", code, 400, SQS, query=query)


def _denied(service: str, page: str) -> Refusal:
    return Refusal(service, "AccessDeniedException", 400, page)


PASSING = {
    "DynamoDB has an internal error": _dynamodb("InternalServerError", ERRORS, status=500),
    "DynamoDB is unavailable": _dynamodb("ServiceUnavailable", ERRORS, status=503),
    "DynamoDB does not know a valid token": _dynamodb(
        "UnrecognizedClientException", ERRORS, "The security token included in the request is invalid."
    ),
    "somebody else writes the item": _dynamodb("TransactionConflictException", f"{DYNAMODB}/API_UpdateItem.html"),
    "the table is being created or deleted": _dynamodb("ResourceInUseException", f"{DYNAMODB}/API_CreateTable.html"),
    "fifty tables are being created": _dynamodb("LimitExceededException", f"{DYNAMODB}/API_CreateTable.html"),
    "backups are being enabled": _dynamodb(
        "ContinuousBackupsUnavailableException",
        f"{DYNAMODB}/API_UpdateContinuousBackups.html",
        "Backups are being enabled for the table: T-2. Please retry later",
    ),
    "the table was created a moment ago": _dynamodb("ResourceNotFoundException", f"{DYNAMODB}/API_DescribeTable.html"),
    "S3 wants fewer requests": _s3("SlowDown", 503, message="Please reduce your request rate."),
    "S3 has an internal error": _s3("InternalError", 500, message="We encountered an internal error."),
    "another conditional put is under way": _s3("ConditionalRequestConflict", 409, CONDITIONAL),
    "the account's concurrency is used up": _no_slot("ConcurrentInvocationLimitExceeded"),
    "the function's reserved concurrency is used up": _no_slot("ReservedFunctionConcurrentInvocationLimitExceeded"),
    "functions are invoked too often": _no_slot("FunctionInvocationRateLimitExceeded"),
    "the caller invokes too often": _no_slot("CallerRateLimitExceeded"),
    "the function's network is set up too often": _lambda("EC2ThrottledException", 502),
    "Lambda has an internal error": _lambda("ServiceException", 500),
    "SQS wants fewer requests": _sqs("RequestThrottled"),
    "the queue's key is used too often": _sqs("KmsThrottled", "KMS.ThrottlingException"),
    "Step Functions wants fewer requests": Refusal(
        "stepfunctions", "ThrottlingException", 400, f"{STATES}/dg/service-quotas.html", "Rate exceeded"
    ),
}
"""What another attempt may find otherwise."""

FINAL = {
    "a put found the object there": _s3("PreconditionFailed", 412, CONDITIONAL),
    "the object is not there, or may not be listed": _s3(
        "AccessDenied", 403, "API/API_HeadObject.html", "Access Denied"
    ),
    "the bucket is gone": _s3("NoSuchBucket", 404),
    "the results' key is disabled": Refusal(
        "s3", "KMS.DisabledException", 400, f"{DOCS}/kms/latest/developerguide/key-state.html"
    ),
    "the results' key may not be used": _s3(
        "AccessDenied",
        403,
        "userguide/troubleshoot-403-errors.html",
        f"{NOT_AUTHORIZED} kms:GenerateDataKey on the resource associated with this ciphertext",
    ),
    "the table's key may not be used": _dynamodb(
        "AccessDeniedException", ENCRYPTION, "KMS key access denied error: … is not authorized to perform: kms:Decrypt"
    ),
    "the table may not be used": _dynamodb("AccessDeniedException", ERRORS, "is not authorized"),
    "the new table's key may not be used": _dynamodb(
        "AccessDeniedException", ENCRYPTION, f"{NOT_AUTHORIZED} kms:CreateGrant on this resource"
    ),
    "the table is gone": _dynamodb("ResourceNotFoundException", ERRORS, "Requested resource not found"),
    "the target's key is disabled": _lambda("KMSDisabledException", 502),
    "the target function is gone": _lambda("ResourceNotFoundException", 404),
    "the target function may not be invoked": _lambda("AccessDeniedException", 403, "CommonErrors.html"),
    "the account's settings may not be read": _lambda("AccessDeniedException", 403, "CommonErrors.html"),
    "the queue's key is disabled": _sqs("KmsDisabled", "KMS.DisabledException"),
    "the queue's key may not be used": _sqs("KmsAccessDenied", "KMS.AccessDeniedException"),
    "the queue is gone": _sqs("QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue"),
    "the price list may not be read": _denied(
        "pricing", f"{DOCS}/aws-cost-management/latest/APIReference/API_pricing_GetProducts.html"
    ),
    "executions may not be listed": _denied("stepfunctions", f"{STATES}/apireference/CommonErrors.html"),
    "keys do not allow DescribeTable": _denied("kms", f"{DOCS}/kms/latest/APIReference/CommonErrors.html"),
}
"""Refusals that the next attempt meets, too, until a person grants, enables or creates something."""

ALL = {**THROTTLES, **PASSING, **FINAL}
