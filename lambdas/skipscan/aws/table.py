"""A DynamoDB table as a run reads it: described once, then scanned page by page."""

from typing import TYPE_CHECKING, Any

from botocore.exceptions import (
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

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import InputError, TableError
from skipscan.inputs.names import TABLE_ARN
from skipscan.pace.backoff import Fault, throttling
from skipscan.scan.batch import Request
from skipscan.scan.plan import Plan

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def describe(client: "DynamoDBClient", table: str) -> TableDescription:
    """Return what DescribeTable says of a table; raise `TableError` where there is none to be had.

    Raises `InputError` for the ARN of another region, which DynamoDB would not even look for.
    """
    arn = TABLE_ARN.fullmatch(table)
    if arn and arn["region"] != client.meta.region_name:
        raise InputError(
            f'table is "{table}"; a run reads tables of its own region, {client.meta.region_name}: start it in the '
            "table's region"
        )
    try:
        return TableDescription.from_json(client.describe_table(TableName=table)["Table"])
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code == "ResourceNotFoundException":
            raise TableError(
                f'table is "{table}"; there is no such table in {client.meta.region_name}: '
                "check the name, the region and the account"
            ) from None
        if code == "AccessDeniedException":
            raise TableError(
                f'table is "{table}"; it may not be described with these credentials: allow dynamodb:DescribeTable and '
                "dynamodb:Scan on it (a deployed environment: add it to the environment's tables in cdk.json and "
                "deploy again)"
            ) from None
        if code == "ValidationException":
            raise TableError(
                f'table is "{table}"; DynamoDB in {client.meta.region_name} takes no such name: correct it'
            ) from None
        raise


def has_recovery(client: "DynamoDBClient", table: str) -> bool | None:
    """Tell whether a table can be restored to any second of its last weeks; `None` where that cannot be asked."""
    try:
        answer = client.describe_continuous_backups(TableName=table)["ContinuousBackupsDescription"]
    except ClientError:
        return None
    return answer.get("PointInTimeRecoveryDescription", {}).get("PointInTimeRecoveryStatus") == "ENABLED"


class Table:
    """Scans one source the way its plan says. Safe to use from several threads."""

    def __init__(self, client: "DynamoDBClient", plan: Plan) -> None:
        self._scan = client.scan
        source = plan.source
        names = {f"#k{number}": name for number, name in enumerate(source.projected)}
        self._asked: dict[str, Any] = {
            "TableName": source.table,
            "TotalSegments": plan.segments,
            # Placeholders, because a key attribute may have a reserved word, a dot or a dash in its name.
            "ProjectionExpression": ",".join(names),
            "ExpressionAttributeNames": names,
            "ReturnConsumedCapacity": "TOTAL",
        }
        if source.index is not None:
            self._asked["IndexName"] = source.index
        if plan.consistent_read:
            self._asked["ConsistentRead"] = True

    def scan(self, request: Request) -> Page:
        asked = {**self._asked, "Segment": request.segment}
        if request.start_key is not None:
            asked["ExclusiveStartKey"] = request.start_key
        if request.limit is not None:
            asked["Limit"] = request.limit
        answer = self._scan(**asked)
        return Page(answer["Items"], answer.get("LastEvaluatedKey"), answer["ConsumedCapacity"]["CapacityUnits"])


LOST_ANSWERS = (ConnectionError, HTTPClientError, IncompleteReadError, ResponseParserError)
THROTTLING = {
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
    "TooManyRequestsException",  # Lambda
    "RequestThrottled",  # SQS
}
CONFLICTS = {"TransactionConflictException", "ReplicatedWriteConflictException"}
"""Somebody else writes the same item at this moment."""


def fault(error: Exception) -> Fault:
    """Return what a failed Scan says about the next one. Engines word an error differently, its code is the same."""
    if isinstance(error, LOST_ANSWERS):
        return Fault.PASSING
    if not isinstance(error, ClientError):
        return Fault.FATAL
    code = error.response["Error"].get("Code")
    if code == "ValidationException":
        return Fault.INVALID
    if code in CONFLICTS:
        return Fault.PASSING
    if code in THROTTLING:
        said: Any = error.response
        return throttling(entry.get("reason", "") for entry in said.get("ThrottlingReasons") or ())
    server_error = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) >= 500
    return Fault.PASSING if server_error else Fault.FATAL


class ScanError(Exception):
    """A Scan that failed for good, told by its code alone: what DynamoDB says may quote a start key.

    The state machine tries it again like any other failure.
    """


# Their texts name an address or a source of credentials, nothing of a request or an answer.
QUIET = (
    ConnectionClosedError,
    ConnectionError,
    CredentialRetrievalError,
    NoCredentialsError,
    ReadTimeoutError,
    TokenRetrievalError,
)


def without_values(error: Exception) -> Exception:
    """Return an error that ended a walk as it may be raised, logged and shown: free of key values."""
    if isinstance(error, QUIET):
        return error
    if not isinstance(error, ClientError):
        said = f"a page could not be read: {type(error).__name__}"
    else:
        code = str(error.response["Error"].get("Code"))
        metadata: Any = error.response.get("ResponseMetadata", {})
        said = f"DynamoDB refused a Scan with {code if code.isalnum() else 'an unknown code'}"
        said += f" (HTTP status {metadata.get('HTTPStatusCode')}, request {metadata.get('RequestId')})"
        if code == "AccessDeniedException":
            said += ": allow dynamodb:Scan on the table or index"
    return ScanError(said).with_traceback(error.__traceback__)
