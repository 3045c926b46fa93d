"""The whole job on this machine: `python -m local.demo`.

Deploys the environment `local` with the CDK onto an embedded AWS, lists the partition keys of a sample table with the
state machine, and compares: the keys with those that were loaded, the cost with that of two other ways to list them.
"""

from __future__ import annotations

import shutil
import signal
import sys
from contextlib import ExitStack
from datetime import UTC, datetime

from rich.console import Console

from local import report, sample_table
from local.cdk import CdkError
from local.checkout import BUILD
from local.embedded import embedded
from local.execution import ExecutionError, execute
from local.listing import full_scan, one_item_skip_scan
from local.results import Results
from local.server import ServerError
from local.steps import Steps
from skipscan.layout import Layout
from skipscan.offer import FIRST_ITEM, FULL
from skipscan.report.folder import BucketFolder
from skipscan.report.page import page
from skipscan.report.record import Record

TABLE = "Sample"
RUN = "demo"
COPY = BUILD / "demo"


def main() -> int:
    """The exit status: 0 when the keys found are the keys loaded."""
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    console = Console(highlight=False)
    try:
        return demonstrate(console)
    except KeyboardInterrupt:
        console.print("Stopped; nothing is left running.")
        return 128 + signal.SIGINT
    except (ServerError, CdkError, ExecutionError) as error:
        console.print(str(error), markup=False, soft_wrap=True)
        return 1


def demonstrate(console: Console) -> int:
    """Every step in order, then the figures."""
    step = Steps(console).step
    with ExitStack() as stack:
        with step("Start an embedded AWS: MiniStack, with dynalite as its DynamoDB"):
            account = stack.enter_context(embedded())

        with step("Deploy the stack skipscan-local: cdk bootstrap, cdk deploy"):
            outputs = account.deploy("local")

        with step(f"Load the table {TABLE}") as tell:
            sample_table.create(account.dynamodb, TABLE)
            customers = sample_table.customers()
            loaded = sample_table.load(
                account.dynamodb,
                TABLE,
                customers,
                on_written=lambda items: tell(f"{items:,} items in {len(customers):,} item collections"),
            )

        layout = Layout("skipscan", TABLE, RUN)
        results = Results(account.s3, outputs["BucketName"], layout)
        with step(f'Run the state machine with {{"table": "{TABLE}"}}') as tell:
            output = execute(
                account.stepfunctions,
                outputs["StateMachineArn"],
                {"table": TABLE},
                name=RUN,
                on_poll=lambda status: tell(f"{status}, {results.keys():,} keys on S3"),
            )
        shutil.rmtree(COPY, ignore_errors=True)
        keys = [key["customer"] for key in results.copy(COPY)]

        with step("List the keys in two other ways, to compare"):
            one_item = one_item_skip_scan(account.dynamodb, TABLE, "customer", "order")
            full = full_scan(account.dynamodb, TABLE, "customer")

        with step("Draw the report"):
            run = BucketFolder(account.s3, outputs["BucketName"], layout.root)
            others = {FULL: (full.read_units, full.requests), FIRST_ITEM: (one_item.read_units, one_item.requests)}
            (COPY / "report.html").write_text(page(Record.read(run), datetime.now(UTC), others), encoding="utf-8")

    console.print()
    console.print(report.comparison(output, one_item, full))
    console.print()
    for line in report.places(keys, output, COPY):
        console.print(line, soft_wrap=True)
    console.print()
    if wrong := report.difference(keys, loaded):
        console.print(f"[red]The keys are not those that were loaded: {wrong}.[/]")
        return 1
    console.print(f"[green]The keys are the {len(loaded):,} that were loaded, each once.[/]")
    return 0


if __name__ == "__main__":
    sys.exit(main())
