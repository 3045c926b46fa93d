"""The mixin in an app of somebody else: one deployment creates the table, its index and stream, and the keeper."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from local import cdk
from local.checkout import BUILD, ROOT
from local.embedded import Embedded, embedded_with_streams

pytestmark = [pytest.mark.xdist_group("mixin"), pytest.mark.long]

APP = """
from aws_cdk import App, CfnOutput, Stack
from aws_cdk import aws_dynamodb as dynamodb

from infra.construct import Skipscan
from infra.mixin import SkipscanTable

stack = Stack(App(), "skipscan-shop")
orders = dynamodb.TableV2(
    stack,
    "Orders",
    partition_key=dynamodb.Attribute(name="customer", type=dynamodb.AttributeType.STRING),
    sort_key=dynamodb.Attribute(name="placed", type=dynamodb.AttributeType.NUMBER),
)
markers = SkipscanTable(marker={"placed": 0, "marked": "{customer}"})
orders.with_(markers)
Skipscan(stack, "Skipscan", name="shop", tables=[orders], markers=[markers]).add_outputs()
CfnOutput(stack, "Table", value=orders.table_name)
stack.node.root.synth()
"""
WAIT_SECONDS = 120.0


@pytest.fixture(scope="module")
def mixed_in() -> Iterator[tuple[Embedded, str]]:
    """The account and the name of the table."""
    with TemporaryDirectory(dir=BUILD, prefix="mixin-") as name, embedded_with_streams() as account:
        folder = Path(name)
        cdk.write_app(folder, {})
        settings = json.loads((folder / "cdk.json").read_text())
        settings["app"] = shlex.join([sys.executable, str(folder / "app.py")])
        (folder / "cdk.json").write_text(json.dumps(settings))
        (folder / "app.py").write_text(f"import sys\nsys.path[:0] = {[str(ROOT), str(ROOT / 'lambdas')]}\n{APP}")
        yield account, account.deploy("shop", folder=folder)["Table"]


def customers(account: Embedded, table: str) -> list[str]:
    """Return what the index lists."""
    items = account.dynamodb.scan(TableName=table, IndexName="markers")["Items"]
    return sorted(str(item["marked"]["S"]) for item in items)


def await_customers(account: Embedded, table: str, expected: list[str]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while (listed := customers(account, table)) != expected:
        assert time.monotonic() < deadline, listed
        time.sleep(0.2)


def test_the_index_lists_the_customers_that_have_orders(mixed_in: tuple[Embedded, str]) -> None:
    account, table = mixed_in
    for customer, placed in (("ann", "1"), ("ann", "2"), ("bob", "1"), ("cem", "1")):
        account.dynamodb.put_item(TableName=table, Item={"customer": {"S": customer}, "placed": {"N": placed}})
    await_customers(account, table, ["ann", "bob", "cem"])
    account.dynamodb.delete_item(TableName=table, Key={"customer": {"S": "bob"}, "placed": {"N": "1"}})
    await_customers(account, table, ["ann", "cem"])
