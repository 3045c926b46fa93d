"""The set-up of the demo: an embedded AWS, the stack deployed, a sample table loaded; removed at the end."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from local import cdk, sample_table
from local.cdk import CdkError
from local.embedded import Embedded, embedded
from local.execution import ExecutionError, execute
from local.results import Results
from local.sample_table import LoadError
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

    def run(self, document: Mapping[str, Any], *, name: str, emit: Callable[[str], object]) -> Mapping[str, Any]:
        """Return the output of an execution of the state machine."""
        machine = self.outputs["StateMachineArn"]
        return execute(self.account.stepfunctions, machine, document, name=name, on_poll=emit)


@contextmanager
def stage(steps: Steps) -> Iterator[Stage]:
    """Set the stage up and show each step."""
    with ExitStack() as stack:
        # Nothing takes longer, and it waits for nothing.
        synthesis = stack.enter_context(cdk.synthesising("local"))
        with steps.step("Start an embedded AWS: MiniStack, with dynalite as its DynamoDB"):
            account = stack.enter_context(embedded())
        table = stack.enter_context(loading(account))
        with steps.step(f"Deploy the stack skipscan-local with cdk bootstrap and cdk deploy; load {TABLE} meanwhile"):
            outputs = account.deploy("local", folder=synthesis)
        with steps.step(f"Load the table {TABLE}") as emit:
            loaded = table.loaded(emit)
        yield Stage(account, outputs, loaded)


class Loading:
    """The sample table, loaded by a thread of `pool` while the stack is deployed."""

    def __init__(self, account: Embedded, pool: ThreadPoolExecutor) -> None:
        self._account = account
        self._customers = sample_table.customers()
        self._stopped = threading.Event()
        self._emit: Callable[[str], object] = lambda _: None
        self._written = 0
        self._future = pool.submit(self._load)

    def stop(self) -> None:
        """Stop the loading at the next batch."""
        self._stopped.set()

    def loaded(self, emit: Callable[[str], object]) -> frozenset[str]:
        """Wait for the end of the loading; return the partition keys."""
        self._emit = emit
        loaded = self._future.result()
        self._note(self._written)
        return loaded

    def _load(self) -> frozenset[str]:
        client = self._account.dynamodb
        sample_table.create(client, TABLE)
        return sample_table.load(client, TABLE, self._customers, on_written=self._note)

    def _note(self, items: int) -> None:
        if self._stopped.is_set():
            raise CancelledError
        self._written = items
        self._emit(f"{items:,} items in {len(self._customers):,} item collections")


@contextmanager
def loading(account: Embedded) -> Iterator[Loading]:
    """Load the table in the background; leaving the block stops the loading."""
    with ThreadPoolExecutor(1) as pool:
        start = Loading(account, pool)
        try:
            yield start
        finally:
            start.stop()


def present(demonstrate: Callable[[Console], int]) -> int:
    """Return the exit status of a demo; report what stopped it, and leave no process running."""
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    console = Console(highlight=False)
    try:
        return demonstrate(console)
    except KeyboardInterrupt:
        console.print("Stopped; no processes are left.")
        return 128 + signal.SIGINT
    except (ServerError, CdkError, ExecutionError, LoadError) as error:
        console.print(str(error), markup=False, soft_wrap=True)
        return 1
