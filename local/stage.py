"""What every demo plays on: an embedded AWS, the stack deployed, a sample table loaded; cleared away after it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from local import sample_table
from local.cdk import CdkError
from local.embedded import Embedded, embedded
from local.execution import ExecutionError, execute
from local.results import Results
from local.server import ServerError
from local.steps import Steps
from skipscan.listing.kind import LISTING

TABLE = "Sample"


@dataclass
class Stage:
    """`outputs`: of the stack. `loaded`: the table's partition keys."""

    account: Embedded
    outputs: Mapping[str, str]
    loaded: frozenset[str]

    def results(self, run: str) -> Results:
        return Results(self.account.s3, self.outputs["BucketName"], LISTING.layout("skipscan", TABLE, run))

    def run(
        self, document: Mapping[str, Any], *, name: str, machine: str = "StateMachineArn", emit: Callable[[str], object]
    ) -> Mapping[str, Any]:
        """The output of an execution of the state machine whose ARN is that output of the stack."""
        return execute(self.account.stepfunctions, self.outputs[machine], document, name=name, on_poll=emit)


@contextmanager
def stage(steps: Steps, *, marker_index: bool = False) -> Iterator[Stage]:
    """The stage, each step of setting it up shown."""
    with ExitStack() as stack:
        with steps.step("Start an embedded AWS: MiniStack, with dynalite as its DynamoDB"):
            account = stack.enter_context(embedded())
        with steps.step("Deploy the stack skipscan-local: cdk bootstrap, cdk deploy"):
            outputs = account.deploy("local")
        with steps.step(f"Load the table {TABLE}") as emit:
            sample_table.create(account.dynamodb, TABLE, marker_index=marker_index)
            customers = sample_table.customers()
            loaded = sample_table.load(
                account.dynamodb,
                TABLE,
                customers,
                on_written=lambda items: emit(f"{items:,} items in {len(customers):,} item collections"),
            )
        yield Stage(account, outputs, loaded)


def present(demonstrate: Callable[[Console], int]) -> int:
    """The exit status of a demo; what stops it is said in words, and leaves nothing running."""
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
