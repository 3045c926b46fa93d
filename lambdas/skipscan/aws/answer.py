"""Checks that answers are complete, and reads Scan's answers without botocore's parser.

botocore returns an answer with HTTP status 200 and a truncated body as if it were empty. A missing field proves
nothing: every call asks for the units it consumed, so an answer without units is not an answer.

The same holds for every other service: botocore reads a proxy's web page with status 200 as an empty answer, which
looks like an empty list of objects, or like a successful put.

botocore visits every attribute of an answer to convert it to its modelled type: four fifths of the time of a long page.
But except for binary values, the JSON already has the form that boto3 returns.
"""

import json
from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from botocore.parsers import ResponseParserError

from skipscan.dynamodb.page import Page


class ForeignAnswerError(ResponseParserError):
    """An answer with status 200 that did not come from the service. The error's text quotes nothing of it."""


class CutAnswerError(Exception):
    """A truncated answer. The request may have been carried out; try again."""


ALWAYS: dict[str, dict[str, tuple[str, ...]]] = {
    "cloudformation": {"DescribeStacks": ("Stacks",), "ListStacks": ("StackSummaries",)},
    "cloudwatch": {"GetMetricStatistics": ("Label", "Datapoints")},
    "dynamodb": {
        "CreateTable": ("TableDescription",),
        "DescribeContinuousBackups": ("ContinuousBackupsDescription",),
        "DescribeTable": ("Table",),
        "DescribeTimeToLive": ("TimeToLiveDescription",),
        "ListTables": ("TableNames",),
        "ListTagsOfResource": ("Tags",),
        # Without these an answer of another call would be a page without items, which ends a segment.
        "Query": ("Count", "ScannedCount"),
        "Scan": ("Count", "ScannedCount"),
        "UpdateContinuousBackups": ("ContinuousBackupsDescription",),
    },
    "dynamodbstreams": {
        "DescribeStream": ("StreamDescription",),
        "GetRecords": ("Records",),
        "GetShardIterator": ("ShardIterator",),
    },
    "kms": {"DescribeKey": ("KeyMetadata",)},
    "lambda": {
        "GetAccountSettings": ("AccountLimit",),
        "GetEventSourceMapping": ("UUID", "State"),
        "ListEventSourceMappings": ("EventSourceMappings",),
        "UpdateEventSourceMapping": ("UUID",),
    },
    "pricing": {"GetProducts": ("PriceList",)},
    "s3": {
        "GetObject": ("ETag", "ContentLength"),
        "HeadObject": ("ETag", "ContentLength", "LastModified"),
        "ListObjectsV2": ("IsTruncated",),
        "PutObject": ("ETag",),
    },
    "sqs": {"GetQueueAttributes": ("Attributes",), "GetQueueUrl": ("QueueUrl",)},
    "stepfunctions": {
        "DescribeExecution": ("executionArn", "name", "status", "startDate"),
        "DescribeMapRun": ("executionCounts",),
        "GetExecutionHistory": ("events",),
        "ListExecutions": ("executions",),
        "ListMapRuns": ("mapRuns",),
        "StartExecution": ("executionArn", "startDate"),
        "StopExecution": ("stopDate",),
    },
}
"""The fields of every answer, by service and operation. DynamoDB's have consumed units, SQS names accepted messages; a
function's own answer is not checked."""


def check_whole(*, http_response: Any, parsed: Mapping[str, Any], model: Any, **_event: object) -> None:
    """Raise `ForeignAnswerError` for an answer without the fields that every answer has. Handles `after-call`."""
    service = model.service_model.service_name
    lacking = [name for name in ALWAYS.get(service, {}).get(model.name, ()) if name not in parsed]
    if http_response.status_code < 300 and lacking:
        raise ForeignAnswerError(
            f"the answer to {model.name} lacks {lacking[0]}, so it does not come from {service}: try again, or check "
            "the proxy in between"
        )


def check_document(*, response_dict: dict[str, Any], operation_model: Any, **_event: object) -> None:
    """Raise `ForeignAnswerError` for a document of another kind. Handles `before-parse`: botocore fails on those.

    A JSON answer is an object, and an XML answer is named after its operation. S3's are mostly headers. A load balancer
    that says with a page of its own that the service is busy is to be called again: botocore does so without the page.
    """
    body, operation = response_dict["body"], operation_model.name
    protocol = operation_model.service_model.metadata["protocol"]
    if not isinstance(body, bytes) or protocol == "rest-xml":
        return
    is_error = response_dict["status_code"] >= 300
    if protocol == "query":
        is_known = (b"<Error" if is_error else f"<{operation}Response".encode()) in body
    else:
        is_known = is_error or body.lstrip()[:1] == b"{"
    if not is_known and response_dict["status_code"] >= 500:
        response_dict["body"] = b""
    elif not is_known:
        raise ForeignAnswerError(
            f"the answer to {operation} is not a document of its service: try again, or check the proxy in between"
        )


def consumed_units(answer: Mapping[str, Any]) -> float:
    """Return the units that a request consumed; raise `CutAnswerError` for an answer without them."""
    try:
        units: float = answer["ConsumedCapacity"]["CapacityUnits"]
    except KeyError:
        raise CutAnswerError("DynamoDB's answer was cut off") from None
    return units


TRIAL_UNITS = "TrialUnits"
"""What an answer's `CapacityUnits` have for the client's trial, which read the page again."""


def parse_page(answer: Mapping[str, Any]) -> Page:
    """Return the page in Scan's answer; raise `CutAnswerError` for an incomplete answer."""
    units = consumed_units(answer)
    return Page(
        all_items(answer),
        answer.get("LastEvaluatedKey"),
        units,
        trial_units=answer["ConsumedCapacity"].get(TRIAL_UNITS, 0.0),
    )


def parse_count(answer: Mapping[str, Any]) -> Page:
    """Return the page in the answer of a Query that only counts; else as `parse_page`."""
    if not isinstance(answer.get("Count"), int):
        raise CutAnswerError("DynamoDB's answer was cut off")
    return parse_page({**answer, "Items": []})._replace(counted=answer["Count"])


def all_items(answer: Mapping[str, Any]) -> Any:
    """Return the items of an answer to Scan or Query; raise `CutAnswerError` for an answer without a list of items."""
    if not isinstance(answer.get("Items"), list):
        raise CutAnswerError("DynamoDB's answer was cut off")
    return answer["Items"]


def extract_items(*, response_dict: dict[str, Any], customized_response_dict: dict[str, Any], **_event: object) -> None:
    """Take the items out of an answer and leave the rest to botocore. Handles `before-parse.dynamodb.Scan`.

    An error, a truncated body, or an answer without items (a count, or of another call) is left to botocore unchanged.
    """
    if response_dict["status_code"] != 200:
        return
    body = response_dict["body"]
    try:
        answer = json.loads(body)
        items = answer.pop("Items")
        if b'"B"' in body or b'"BS"' in body:
            for item in items:
                decode(item)
    except (ValueError, TypeError, LookupError, AttributeError):
        return
    customized_response_dict["Items"] = items
    response_dict["body"] = json.dumps(answer).encode()


def decode(values: Mapping[Any, dict[str, Any]]) -> None:
    """Decode the binary values, which are base64 in JSON, in place."""
    for value in values.values():
        ((kind, content),) = value.items()
        match kind:
            case "B":
                value["B"] = b64decode(content)
            case "BS":
                value["BS"] = [b64decode(member) for member in content]
            case "M":
                decode(content)
            case "L":
                decode(dict(enumerate(content)))
