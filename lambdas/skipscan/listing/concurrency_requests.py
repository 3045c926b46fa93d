"""How many functions may run at once, according to Lambda; a default without permission, network or time.

Where runs must not overlap, a run is skipped while an earlier one with the same input is running.

Lambda refuses invocations with 429 while the concurrency of the account and region is used up
(https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from skipscan.aws import clients
from skipscan.errors import InputError
from skipscan.inputs.fields import without_parent
from skipscan.inputs.names import table_name
from skipscan.listing.execution_input import parse
from skipscan.listing.fields import Overlap
from skipscan.listing.kind import LISTING
from skipscan.loop.dependencies import Dependencies
from skipscan.loop.event import start_of
from skipscan.loop.metric import Metric

DEFAULT = 1_000
"""The default quota of an account, shared by all its functions in a region; new accounts begin with less."""

LEFT_FREE = 0.1
"""The share of the account's concurrency that is left to other functions."""


def lambda_client(session: boto3.Session) -> clients.LambdaClient:
    """Return a client that gives up quickly: a plan must not wait for a number that has a default."""
    client: clients.LambdaClient = clients.make(session, "lambda", clients.IMPATIENT)
    return client


@dataclass(frozen=True)
class FreeFunctions:
    """`free`: how many functions may run at once. `source`: of the number, in words. `shared`: with other functions."""

    free: int
    source: str
    shared: bool = True

    @classmethod
    def of(cls, lambda_: clients.LambdaClient, reserved: int | None) -> "FreeFunctions":
        """Return the reserved concurrency of the workers' function, or else the account's unreserved concurrency."""
        if reserved is not None:
            return cls(reserved, "reserved_concurrency of the environment", shared=False)
        try:
            limit = lambda_.get_account_settings()["AccountLimit"]
            return cls(int(limit["UnreservedConcurrentExecutions"]), "the account's unreserved concurrency")
        except (BotoCoreError, ClientError, KeyError, TypeError, ValueError):
            return cls(DEFAULT, "Lambda's default for an account, because the account's value could not be read")

    @property
    def most_workers(self) -> int:
        """Return how many workers a run may have so that none is refused."""
        return max(1, int(self.free * (1 - LEFT_FREE)) if self.shared else self.free)

    def lowered(self, workers: int) -> str | None:
        """Return the note for a run that asks for so many workers; `None` if it can have them."""
        if workers <= self.most_workers:
            return None
        rest = ", and one tenth is reserved for other functions" if self.shared else ""
        return (
            f"workers is lowered from {workers:,} to {self.most_workers:,}: Lambda runs {self.free:,} functions at "
            f"once ({self.source}){rest}. For more workers, request a higher quota."
        )

    def to_json(self) -> dict[str, Any]:
        return {"free": self.free, "source": self.source, "most_workers": self.most_workers}


MOST_EARLIER = 100
"""How many earlier executions are described, one request each: an account has 15 such requests a second (Step Functions
developer guide, "Quotas"), and Plan reads nothing meanwhile."""


def skipped(event: Mapping[str, Any], client: clients.SFNClient, dependencies: Dependencies) -> dict[str, Any] | None:
    """Return the output of a skipped execution; `None` if it starts.

    An invalid input is not skipped, because planning refuses it. If Step Functions does not answer, or if too many
    executions are running, the run starts: two runs at once cost twice, but both are complete.
    """
    try:
        document, execution = start_of(event, LISTING.states["plan"])
        listing_input = parse(document)
    except InputError:
        return None
    if listing_input.overlap is not Overlap.SKIP:
        return None
    name = execution.name
    try:
        earlier, is_checked = _earlier(client, execution.arn)
    except (BotoCoreError, ClientError) as error:
        dependencies.log.warning("overlap not checked", run=name, error=type(error).__name__)
        return None
    if not is_checked:
        dependencies.log.warning("overlap not checked", run=name, described=MOST_EARLIER)
    if earlier is None:
        return None
    dependencies.log.warning("run skipped", run=name, earlier=earlier)
    dependencies.emit({Metric.RUNS_SKIPPED: 1}, table=table_name(listing_input.table), run=name)
    return {"explanation": {"table": listing_input.table, "run": name, "skipped": True, "earlier": earlier}}


def _earlier(client: clients.SFNClient, arn: str) -> tuple[str | None, bool]:
    """Return the name of a running execution with the same input that started before this one.

    And whether all that started before were checked, if it is none of them.
    """
    described = 0
    own_order, own_input = _order_and_input(client, arn)
    machine = arn.replace(":execution:", ":stateMachine:").rpartition(":")[0]
    pages = client.get_paginator("list_executions").paginate(stateMachineArn=machine, statusFilter="RUNNING")
    for page in pages:
        for entry in page["executions"]:
            if (entry["startDate"], entry["executionArn"]) >= own_order:
                continue
            if described == MOST_EARLIER:
                return None, False
            described += 1
            if _order_and_input(client, entry["executionArn"])[1] == own_input:
                return entry["name"], True
    return None, True


def _order_and_input(client: clients.SFNClient, arn: str) -> tuple[tuple[datetime, str], Any]:
    found = client.describe_execution(executionArn=arn)
    return (found["startDate"], arn), without_parent(json.loads(found["input"]))
