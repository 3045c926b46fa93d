"""A marker index on this machine: `python -m local.demo_markers`.

Lists the keys of the sample table by skip scan, puts a marker into every item collection with the state machine Act,
lists the keys again by the index of markers, compares, and removes the markers.
"""

from __future__ import annotations

import shutil
import sys

from rich.console import Console

from local import marker_report, report
from local.checkout import BUILD
from local.listing import full_scan
from local.sample_table import MARKER_INDEX
from local.stage import TABLE, Stage, present, stage
from local.steps import Steps

MARKERS = {"put_item": {"item": {"order": "#static", "GSI-pk": "{customer}"}}}
ACT = "ActStateMachineArn"
COPY = BUILD / "demo-markers"


def demonstrate(console: Console) -> int:
    """Run every step in order and print the figures; exit with 0 if all listings found the expected keys."""
    steps = Steps(console)
    shutil.rmtree(COPY, ignore_errors=True)
    with stage(steps, marker_index=True) as set_up:
        with steps.step(f'List the keys by skip scan: {{"table": "{TABLE}"}}') as emit:
            skipped = set_up.run({"table": TABLE}, name="by-skip-scan", emit=emit)
        items = full_scan(set_up.account.dynamodb, TABLE, "customer")
        job = {"table": TABLE, "run": "by-skip-scan", **MARKERS}

        with steps.step("Estimate the markers: a job is a dry run by default") as emit:
            plan = set_up.run(job, machine=ACT, name="dry-run", emit=emit)
        for line in marker_report.plan(job, plan):
            console.print(line, soft_wrap=True, markup=False)

        # A job checks point-in-time recovery first, and an engine in memory has none.
        for_real = {"dry_run": False, "without_recovery": True}
        with steps.step('Put the markers: the same with "dry_run": false') as emit:
            put = set_up.run({**job, **for_real}, machine=ACT, name="put-markers", emit=emit)

        by_index = {"table": TABLE, "index": MARKER_INDEX}
        with steps.step(f'List the keys by the index: {{"table": "{TABLE}", "index": "{MARKER_INDEX}"}}') as emit:
            marked = set_up.run(by_index, name="by-markers", emit=emit)
        keys = [key["GSI-pk"] for key in set_up.results("by-markers").copy(COPY)]

        with steps.step('Remove the markers: {"undo": "put-markers"}') as emit:
            undo = {"table": TABLE, "run": "by-skip-scan", "undo": "put-markers", **for_real}
            undone = set_up.run(undo, machine=ACT, name="take-out", emit=emit)
        is_as_before = _is_as_before(set_up, items.keys)

    console.print()
    console.print(marker_report.comparison(skipped, marked, put, undone))
    console.print()
    for line in marker_report.at_scale():
        console.print(line, soft_wrap=True)
    console.print()
    if wrong := report.difference(keys, set_up.loaded):
        console.print(f"[red]The index does not list the loaded keys: {wrong}.[/]")
        return 1
    if not is_as_before:
        console.print("[red]The table differs from its state before the markers.[/]")
        return 1
    console.print(f"[green]The index listed the {len(keys):,} keys of the skip scan, and no marker is left.[/]")
    return 0


def _is_as_before(set_up: Stage, keys: list[str]) -> bool:
    """Return whether the table has those keys again and no marker, by a full scan."""
    dynamodb = set_up.account.dynamodb
    marked = dynamodb.scan(TableName=TABLE, IndexName=MARKER_INDEX, Select="COUNT")
    return not marked["Count"] and full_scan(dynamodb, TABLE, "customer").keys == keys


if __name__ == "__main__":
    sys.exit(present(demonstrate))
