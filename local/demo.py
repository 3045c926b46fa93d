"""The whole of Skipscan on this machine: `python -m local.demo`.

Deploys the environment `local` with the CDK onto an embedded AWS, lists the partition keys of a sample table with the
state machine, and compares: the keys with those that were loaded, the cost with that of two other ways to list them.
"""

from __future__ import annotations

import shutil
import sys
from datetime import UTC, datetime

from rich.console import Console

from local import report
from local.checkout import BUILD
from local.listing import full_scan, one_item_skip_scan
from local.stage import TABLE, present, stage
from local.steps import Steps
from skipscan.aws.run_folder import BucketFolder
from skipscan.estimate.offer import FIRST_ITEM, FULL
from skipscan.listing.kind import LISTING
from skipscan.report.listing import listing
from skipscan.report.page import page
from skipscan.report.record import Record

RUN = f"demo-{datetime.now(UTC):%Y-%m-%d}"
COPY = BUILD / "demo"


def demonstrate(console: Console) -> int:
    """Every step in order, then the figures; the exit status is 0 when the keys found are the keys loaded."""
    steps = Steps(console)
    with stage(steps) as set_up:
        results = set_up.results(RUN)
        with steps.step(f'Run the state machine with {{"table": "{TABLE}"}}') as emit:
            output = set_up.run(
                {"table": TABLE}, name=RUN, emit=lambda status: emit(f"{status}, {results.keys():,} keys on S3")
            )
        shutil.rmtree(COPY, ignore_errors=True)
        keys = [key["customer"] for key in results.copy(COPY)]

        with steps.step("List the keys in two other ways, to compare"):
            dynamodb = set_up.account.dynamodb
            one_item = one_item_skip_scan(dynamodb, TABLE, "customer", "order")
            full = full_scan(dynamodb, TABLE, "customer")

        with steps.step("Draw the report"):
            layout = LISTING.layout("skipscan", TABLE, RUN)
            run = BucketFolder(set_up.account.s3, set_up.outputs["BucketName"], layout.root)
            others = {FULL: (full.read_units, full.requests), FIRST_ITEM: (one_item.read_units, one_item.requests)}
            drawn = page(listing(Record.read(run), others), datetime.now(UTC))
            (COPY / "report.html").write_text(drawn, encoding="utf-8")

    console.print()
    console.print(report.comparison(output, one_item, full))
    console.print()
    for line in report.places(keys, output, COPY):
        console.print(line, soft_wrap=True)
    console.print()
    if wrong := report.difference(keys, set_up.loaded):
        console.print(f"[red]The keys are not those that were loaded: {wrong}.[/]")
        return 1
    console.print(f"[green]The keys are the {len(set_up.loaded):,} that were loaded, each once.[/]")
    return 0


if __name__ == "__main__":
    sys.exit(present(demonstrate))
