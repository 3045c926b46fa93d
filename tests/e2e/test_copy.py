"""A deployed copy and its replicator on a table with a stream, while several writers insert, change and delete items.

MiniStack's own DynamoDB has the stream; it takes no notice of the records that a function wants again. Nobody waits
the 15 minutes of the late looks: their keys are handed to the function at the end instead.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

import pytest

from local import audit_table, cdk
from local.checkout import ACCOUNT, BUILD, REGION, ROOT
from local.embedded import Embedded, embedded_with_streams
from local.execution import ExecutionError, execute
from skipscan.copy.late_look import bodies
from tests.e2e.conftest import Deployment
from tests.iam.call import in_words, read_calls
from tests.iam.policy import grants_in, is_allowed
from tests.infra.template import Template

pytestmark = pytest.mark.xdist_group("streams")

SOURCE, TARGET = "Old", "New"
MADE = audit_table.ATTRIBUTE
SET = {MADE: audit_table.TEMPLATE}
ITEMS, WRITERS, WAIT_SECONDS = 200, 3, 60.0
FUNCTION = "skipscan-copies-copy-Old"
FUNCTIONS = ("skipscan-copies-plan-copy", "skipscan-copies-copy-page", "skipscan-copies-finish-copy", FUNCTION)
BY_LAMBDA = tuple(f"dynamodb:{do}" for do in ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"))
"""What a role allows to Lambda itself, which does it without the function's knowing."""

RECORDER = ROOT / "tests" / "iam" / "recorder"

Items = dict[str, dict[str, Any]]


@dataclass
class Copied(Deployment):
    """A deployed copy, its template, and the file with every call that a function made."""

    template: Template
    calls: Path


@pytest.fixture(scope="module")
def copied() -> Iterator[Copied]:
    with (
        TemporaryDirectory(dir=BUILD, prefix="copy-") as folder,
        pytest.MonkeyPatch.context() as patched,
    ):
        patched.setenv("PYTHONPATH", str(RECORDER), prepend=os.pathsep)
        patched.setenv("SKIPSCAN_CALLS", str(Path(folder, "calls.jsonl")))
        with embedded_with_streams() as account:
            yield deployed(account, Path(folder))


def deployed(account: Embedded, folder: Path) -> Copied:
    audit_table.create(account.dynamodb, SOURCE)
    view: Any = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    updated = account.dynamodb.update_table(TableName=SOURCE, StreamSpecification=view)
    stream = updated["TableDescription"]["LatestStreamArn"]
    environments = {
        "copies": {
            "account": ACCOUNT,
            "region": REGION,
            "tables": [SOURCE],
            "writing": {SOURCE: {"copy": {"to": TARGET, "stream": stream, "set": SET}}},
            "limits": {"batch_pages": 4},
        }
    }
    cdk.write_app(folder, environments)
    outputs = account.deploy("copies", folder=folder)
    template = Template(cdk.template(folder, "copies"))
    return Copied(account, outputs, template, folder / "calls.jsonl")


def write(account: Embedded, seed: int, stop: Event) -> int:
    """Insert, change and delete items at random until told to stop; return how many writes there were."""
    chance, writes = random.Random(seed), 0
    while not stop.wait(0.02):  # the test waits until all of it has gone through the stream
        old = f"{chance.randrange(ITEMS):06d}"
        writes += 1
        match chance.randrange(5):
            case 0 | 1:
                account.dynamodb.delete_item(TableName=SOURCE, Key={"id": {"S": old}})
            case 2:
                put(account, f"new-{seed}-{chance.randrange(50)}", chance)
            case _:
                put(account, old, chance)
    return writes


def put(account: Embedded, id_: str, chance: random.Random) -> None:
    names = {"id": id_, "resourceId": str(chance.randrange(99)), "action": "viewed", "accessedBy": "ann"}
    item: Any = {name: {"S": value} for name, value in {**names, "timestamp": "2026-01-01"}.items()}
    account.dynamodb.put_item(TableName=SOURCE, Item=item)


