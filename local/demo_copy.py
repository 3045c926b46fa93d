"""`make demo-copy`: copies a table to a new one while an application writes, and compares both.

Deploys the environment `demo-copy` with the CDK to an embedded AWS whose tables have streams, and copies the audit
table of the AWS Database Blog's post.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

from rich.console import Console

from local import audit_table, cdk
from local.checkout import ACCOUNT, BUILD, REGION
from local.embedded import Embedded, embedded_with_streams
from local.execution import execute
from local.late_look import look_late
from local.stage import present
from local.steps import Steps

OLD, NEW = "Audit", "Audit-2"
ITEMS = 1_000
LEVEL_SECONDS = 120.0
REPLICATOR = f"skipscan-demo-copy-copy-{OLD}"
INPUT: dict[str, Any] = {"table": OLD, "to": NEW, "segments": 8, "without_recovery": True}

Items = dict[str, dict[str, Any]]


def demonstrate(console: Console) -> int:
    """Run every step in order, then print the figures."""
    step = Steps(console).step
    with ExitStack() as stack:
        with step("Start an embedded AWS: MiniStack, with its own DynamoDB, whose tables have streams"):
            account = stack.enter_context(embedded_with_streams())

        with step(f"Load the table {OLD}") as emit:
            audit_table.create(account.dynamodb, OLD)
            view: Any = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
            updated = account.dynamodb.update_table(TableName=OLD, StreamSpecification=view)
            emit(f"{audit_table.load(account.dynamodb, OLD, audit_table.items(ITEMS)):,} items, and a stream")

        with step("Deploy the stack skipscan-demo-copy: cdk bootstrap, cdk deploy"):
            folder = Path(stack.enter_context(TemporaryDirectory(dir=BUILD, prefix="demo-")))
            machine = deployed(account, folder, str(updated["TableDescription"]["LatestStreamArn"]))

        with step("Dry run of the copy") as emit:
            plan = execute(account.stepfunctions, machine, {**INPUT, "create": True}, name="dry-run")
            emit(f"{plan['items']:,} items to put, ${plan['dollars']['total']:.4f}")

        with step(f"The copy itself to {NEW}, while an application writes to {OLD}") as emit:
            application = Application(account)
            with application:
                document = {**INPUT, "create": True, "dry_run": False, "verify": False}
                output = execute(account.stepfunctions, machine, document, name="copy", on_poll=emit)
            emit(f"{application.writes:,} items put and {application.deletes:,} deleted meanwhile")

        with step("Wait until the replicator has copied all changes") as emit:
            waited = come_level(account)
            emit(f"{waited:.1f} s")

        with step("Send the changed keys to the replicator again, as its queue does after 15 minutes") as emit:
            # A key deleted while it was copied may be in the new table until then.
            look_late(account, REPLICATOR, OLD, sorted(application.keys))
            emit(f"{len(application.keys):,} keys")

        with step("Verify: count both tables, compare every item") as emit:
            document = {**INPUT, "dry_run": False, "compare_items": 10_000_000, "workers": 1}
            verified = execute(account.stepfunctions, machine, document, name="verify", on_poll=emit)
        old, new = items(account, OLD), items(account, NEW)

    console.print()
    for line in lines(output, verified):
        console.print(line, soft_wrap=True)
    console.print()
    if wanted(old) != new or verified["missing"] or verified["surplus"] or verified["different"]:
        console.print("[red]The new table differs from the old table.[/]")
        return 1
    console.print(f"[green]The new table has all {len(new):,} items of the old table, each with its attribute.[/]")
    return 0


def deployed(account: Embedded, folder: Path, stream: str) -> str:
    """Return the ARN of the state machine Copy, deployed with a replicator on the stream."""
    copied = {"to": NEW, "stream": stream, "set": {audit_table.ATTRIBUTE: audit_table.TEMPLATE}}
    environment = {"account": ACCOUNT, "region": REGION, "tables": [OLD], "writing": {OLD: {"copy": copied}}}
    cdk.write_app(folder, {"demo-copy": environment})
    return account.deploy("demo-copy", folder=folder)["CopyStateMachineArn"]


class Application:
    """Writes to the old table in a thread of its own during the block."""

    def __init__(self, account: Embedded) -> None:
        self._account = account
        self._over = Event()
        self._thread = Thread(target=self._write)
        self.writes = self.deletes = 0
        self.keys: set[str] = set()

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _write(self) -> None:
        chance = random.Random(1)
        while not self._over.wait(0.01):
            id_ = f"{chance.randrange(ITEMS):06d}"
            key: Any = {"id": {"S": id_}}
            self.keys.add(id_)
            if chance.random() < 0.3:
                self._account.dynamodb.delete_item(TableName=OLD, Key=key)
                self.deletes += 1
                continue
            item: Any = {**key, "resourceId": {"S": str(self.writes)}, "action": {"S": "viewed"}}
            item |= {"accessedBy": {"S": "ann"}, "timestamp": {"S": "2026-01-01"}}
            self._account.dynamodb.put_item(TableName=OLD, Item=item)
            self.writes += 1


def come_level(account: Embedded) -> float:
    """Return the seconds until the new table equals the old one, at most `LEVEL_SECONDS`."""
    begun = time.monotonic()
    truth = wanted(items(account, OLD))
    while time.monotonic() - begun < LEVEL_SECONDS:
        if {id_: item for id_, item in items(account, NEW).items() if id_ in truth} == truth:
            break
        time.sleep(0.5)
    return time.monotonic() - begun


def items(account: Embedded, table: str) -> Items:
    pages = account.dynamodb.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
    return {item["id"]["S"]: dict(item) for page in pages for item in page["Items"]}


def wanted(old: Items) -> Items:
    """Return the expected content of the new table."""
    names = ("resourceId", "action", "accessedBy")
    made = {id_: "-".join(item[name]["S"] for name in names) for id_, item in old.items()}
    return {id_: {**item, audit_table.ATTRIBUTE: {"S": made[id_]}} for id_, item in old.items()}


def lines(output: Mapping[str, Any], verified: Mapping[str, Any]) -> list[str]:
    """Print the results of the copy and its verification."""
    return [
        f"Copied      {output['copied']:,} of {output['items']:,} items read; {output['present']:,} were there, "
        f"{output['differing']:,} otherwise and left to the replicator",
        f"Verified    {verified['source_items']:,} items in {OLD}, {verified['target_items']:,} in {NEW}; of "
        f"{verified['compared']:,} compared, {verified['missing']:,} are missing, {verified['surplus']:,} surplus, "
        f"{verified['different']:,} different",
        f"Consumed    {output['write_units']:,.0f} write units, {output['read_units']:,.1f} read units, "
        f"{output['requests']:,} requests, as this engine bills them",
        f"Manifest    {verified['manifest']}",
        "Not shown   a wait of 15 minutes before the second look at a changed key; shards of the stream, their "
        "order under load, and throttling, which the embedded engine lacks",
    ]


if __name__ == "__main__":
    sys.exit(present(demonstrate))
