"""What AWS refuses of a call's parameters, although an emulator may accept it.

First botocore's models: types, required and unknown members, lengths, patterns are not all in its own validation, and
the product switches that off for DynamoDB. Then rules of the API references that the models do not have. Nothing here
but botocore: it runs in the virtual environment of whoever is recorded.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from botocore.validate import ParamValidator

EXPRESSIONS = (
    *("KeyConditionExpression", "FilterExpression", "ProjectionExpression"),
    *("ConditionExpression", "UpdateExpression"),
)
EXPRESSION_BYTES = 4096
MOST_SEGMENTS = 1_000_000
NOT_IN_SQS = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that SendMessage refuses (API reference of SQS, "SendMessageBatch")."""
SQS_ENTRIES, SQS_BYTES, SQS_DELAY = 10, 1 << 20, 900
S3_KEY_BYTES, S3_METADATA_BYTES, S3_TAGS = 1024, 2048, 10
EXECUTION_NAME = re.compile(r"[^\x00-\x1f\x7f-\x9f\s<>{}\[\]?*\"#%\\^|~`$&,;:/]{1,80}")
EXECUTION_BYTES = 262_144


def violations(service: Any, operation: str, parameters: Mapping[str, Any]) -> list[str]:
    """Return why AWS would refuse the call. `service`: botocore's model of it. No parameter's value is in the text."""
    shape = service.operation_model(operation).input_shape
    report = ParamValidator().validate(parameters, shape) if shape is not None else None
    if report is not None and report.has_errors():
        return [f"{name} at {place}" for _, name, place in _reported(report)]
    rules = {"dynamodb": _dynamodb, "sqs": _sqs, "s3": _s3, "stepfunctions": _stepfunctions}
    rule = rules.get(service.service_name)
    return [*rule(operation, parameters)] if rule else []


def _reported(report: Any) -> Iterator[tuple[Any, str, str]]:
    # botocore's own text has the values.
    for kind, place, more in report._errors:
        yield (
            kind,
            f"{kind} {more.get('required_name') or more.get('unknown_param') or more.get('valid_types') or ''}",
            place,
        )


def _dynamodb(operation: str, asked: Mapping[str, Any]) -> Iterator[str]:
    texts = [asked[name] for name in EXPRESSIONS if name in asked]
    yield from (f"{name} is empty" for name in EXPRESSIONS if asked.get(name) == "")
    for text in texts:
        if len(text.encode()) > EXPRESSION_BYTES:
            yield "an expression has more than 4 KB"
    for field, sign in (("ExpressionAttributeNames", "#"), ("ExpressionAttributeValues", ":")):
        defined = set(asked.get(field, ()))
        used = {found for text in texts for found in re.findall(rf"{sign}\w+", text)}
        if field in asked and not defined:
            yield f"{field} is empty"
        yield from (f"{field} has {name}, which no expression uses" for name in sorted(defined - used))
        yield from (f"{name} is not in {field}" for name in sorted(used - defined))
    if asked.get("Limit", 1) < 1:
        yield "Limit is less than 1"
    if ("Segment" in asked) != ("TotalSegments" in asked):
        yield "Segment and TotalSegments belong together"
    elif "Segment" in asked and not 0 <= asked["Segment"] < asked["TotalSegments"] <= MOST_SEGMENTS:
        yield "Segment is not one of TotalSegments"
    if operation in ("Scan", "Query") and asked.get("Select") == "COUNT" and "ProjectionExpression" in asked:
        yield "a count has no ProjectionExpression"
    for field in ("Key", "ExclusiveStartKey"):
        yield from (
            f"{field} has an empty value"
            for value in asked.get(field, {}).values()
            if [*value.values()] in ([""], [b""])
        )
    if operation == "CreateTable":
        described = [asked, *asked.get("LocalSecondaryIndexes", ()), *asked.get("GlobalSecondaryIndexes", ())]
        keys = {key["AttributeName"] for each in described for key in each["KeySchema"]}
        defined = {each["AttributeName"] for each in asked["AttributeDefinitions"]}
        if keys != defined:
            yield "AttributeDefinitions are not those of the keys of the table and its indexes"
        yield from (
            f"{field} is empty"
            for field in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes")
            if asked.get(field) == []
        )


def _sqs(operation: str, asked: Mapping[str, Any]) -> Iterator[str]:
    if operation != "SendMessageBatch":
        return
    entries = asked["Entries"]
    if not 1 <= len(entries) <= SQS_ENTRIES:
        yield "a batch has 1 to 10 messages"
    ids = [entry["Id"] for entry in entries]
    if len({*ids}) < len(ids) or not all(re.fullmatch(r"[\w-]{1,80}", id_, re.ASCII) for id_ in ids):
        yield "the Ids of a batch must be distinct, with up to 80 letters, digits, hyphens and underscores"
    if sum(len(entry["MessageBody"].encode("utf-8", "surrogatepass")) for entry in entries) > SQS_BYTES:
        yield "a batch has more than 1 MiB"
    for entry in entries:
        if not entry["MessageBody"]:
            yield "a message is empty"
        if NOT_IN_SQS.search(entry["MessageBody"]):
            yield "a message has a character that SQS refuses"
        if not 0 <= entry.get("DelaySeconds", 0) <= SQS_DELAY:
            yield "DelaySeconds is not 0 to 900"


def _s3(operation: str, asked: Mapping[str, Any]) -> Iterator[str]:
    if "Key" in asked and not 1 <= len(asked["Key"].encode()) <= S3_KEY_BYTES:
        yield "Key does not have 1 to 1,024 bytes"
    metadata = asked.get("Metadata", {})
    if sum(len(name) + len(value) for name, value in metadata.items()) > S3_METADATA_BYTES:
        yield "Metadata has more than 2 KB"
    if not all(text.isascii() and text.isprintable() for pair in metadata.items() for text in pair):
        yield "Metadata is not ASCII"
    if operation == "PutObject" and asked.get("Tagging", "").count("=") > S3_TAGS:
        yield "more than 10 tags"
    if not 1 <= asked.get("MaxKeys", 1) <= 1000:
        yield "MaxKeys is not 1 to 1,000"


def _stepfunctions(operation: str, asked: Mapping[str, Any]) -> Iterator[str]:
    if operation == "StartExecution":
        if "name" in asked and not EXECUTION_NAME.fullmatch(asked["name"]):
            yield "name is not the name of an execution"
        if len(asked.get("input", "").encode()) > EXECUTION_BYTES:
            yield "input has more than 256 KiB"
