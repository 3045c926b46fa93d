"""What AWS's documentation says that AWS refuses, and no engine here does; each with the address of its page."""

from tests.fakes.hostile.refusal import Refusal

DOCS = "https://docs.aws.amazon.com"
DYNAMODB = f"{DOCS}/amazondynamodb/latest/APIReference"
ERRORS = f"{DOCS}/amazondynamodb/latest/developerguide/Programming.Errors.html"
REASONS = f"{DYNAMODB}/API_ThrottlingReason.html"
S3 = f"{DOCS}/AmazonS3/latest"
S3_ERRORS = f"{S3}/API/ErrorResponses.html"
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

PASSING = {
    "DynamoDB has an internal error": Refusal("dynamodb", "InternalServerError", 500, ERRORS),
    "DynamoDB is unavailable": Refusal("dynamodb", "ServiceUnavailable", 503, ERRORS),
    "DynamoDB does not know a valid token": Refusal(
        "dynamodb",
        "UnrecognizedClientException",
        400,
        ERRORS,
        "The security token included in the request is invalid.",
    ),
    "somebody else writes the item": Refusal(
        "dynamodb", "TransactionConflictException", 400, f"{DYNAMODB}/API_UpdateItem.html"
    ),
    "the table is being created or deleted": Refusal(
        "dynamodb", "ResourceInUseException", 400, f"{DYNAMODB}/API_CreateTable.html"
    ),
    "fifty tables are being created": Refusal(
        "dynamodb", "LimitExceededException", 400, f"{DYNAMODB}/API_CreateTable.html"
    ),
    "backups are being enabled": Refusal(
        "dynamodb",
        "ContinuousBackupsUnavailableException",
        400,
        f"{DYNAMODB}/API_UpdateContinuousBackups.html",
        "Backups are being enabled for the table: T-2. Please retry later",
    ),
    "the table was created a moment ago": Refusal(
        "dynamodb", "ResourceNotFoundException", 400, f"{DYNAMODB}/API_DescribeTable.html"
    ),
    "S3 wants fewer requests": Refusal("s3", "SlowDown", 503, S3_ERRORS, "Please reduce your request rate."),
    "S3 has an internal error": Refusal("s3", "InternalError", 500, S3_ERRORS, "We encountered an internal error."),
    "another conditional put is under way": Refusal(
        "s3", "ConditionalRequestConflict", 409, f"{S3}/userguide/conditional-writes.html"
    ),
    "the account's concurrency is used up": _no_slot("ConcurrentInvocationLimitExceeded"),
    "the function's reserved concurrency is used up": _no_slot("ReservedFunctionConcurrentInvocationLimitExceeded"),
    "functions are invoked too often": _no_slot("FunctionInvocationRateLimitExceeded"),
    "the caller invokes too often": _no_slot("CallerRateLimitExceeded"),
    "the function's network is set up too often": Refusal(
        "lambda", "EC2ThrottledException", 502, f"{LAMBDA}/API_Invoke.html"
    ),
    "Lambda has an internal error": Refusal("lambda", "ServiceException", 500, f"{LAMBDA}/API_Invoke.html"),
    "SQS wants fewer requests": Refusal("sqs", "RequestThrottled", 400, SQS),
    "the queue's key is used too often": Refusal("sqs", "KmsThrottled", 400, SQS, query="KMS.ThrottlingException"),
    "Step Functions wants fewer requests": Refusal(
        "stepfunctions", "ThrottlingException", 400, f"{STATES}/dg/service-quotas.html", "Rate exceeded"
    ),
}
"""What another attempt may find otherwise."""

FINAL = {
    "a put found the object there": Refusal("s3", "PreconditionFailed", 412, f"{S3}/userguide/conditional-writes.html"),
    "the object is not there, or may not be listed": Refusal(
        "s3", "AccessDenied", 403, f"{S3}/API/API_HeadObject.html", "Access Denied"
    ),
    "the bucket is gone": Refusal("s3", "NoSuchBucket", 404, S3_ERRORS),
    "the results' key is disabled": Refusal(
        "s3", "KMS.DisabledException", 400, f"{DOCS}/kms/latest/developerguide/key-state.html"
    ),
    "the results' key may not be used": Refusal(
        "s3",
        "AccessDenied",
        403,
        f"{S3}/userguide/troubleshoot-403-errors.html",
        "User: … is not authorized to perform: kms:GenerateDataKey on the resource associated with this ciphertext",
    ),
    "the table's key may not be used": Refusal(
        "dynamodb",
        "AccessDeniedException",
        400,
        f"{DOCS}/amazondynamodb/latest/developerguide/encryption.usagenotes.html",
        "KMS key access denied error: … is not authorized to perform: kms:Decrypt",
    ),
    "the table may not be used": Refusal("dynamodb", "AccessDeniedException", 400, ERRORS, "is not authorized"),
    "the new table's key may not be used": Refusal(
        "dynamodb",
        "AccessDeniedException",
        400,
        f"{DOCS}/amazondynamodb/latest/developerguide/encryption.usagenotes.html",
        "User: … is not authorized to perform: kms:CreateGrant on this resource",
    ),
    "the table is gone": Refusal("dynamodb", "ResourceNotFoundException", 400, ERRORS, "Requested resource not found"),
    "the target's key is disabled": Refusal("lambda", "KMSDisabledException", 502, f"{LAMBDA}/API_Invoke.html"),
    "the target function is gone": Refusal("lambda", "ResourceNotFoundException", 404, f"{LAMBDA}/API_Invoke.html"),
    "the target function may not be invoked": Refusal(
        "lambda", "AccessDeniedException", 403, f"{LAMBDA}/CommonErrors.html"
    ),
    "the account's settings may not be read": Refusal(
        "lambda", "AccessDeniedException", 403, f"{LAMBDA}/CommonErrors.html"
    ),
    "the queue's key is disabled": Refusal("sqs", "KmsDisabled", 400, SQS, query="KMS.DisabledException"),
    "the queue's key may not be used": Refusal("sqs", "KmsAccessDenied", 400, SQS, query="KMS.AccessDeniedException"),
    "the queue is gone": Refusal("sqs", "QueueDoesNotExist", 400, SQS, query="AWS.SimpleQueueService.NonExistentQueue"),
    "the price list may not be read": Refusal(
        "pricing",
        "AccessDeniedException",
        400,
        f"{DOCS}/aws-cost-management/latest/APIReference/API_pricing_GetProducts.html",
    ),
    "executions may not be listed": Refusal(
        "stepfunctions", "AccessDeniedException", 400, f"{STATES}/apireference/CommonErrors.html"
    ),
    "keys do not allow DescribeTable": Refusal(
        "kms", "AccessDeniedException", 400, f"{DOCS}/kms/latest/APIReference/CommonErrors.html"
    ),
}
"""Refusals that the next attempt meets, too, until a person grants, enables or creates something."""

ALL = {**THROTTLES, **PASSING, **FINAL}
