"""A retrofit on this machine: `python -m local.demo_retrofit`.

Deploys the environment `local` with the CDK onto an embedded AWS, loads the audit table of the AWS Database Blog's post
on querying by several attributes, asks its question before and after the retrofit, and compares with all items.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from rich.console import Console

from local import audit_table, cdk
from local.embedded import embedded
from local.execution import execute
from local.stage import present
from local.steps import Steps

TABLE = "Audit"
OLDER_ITEMS = 3_000
RESOURCE, ACTION, PERSON = "123ccc", "edited", "jane"
INPUT: dict[str, Any] = {"table": TABLE, "set": {audit_table.ATTRIBUTE: audit_table.TEMPLATE}, "segments": 16}


def demonstrate(console: Console) -> int:
    """Run every step in order, then print the figures."""
    step = Steps(console).step
    with ExitStack() as stack:
        synthesis = stack.enter_context(cdk.synthesising("local"))
        with step("Start an embedded AWS: MiniStack, with dynalite as its DynamoDB"):
            account = stack.enter_context(embedded())

        with step("Deploy the stack skipscan-local: cdk bootstrap, cdk deploy"):
            machine = account.deploy("local", folder=synthesis)["RetrofitStateMachineArn"]

        with step(f"Load the table {TABLE}") as emit:
            audit_table.create(account.dynamodb, TABLE)
            items = list(audit_table.items(OLDER_ITEMS))
            emit(f"{audit_table.load(account.dynamodb, TABLE, items):,} items, 2 with {audit_table.ATTRIBUTE}")
        asked = f"{RESOURCE}-{ACTION}-{PERSON}"
        truth = sorted(
            item["timestamp"]["S"]
            for item in items
            if "-".join(item[name]["S"] for name in ("resourceId", "action", "accessedBy")) == asked
        )

        def ask() -> list[str]:
            return audit_table.when(account.dynamodb, TABLE, RESOURCE, ACTION, PERSON)

        before = ask()
        with step("Dry run of the retrofit") as emit:
            plan = execute(account.stepfunctions, machine, INPUT, name="dry-run")
            emit(f"{plan['expected']['written']:,} items to write, ${plan['dollars']['total']:.4f}")

        with step('The retrofit itself, with "dry_run": false') as emit:
            # The embedded DynamoDB has no point-in-time recovery.
            document = {**INPUT, "dry_run": False, "without_recovery": True}
            output = execute(account.stepfunctions, machine, document, name="retrofit", on_poll=emit)
        after = ask()

    console.print()
    for line in lines(plan, output):
        console.print(line, soft_wrap=True)
    console.print()
    console.print(f"When has {PERSON} {ACTION} {RESOURCE}?  In all items: {spoken(truth)}")
    console.print(f"  the index before: {spoken(before)}")
    console.print(f"  the index after:  {spoken(after)}")
    console.print()
    if before == truth or after != truth or output["wrong"]:
        console.print("[red]The index is not complete after the retrofit, or was before.[/]")
        return 1
    console.print("[green]The index was incomplete before the retrofit and is complete after it.[/]")
    return 0


def lines(plan: Mapping[str, Any], output: Mapping[str, Any]) -> list[str]:
    """Print the dry run's plan and the retrofit's results."""
    per_update = ", ".join(f"{units:g} {name}" for name, units in plan["write_units_per_update"].items())
    said = [f"Advice      {advice['because']}" for advice in plan["advice"]]
    return [
        f"Plan        {plan['items']:,} items ({plan['items_are']}), write units per update: {per_update}",
        *said,
        f"Done        {output['items']:,} items: {output['written']:,} written, {output['right']:,} right already, "
        f"{output['lacking']:,} lacking a source, {output['refused']:,} refused",
        f"Verified    {output['verified']:,} items, {output['wrong']:,} wrong",
        f"Consumed    {output['write_units']:,.0f} write units, {output['read_units']:,.1f} read units, "
        f"{output['requests']:,} requests (this engine counts only the table's writes, not the index's)",
        f"Manifest    {output['manifest']}",
    ]


def spoken(moments: list[str]) -> str:
    return ", ".join(moments) if moments else "never"


if __name__ == "__main__":
    sys.exit(present(demonstrate))
