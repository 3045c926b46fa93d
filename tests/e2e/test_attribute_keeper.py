"""A deployed retrofit and its keeper on a table with a stream, while several writers insert, change and delete items.

MiniStack's own DynamoDB has the stream; it takes no notice of the records that a function wants again.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from local import audit_table, cdk
from local.checkout import ACCOUNT, BUILD, REGION, ROOT
from local.embedded import Embedded, embedded_with_streams
from local.execution import execute
from tests.e2e.conftest import Deployment
from tests.iam.call import read_calls
from tests.iam.policy import grants_in, is_allowed
from tests.infra.template import Template

pytestmark = pytest.mark.xdist_group("streams")

MADE = audit_table.ATTRIBUTE
SET = {MADE: audit_table.TEMPLATE}
RECORDER = ROOT / "tests" / "iam" / "recorder"
ITEMS, WRITERS, WRITES, WAIT_SECONDS = 150, 3, 60, 60.0


@dataclass
class Kept(Deployment):
    """A deployed keeper, its template, and the file with every call that a function made."""

    template: Template
    calls: Path


@pytest.fixture(scope="module")
def kept() -> Iterator[Kept]:
    with TemporaryDirectory(dir=BUILD, prefix="kept-") as folder, pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", str(RECORDER), prepend=os.pathsep)
        patched.setenv("SKIPSCAN_CALLS", str(Path(folder, "calls.jsonl")))
        with embedded_with_streams() as account:
            yield deployed(account, Path(folder))


def deployed(account: Embedded, folder: Path) -> Kept:
    audit_table.create(account.dynamodb, "Audit")
    view: Any = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    updated = account.dynamodb.update_table(TableName="Audit", StreamSpecification=view)
    stream = updated["TableDescription"]["LatestStreamArn"]
    environments = {
        "kept": {
            "account": ACCOUNT,
            "region": REGION,
            "tables": ["Audit"],
            "writing": {"Audit": {"retrofit": True, "attribute_keeper": {"stream": stream, "set": SET}}},
        }
    }
    cdk.write_app(folder, environments)
    outputs = account.deploy("kept", folder=folder)
    template = Template(cdk.template(folder, "kept"))
    return Kept(account, outputs, template, folder / "calls.jsonl")


def write(account: Embedded, seed: int) -> None:
    """Insert, change and delete items at random, as an application does that has never heard of the attribute."""
    chance = random.Random(seed)
    for number in range(WRITES):
        old = f"{chance.randrange(ITEMS):06d}"
        match chance.randrange(6):
            case 0:
                account.dynamodb.delete_item(TableName="Audit", Key={"id": {"S": old}})
            case 1:
                put(account, f"new-{seed}-{number}", chance)
            case 2:
                put(account, old, chance)
            case _:
                account.dynamodb.update_item(
                    TableName="Audit",
                    Key={"id": {"S": old}},
                    UpdateExpression="SET #a = :a",
                    ExpressionAttributeNames={"#a": "action"},
                    ExpressionAttributeValues={":a": {"S": chance.choice(("viewed", "edited", "shared"))}},
                )


def put(account: Embedded, id_: str, chance: random.Random) -> None:
    names = {"id": id_, "resourceId": str(chance.randrange(99)), "action": "viewed", "accessedBy": "ann"}
    item: Any = {name: {"S": value} for name, value in {**names, "timestamp": "2026-01-01"}.items()}
    account.dynamodb.put_item(TableName="Audit", Item=item)


def wrong(account: Embedded) -> list[str]:
    """Return the items that have all sources and not what they make."""
    found = []
    for page in account.dynamodb.get_paginator("scan").paginate(TableName="Audit"):
        for item in page["Items"]:
            sources = [item.get(name, {}).get("S") for name in ("resourceId", "action", "accessedBy")]
            if None not in sources and item.get(MADE, {}).get("S") != "-".join(map(str, sources)):
                found.append(item["id"]["S"])
    return found


def test_every_item_is_right_once_the_retrofit_and_the_stream_are_through(kept: Kept) -> None:
    account = kept.account
    audit_table.load(account.dynamodb, "Audit", audit_table.items(ITEMS))
    document = {"table": "Audit", "set": SET, "dry_run": False, "without_recovery": True, "segments": 4, "workers": 2}
    with ThreadPoolExecutor(WRITERS) as writers:
        writing = [writers.submit(write, account, seed) for seed in range(WRITERS)]
        output = execute(account.stepfunctions, kept.outputs["RetrofitStateMachineArn"], document, name="retrofit")
        for writer in writing:
            writer.result()
    assert output["items"] > ITEMS / 2
    deadline = time.monotonic() + WAIT_SECONDS
    while wrong(account):
        assert time.monotonic() < deadline, "the keeper does not come to the end of the stream"
        time.sleep(0.2)
    assert audit_table.when(account.dynamodb, "Audit", "123ccc", "viewed", "bill")


def test_the_keeper_is_allowed_every_call_it_made_and_no_other_to_a_table(kept: Kept) -> None:
    name = "skipscan-kept-keep-Audit"
    calls = [call for call in read_calls(kept.calls) if call.caller == name]
    needed = {need for call in calls for need in call.needs(region=REGION, account=ACCOUNT)}
    table = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/Audit"
    actions = {"dynamodb:DescribeTable", "dynamodb:GetItem", "dynamodb:UpdateItem"}
    assert {(need.action, need.resource) for need in needed} == {(action, table) for action in actions}
    role = kept.template.the("AWS::Lambda::Function", FunctionName=name)["Role"]
    allowed = {grant for document in kept.template.policies(role) for grant in grants_in(document)}
    assert [need for need in needed if not is_allowed(need, allowed)] == []
    granted = {grant.action for grant in allowed if grant.resource == table}
    assert granted == actions
