"""The handlers of an act's states."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from handlers import handlers, planning, reporting, working
from skipscan.act.kind import ACT
from skipscan.aws import clients
from skipscan.aws.function import Function, Handler

if TYPE_CHECKING:
    from handlers import Opened
    from skipscan.act.plan import ActPlan
    from skipscan.loop.work import Work

function = Function.of(ACT)


def _plan() -> Handler:
    """Plan act: check an act over a finished run, preview its writes, and store the plan."""
    from skipscan.act.planning import ActPlanning

    return planning(
        function,
        lambda document, context, dynamodb, pricing: ActPlanning.open(
            document, dynamodb, pricing, function, context.invoked_function_arn
        ),
    )


def _act() -> Handler:
    """Act: one bounded batch of one worker of an act. Takes the worker's progress from the state and returns it."""
    from skipscan.act.job import ActJob, slices_of
    from skipscan.act.parts import Parts
    from skipscan.act.requests import ActRequests
    from skipscan.items.job import THREADS
    from skipscan.listing.kind import LISTING

    lambda_, sqs = clients.lambda_(function.session, connections=THREADS), clients.sqs(function.session, THREADS)

    def open_job(dynamodb: clients.DynamoDBClient, work: Work[ActPlan]) -> Opened:
        run = function.results(work.plan.table, work.plan.run, LISTING)
        requests = ActRequests(work, Parts(function.storage), dynamodb=dynamodb, lambda_=lambda_, sqs=sqs)
        return partial(ActJob, work.plan, slices_of(work, run.manifest())), requests.do

    return working(function, open_job)


__getattr__ = handlers(plan_act=_plan, act=_act, finish_act=function.finishing, report_act=partial(reporting, function))
