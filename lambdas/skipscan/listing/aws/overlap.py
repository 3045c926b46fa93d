"""Skips a run while an earlier one with the same input is running, where runs must not overlap."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from skipscan.aws.services import SFNClient
from skipscan.errors import InputError
from skipscan.inputs.names import table_name
from skipscan.listing.execution_input import Overlap, parse
from skipscan.listing.kind import LISTING
from skipscan.loop.event import Begun
from skipscan.loop.shell import Dependencies
from skipscan.metrics.metric import of_skipped

MOST_EARLIER = 100
"""How many earlier executions are described, one request each: an account has 15 such requests a second (Step Functions
developer guide, "Quotas"), and Plan reads nothing meanwhile."""


def skipped(event: Mapping[str, Any], client: SFNClient, shell: Dependencies) -> dict[str, Any] | None:
    """Return the output of a skipped execution; `None` if it starts.

    An invalid input is not skipped, because planning refuses it. If Step Functions does not answer, or if too many
    executions are running, the run starts: two runs at once cost twice, but both are complete.
    """
    try:
        begun = Begun.of(event, LISTING.states.plan)
        listing_input = parse(begun.document)
    except InputError:
        return None
    if listing_input.overlap is not Overlap.SKIP:
        return None
    name = begun.execution.name
    try:
        earlier, is_checked = _earlier(client, begun.execution.arn)
    except (BotoCoreError, ClientError) as error:
        shell.log.warning("overlap not checked", run=name, error=type(error).__name__)
        return None
    if not is_checked:
        shell.log.warning("overlap not checked", run=name, described=MOST_EARLIER)
    if earlier is None:
        return None
    shell.log.warning("run skipped", run=name, earlier=earlier)
    shell.emit(of_skipped(), table=table_name(listing_input.table), run=name)
    return {"explanation": {"table": listing_input.table, "run": name, "skipped": True, "earlier": earlier}}


def _earlier(client: SFNClient, arn: str) -> tuple[str | None, bool]:
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


def _order_and_input(client: SFNClient, arn: str) -> tuple[tuple[datetime, str], Any]:
    found = client.describe_execution(executionArn=arn)
    return (found["startDate"], arn), json.loads(found["input"])