def items(account: Embedded, table: str) -> Items:
    pages = account.dynamodb.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
    return {item["id"]["S"]: dict(item) for page in pages for item in page["Items"]}


def wanted(account: Embedded) -> Items:
    found = items(account, SOURCE)
    for item in found.values():
        item[MADE] = {"S": "-".join(item[name]["S"] for name in ("resourceId", "action", "accessedBy"))}
    return found


def copy(deployment: Deployment, name: str, **document: Any) -> dict[str, Any]:
    machine = deployment.outputs["CopyStateMachineArn"]
    document = {"table": SOURCE, "to": TARGET, "without_recovery": True, "segments": 4, "workers": 2} | document
    return dict(execute(deployment.account.stepfunctions, machine, document, name=name))


def look_late(account: Embedded, *known: Items) -> None:
    """Hand every key that ever was to the function, as its queue does 15 minutes after a change."""
    keys: list[Any] = [{"id": {"S": id_}} for id_ in sorted({id_ for found in known for id_ in found})]
    records = [{"messageId": str(number), "body": body} for number, body in enumerate(bodies(keys))]
    answer = account.awslambda.invoke(FunctionName=FUNCTION, Payload=json.dumps({"Records": records}))
    assert json.loads(answer["Payload"].read()) == {"batchItemFailures": []}


def test_nothing_written_during_the_copy_is_lost_or_undone(copied: Copied) -> None:
    account = copied.account
    audit_table.load(account.dynamodb, SOURCE, audit_table.items(ITEMS))
    before, stop = items(account, SOURCE), Event()
    with ThreadPoolExecutor(WRITERS) as threads:
        writing = [threads.submit(write, account, seed, stop) for seed in range(WRITERS)]
        try:
            output = copy(copied, "copy", create=True, dry_run=False, verify=False)
        finally:
            stop.set()
        writes = sum(writer.result() for writer in writing)
    assert writes > 100
    assert output["items"] > ITEMS / 3
    deadline = time.monotonic() + WAIT_SECONDS
    truth = wanted(account)
    while {id_: item for id_, item in items(account, TARGET).items() if id_ in truth} != truth:
        assert time.monotonic() < deadline, "the replicator does not come to the end of the stream"
        time.sleep(0.2)
    look_late(account, before, truth, items(account, TARGET))  # what else is there only they can tell
    assert items(account, TARGET) == wanted(account)

    verified = copy(copied, "again", dry_run=False, workers=1)
    counted = ("copied", "missing", "surplus", "different", "listed")
    assert {name: verified[name] for name in counted} == dict.fromkeys(counted, 0)
    assert verified["items"] == verified["source_items"] == verified["target_items"] == len(truth)
    assert verified["compared"] > 0


def test_another_target_is_refused(copied: Copied) -> None:
    with pytest.raises(ExecutionError, match="copies table"):
        copy(copied, "refused", to="Elsewhere")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_its_functions_are_allowed_every_call_they_made_and_no_other_to_a_table(copied: Copied, name: str) -> None:
    bucket = copied.outputs["BucketName"]
    calls = [in_words(call, bucket) for call in read_calls(copied.calls) if call.caller == name]
    assert calls
    needed = {need for call in calls for need in call.needs(region=REGION, account=ACCOUNT)}
    role = copied.template.the("AWS::Lambda::Function", FunctionName=name)["Role"]
    allowed = {grant for document in copied.template.policies(role) for grant in grants_in(document)}
    for grant in [grant for grant in allowed if grant.action == "sqs:SendMessage"]:  # to the queue of the late looks
        needed = {replace(n, resource=grant.resource) if "Latelooks" in n.resource else n for n in needed}
    bucket_policy = copied.template.spelled(copied.template.the("AWS::S3::BucketPolicy")["PolicyDocument"])
    assert [need for need in needed if not is_allowed(need, allowed | set(grants_in(bucket_policy)))] == []
    unused = {grant.action for grant in allowed if not any(grant.covers(need) for need in needed)}
    assert {action for action in unused if action.startswith("dynamodb:") and action not in BY_LAMBDA} == set()
