"""All that follows a stream, deployed once: keepers of markers and of an attribute, and the replicator of a copy.

MiniStack's own DynamoDB has streams, dynalite has none. Every call that a function makes is recorded.
"""

import json
import os
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from local import audit_table, cdk
from local.checkout import ACCOUNT, BUILD, REGION, ROOT
from local.embedded import Embedded, embedded_with_streams
from tests.engines.e2e.conftest import Deployment
from tests.engines.iam.call import Call, in_words, read_calls
from tests.engines.infra.template import Template
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.iam.policy import grants_in, is_allowed

ENVIRONMENT = "streams"
AUDIT, OLD, NEW = "Audit", "Old", "New"
MARKER = {"size": 0, "GSI-pk": "{p.k}"}
MARKERS = IndexDefinition("markers", KeySchema.of(("GSI-pk", "B")), projection="KEYS_ONLY")
KEPT = TableDefinition("Kept-B.N", KeySchema.of(("p.k", "B"), ("size", "N")), (MARKERS,))
"""The table with a keeper of markers."""
SET = {audit_table.ATTRIBUTE: audit_table.TEMPLATE}
RECORDER = ROOT / "tests" / "engines" / "iam" / "recorder"
BY_LAMBDA = tuple(f"dynamodb:{do}" for do in ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"))
"""What a role allows to Lambda itself, which does it without the function's knowing."""
TO_CREATE = ("dynamodb:TagResource", "dynamodb:ListTagsOfResource")
"""What Plan copy needs for a target that it creates, which no copy here does."""
VIEW: Any = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}


@dataclass
class Streams(Deployment):
    """What was deployed. `arns`: of the streams, by table; `followers`: the ARNs of the functions that follow them."""

    template: Template
    arns: Mapping[str, str]
    followers: Mapping[str, str]
    recorded: Path

    def calls_of(self, function: str) -> list[Call]:
        """Return every call that a function has made so far."""
        calls = [call for call in read_calls(self.recorded) if call.caller == function]
        return [in_words(call, self.outputs["BucketName"]) for call in calls]

    def invoke(self, function: str, records: list[dict[str, Any]]) -> Any:
        """Hand records to a function; return its answer."""
        answer = self.account.awslambda.invoke(FunctionName=function, Payload=json.dumps({"Records": records}))
        return json.loads(answer["Payload"].read())

    def check_rights(self, function: str) -> None:
        """Check that a function is allowed every call that it made, and no other to a table."""
        calls = self.calls_of(function)
        assert calls
        needed = {need for call in calls for need in call.needs(region=REGION, account=ACCOUNT)}
        role = self.template.the("AWS::Lambda::Function", FunctionName=function)["Role"]
        allowed = {grant for document in self.template.policies(role) for grant in grants_in(document)}
        for grant in [
            grant for grant in allowed if grant.action == "sqs:SendMessage"
        ]:  # to the queue of the late looks
            needed = {replace(n, resource=grant.resource) if "Latelooks" in n.resource else n for n in needed}
        # Which UUID a template's name stands for is in no template; infra/test_functions.py has the names.
        for grant in [grant for grant in allowed if grant.action == "lambda:GetEventSourceMapping"]:
            needed = {replace(n, resource=grant.resource) if n.action == grant.action else n for n in needed}
        bucket_policy = self.template.spelled(self.template.the("AWS::S3::BucketPolicy")["PolicyDocument"])
        assert [need for need in needed if not is_allowed(need, allowed | set(grants_in(bucket_policy)))] == []
        unused = {grant.action for grant in allowed if not any(grant.covers(need) for need in needed)}
        assert {action for action in unused if action.startswith("dynamodb:")} <= {*BY_LAMBDA, *TO_CREATE}


@contextmanager
def deployed_streams() -> Iterator[Streams]:
    with TemporaryDirectory(dir=BUILD, prefix="streams-") as name, pytest.MonkeyPatch.context() as patched:
        folder = Path(name)
        patched.setenv("PYTHONPATH", str(RECORDER), prepend=os.pathsep)
        patched.setenv("SKIPSCAN_CALLS", str(folder / "calls.jsonl"))
        with embedded_with_streams() as account:
            arns = create_tables(account)
            cdk.write_app(folder, {ENVIRONMENT: environment(arns)})
            outputs = account.deploy(ENVIRONMENT, folder=folder)
            mappings = account.awslambda.list_event_source_mappings()["EventSourceMappings"]
            functions = {mapping["EventSourceArn"]: mapping["FunctionArn"] for mapping in mappings}
            followers = {table: functions[arn] for table, arn in arns.items()}
            template = Template(cdk.template(folder, ENVIRONMENT))
            yield Streams(account, outputs, template, arns, followers, folder / "calls.jsonl")


def change(account: Embedded, table: str, chance: random.Random, items: int) -> None:
    """Insert, change or delete one of so many items at random, as an application that knows no attribute of ours."""
    old = {"id": {"S": f"{chance.randrange(items):06d}"}}
    match chance.randrange(6):
        case 0 | 1:
            account.dynamodb.delete_item(TableName=table, Key=old)
        case 2:
            put(account, table, f"new-{chance.randrange(150)}", chance)
        case 3:
            put(account, table, old["id"]["S"], chance)
        case _:
            with suppress(account.dynamodb.exceptions.ConditionalCheckFailedException):
                account.dynamodb.update_item(
                    TableName=table,
                    Key=old,
                    UpdateExpression="SET #a = :a",
                    ConditionExpression="attribute_exists(id)",
                    ExpressionAttributeNames={"#a": "action"},
                    ExpressionAttributeValues={":a": {"S": chance.choice(("viewed", "edited", "shared"))}},
                )


def put(account: Embedded, table: str, id_: str, chance: random.Random) -> None:
    names = {"id": id_, "resourceId": str(chance.randrange(99)), "action": "viewed", "accessedBy": "ann"}
    item: Any = {name: {"S": value} for name, value in {**names, "timestamp": "2026-01-01"}.items()}
    account.dynamodb.put_item(TableName=table, Item=item)


def made(item: Mapping[str, Any]) -> str:
    """Return what an item's attribute must be."""
    return "-".join(item[name]["S"] for name in ("resourceId", "action", "accessedBy"))


def items_of(account: Embedded, table: str) -> dict[str, dict[str, Any]]:
    pages = account.dynamodb.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
    return {item["id"]["S"]: dict(item) for page in pages for item in page["Items"]}


def create_tables(account: Embedded) -> dict[str, str]:
    """Create every table that has a stream; return the streams' ARNs by table."""
    created = account.dynamodb.create_table(**KEPT.request(), StreamSpecification=VIEW)
    arns = {KEPT.name: created["TableDescription"]["LatestStreamArn"]}
    for table in (AUDIT, OLD):
        audit_table.create(account.dynamodb, table)
        updated = account.dynamodb.update_table(TableName=table, StreamSpecification=VIEW)
        arns[table] = updated["TableDescription"]["LatestStreamArn"]
    return arns


def environment(arns: Mapping[str, str]) -> dict[str, Any]:
    writing = {
        KEPT.name: {"keeper": {"stream": arns[KEPT.name], "marker": MARKER}},
        AUDIT: {"retrofit": True, "attribute_keeper": {"stream": arns[AUDIT], "set": SET}},
        OLD: {"copy": {"to": NEW, "stream": arns[OLD], "set": SET}},
    }
    limits = {"batch_pages": 4}
    return {"account": ACCOUNT, "region": REGION, "tables": list(arns), "writing": writing, "limits": limits}
