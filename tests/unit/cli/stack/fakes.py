"""Fakes of CloudFormation and S3 for `skipscan deploy`, with the answers that a test sets."""

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

from botocore.exceptions import ClientError
from botocore.paginate import Paginator

ACCOUNT, REGION = "111111111111", "eu-west-1"
STACK = f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/skipscan-dev/1"
NOW = datetime(2026, 1, 31, 3, tzinfo=UTC)


def refusal(code: str, operation: str, status: int = 400, message: str = "") -> ClientError:
    answer: Any = {"Error": {"Code": code, "Message": message}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(answer, operation)


@dataclass
class Recorder:
    """`refused`: by operation, what the next calls of it raise, in turn."""

    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    refused: dict[str, list[Exception]] = field(default_factory=dict)

    def call(self, operation: str, asked: dict[str, Any]) -> None:
        self.calls.append((operation, asked))
        if self.refused.get(operation):
            raise self.refused[operation].pop(0)

    def asked(self, operation: str) -> list[dict[str, Any]]:
        return [asked for name, asked in self.calls if name == operation]


@dataclass
class FakeCloudFormation(Recorder):
    """One stack. `ends`: the statuses that carrying out a change set, and removing the stack, end with."""

    stack: dict[str, Any] | None = None
    ends: dict[str, str] = field(default_factory=dict)
    failures: tuple[tuple[str, str], ...] = ()
    """The resources that fail, and why."""
    changes: int = 3
    no_changes: str = ""
    looks_until_computed: int = 1
    is_executed: bool = False
    removed: list[str] = field(default_factory=list)
    """The change sets that were removed."""
    _events: list[dict[str, Any]] = field(default_factory=list)
    _coming: list[dict[str, Any]] = field(default_factory=list)
    _wanted: dict[str, Any] = field(default_factory=dict)
    meta: Any = field(default_factory=lambda: SimpleNamespace(region_name=REGION))

    def describe_stacks(self, **asked: Any) -> dict[str, Any]:
        self.call("DescribeStacks", asked)
        if self.stack is None:
            message = "Stack with id skipscan-dev does not exist"
            raise refusal("ValidationError", "DescribeStacks", message=message)
        return {"Stacks": [self.stack]}

    def get_paginator(self, name: str) -> Any:
        results = {"describe_change_set": "Changes", "describe_stack_events": "StackEvents"}
        config = {"input_token": "NextToken", "output_token": "NextToken", "result_key": results[name]}
        model: Any = None  # of the operation, which a paginator without a page size does not ask
        return Paginator(getattr(self, name), config, model)

    def create_change_set(self, **asked: Any) -> dict[str, Any]:
        self.call("CreateChangeSet", asked)
        is_there = self.stack is not None and self.stack["StackStatus"] != "REVIEW_IN_PROGRESS"
        assert asked["ChangeSetType"] == ("UPDATE" if is_there else "CREATE")
        self._wanted = asked
        if self.stack is None:
            self.stack = {"StackId": STACK, "StackStatus": "REVIEW_IN_PROGRESS"}
        return {"Id": f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:changeSet/{asked['ChangeSetName']}/1"}

    def call(self, name: str, asked: dict[str, Any]) -> None:
        super().call(name, asked)
        assert "StackName" in asked, "the permissions are for the stack"

    def describe_change_set(self, **asked: Any) -> dict[str, Any]:
        self.call("DescribeChangeSet", asked)
        found = {"ChangeSetName": asked["ChangeSetName"], "StackId": STACK}
        if self._is_computing:
            return {**found, "Status": "CREATE_IN_PROGRESS"}
        if self.no_changes:
            return {**found, "Status": "FAILED", "StatusReason": self.no_changes}
        number = int(asked.get("NextToken", 0))
        kind = "AWS::IAM::Role" if number == 0 else "AWS::Lambda::Function"
        change = {"Action": "Add", "ResourceType": kind, "LogicalResourceId": f"R{number}", "Replacement": "True"}
        more = {"NextToken": str(number + 1)} if number + 1 < self.changes else {}
        return {**found, **more, "Status": "CREATE_COMPLETE", "Changes": [{"ResourceChange": change}]}

    def execute_change_set(self, **asked: Any) -> None:
        self.call("ExecuteChangeSet", asked)
        assert self.stack is not None
        before = {each["ParameterKey"]: each["ParameterValue"] for each in self.stack.get("Parameters", ())}
        given = {each["ParameterKey"]: each.get("ParameterValue") for each in self._wanted["Parameters"]}
        values = {name: before[name] if value is None else value for name, value in given.items()}
        verb = self._wanted["ChangeSetType"]
        self.is_executed = True
        status = self.ends.get("deploy", f"{verb}_COMPLETE")
        self.stack |= {
            "StackStatus": status,
            "Tags": self._wanted["Tags"],
            "Parameters": [{"ParameterKey": key, "ParameterValue": value} for key, value in values.items()],
            "Outputs": [{"OutputKey": "StateMachineArn", "OutputValue": "arn:machine"}],
        }
        self._happen(verb, status)

    def delete_change_set(self, **asked: Any) -> None:
        self.call("DeleteChangeSet", asked)
        if self._is_computing or self.is_executed:
            message = "Cannot delete ChangeSet in status CREATE_IN_PROGRESS"
            raise refusal("InvalidChangeSetStatus", "DeleteChangeSet", message=message)
        self.removed.append(asked["ChangeSetName"])

    @property
    def _is_computing(self) -> bool:
        return len(self.asked("DescribeChangeSet")) <= self.looks_until_computed

    def delete_stack(self, **asked: Any) -> None:
        self.call("DeleteStack", asked)
        status = self.ends.get("delete", "DELETE_COMPLETE")
        if status == "DELETE_COMPLETE":
            self.stack = None
        self._happen("DELETE", status)

    def describe_stack_events(self, **asked: Any) -> dict[str, Any]:
        """Two more events with every look, the newest first, one on a page."""
        self.call("DescribeStackEvents", asked)
        if "NextToken" not in asked:
            new, self._coming = self._coming[:2], self._coming[2:]
            self._events[:0] = reversed(new)
        start = int(asked.get("NextToken", 0))
        more = {"NextToken": str(start + 1)} if start + 1 < len(self._events) else {}
        return {"StackEvents": self._events[start : start + 1], **more}

    def _happen(self, verb: str, end: str) -> None:
        kind = "AWS::CloudFormation::Stack"
        self._add("skipscan-dev", kind, f"{verb}_IN_PROGRESS", arn=STACK)
        for name, reason in self.failures:
            self._add(name, "AWS::Lambda::Function", f"{verb}_FAILED", reason)
        self._add("Results", "AWS::S3::Bucket", f"{verb}_COMPLETE")
        self._add("skipscan-dev", kind, end, arn=STACK)

    def _add(self, name: str, kind: str, status: str, reason: str = "", arn: str = "other") -> None:
        number = len(self._events) + len(self._coming)
        event = {"EventId": f"e{number}", "PhysicalResourceId": arn, "LogicalResourceId": name, "Timestamp": NOW}
        self._coming.append({**event, "ResourceType": kind, "ResourceStatus": status, "ResourceStatusReason": reason})


@dataclass
class FakeBuckets(Recorder):
    """Buckets of this account, by name. `elsewhere`: the names that other accounts have."""

    buckets: dict[str, dict[str, Any]] = field(default_factory=dict)
    elsewhere: frozenset[str] = frozenset()
    region: str = REGION
    meta: Any = field(default_factory=lambda: SimpleNamespace(endpoint_url="https://s3.eu-west-1.amazonaws.com"))

    def create_bucket(self, **asked: Any) -> None:
        self.call("CreateBucket", asked)
        if asked["Bucket"] in self.elsewhere:
            raise refusal("BucketAlreadyExists", "CreateBucket", 409)
        assert asked.get("CreateBucketConfiguration") == {"LocationConstraint": REGION}
        self.buckets[asked["Bucket"]] = {"objects": {}}

    def head_bucket(self, **asked: Any) -> dict[str, Any]:
        self._owned("HeadBucket", asked)
        return {"BucketRegion": self.region}

    def get_public_access_block(self, **asked: Any) -> dict[str, Any]:
        return self._get("GetPublicAccessBlock", asked, "PublicAccessBlockConfiguration")

    def put_public_access_block(self, **asked: Any) -> None:
        self._put("PutPublicAccessBlock", asked, "PublicAccessBlockConfiguration")

    def get_bucket_policy(self, **asked: Any) -> dict[str, Any]:
        return self._get("GetBucketPolicy", asked, "Policy")

    def put_bucket_policy(self, **asked: Any) -> None:
        json.loads(asked["Policy"])
        self._put("PutBucketPolicy", asked, "Policy")

    def head_object(self, **asked: Any) -> dict[str, Any]:
        bucket = self._owned("HeadObject", asked)
        if asked["Key"] not in bucket["objects"]:
            raise refusal("404", "HeadObject", 404)
        return {"ChecksumSHA256": b64encode(sha256(bucket["objects"][asked["Key"]]).digest()).decode()}

    def put_object(self, **asked: Any) -> None:
        self._owned("PutObject", asked)["objects"][asked["Key"]] = asked["Body"]

    def _get(self, operation: str, asked: dict[str, Any], what: str) -> dict[str, Any]:
        bucket = self._owned(operation, asked)
        if what not in bucket:
            raise refusal({"Policy": "NoSuchBucketPolicy"}.get(what, f"NoSuch{what}"), operation, 404)
        return {what: bucket[what]}

    def _put(self, operation: str, asked: dict[str, Any], what: str) -> None:
        self._owned(operation, asked)[what] = asked[what]

    def _owned(self, operation: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.call(operation, asked)
        assert asked["ExpectedBucketOwner"] == ACCOUNT
        if asked["Bucket"] in self.elsewhere:
            raise refusal("403", operation, 403)
        if asked["Bucket"] not in self.buckets:
            raise refusal("404", operation, 404)
        return self.buckets[asked["Bucket"]]


@dataclass
class FakeTables(Recorder):
    """The tables of this account: all but `absent`."""

    absent: frozenset[str] = frozenset()

    def describe_table(self, **asked: Any) -> dict[str, Any]:
        self.call("DescribeTable", asked)
        if asked["TableName"] in self.absent:
            raise refusal("ResourceNotFoundException", "DescribeTable")
        return {"Table": {"TableName": asked["TableName"]}}


@dataclass
class Person:
    """Answers questions, and keeps what was said. `noes`: words of the questions that get a no."""

    noes: tuple[str, ...] = ()
    said: list[str] = field(default_factory=list)
    live: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    before: Callable[[str], None] = lambda question: None

    def say(self, line: str) -> None:
        self.said.append(line)

    def confirm(self, question: str) -> bool:
        self.before(question)
        self.questions.append(question)
        return not any(word in question for word in self.noes)
