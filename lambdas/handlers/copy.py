"""The handlers of a copy's states."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from handlers import handlers, planning, reporting, working
from skipscan.aws import clients
from skipscan.aws.function import Function, Handler
from skipscan.copy.kind import COPY

if TYPE_CHECKING:
    from handlers import Opened
    from skipscan.copy.plan import CopyPlan
    from skipscan.loop.work import Work

function = Function.of(COPY)


def _plan() -> Handler:
    """Plan copy: check the input, describe both tables, sample a few items, and store the plan."""
    from skipscan.copy.planning import CopyPlanning
    from skipscan.copy.replicator_requests import check_on

    keys, lambda_ = (clients.single(function.session, service) for service in ("kms", "lambda"))

    def open_planning(document: object, _: object, dynamodb: clients.DynamoDBClient, pricing: Any) -> CopyPlanning:
        settings = function.settings
        return CopyPlanning.open(
            document,
            dynamodb,
            pricing,
            settings,
            keys=keys,
            check_on=lambda replica: check_on(lambda_, replica, settings.mappings[replica.source]),
        )

    return planning(function, open_planning)


def _copy_page() -> Handler:
    """Copy page: one bounded batch of one worker. Takes the worker's progress from the state and returns it."""
    from skipscan.copy.job import CopyJob
    from skipscan.copy.replica import PUT_SECONDS
    from skipscan.copy.requests import copy_requests
    from skipscan.items.job import THREADS

    sqs = clients.sqs(function.session, connections=THREADS)

    def open_job(dynamodb: clients.DynamoDBClient, work: Work[CopyPlan]) -> Opened:
        return partial(CopyJob, work.plan), copy_requests(dynamodb, work.plan, sqs)

    # The replicator's late look comes after every put, because no put is sent later than this.
    return working(function, open_job, most_seconds=PUT_SECONDS)


__getattr__ = handlers(
    plan_copy=_plan, copy_page=_copy_page, finish_copy=function.finishing, report_copy=partial(reporting, function)
)
