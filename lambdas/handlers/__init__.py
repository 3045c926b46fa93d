"""The handlers of the functions, one file a machine. A handler creates the clients and calls the library.

Every function of a machine imports the machine's file, and asks it for the handler of one state. What that state
alone needs is imported and created then, still before the first invocation: no cold start pays for another state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

    from skipscan.aws.clients import DynamoDBClient
    from skipscan.aws.function import Function, Handler
    from skipscan.items.job import Job
    from skipscan.loop.begin import Planning
    from skipscan.loop.results import Results
    from skipscan.loop.run_batch import ReadyBatch
    from skipscan.loop.storage import Part
    from skipscan.loop.work import Work
    from skipscan.pace.bill import Amounts
    from skipscan.pace.ledger import Ledger
    from skipscan.stored.stored_work import StoredWork

    Opened = tuple[Callable[[Ledger], Job], Callable[[Any], Any]]
    """What makes the job of a batch, and what makes its requests."""


def handlers(**states: Callable[[], Any]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a machine's file: it makes the handler of the state that Lambda asks for by name."""

    def handler_of(state: str) -> Any:
        if state not in states:
            raise AttributeError(state)
        return states[state]()

    return handler_of


def planning(
    function: Function[Any],
    open_planning: Callable[[object, LambdaContext, DynamoDBClient, Any], Planning[Any]],
    skipped: Callable[[Mapping[str, Any]], dict[str, Any] | None] = lambda event: None,
) -> Handler:
    """Return the handler of a Plan.

    `open_planning`: checks an execution input and describes its table; it also takes clients of DynamoDB and of the
    price list. `skipped`: returns the output of an execution that is not to start.
    """
    from skipscan.aws import clients
    from skipscan.listing import price_requests

    dynamodb = clients.dynamodb(function.session, connections=1)
    pricing = price_requests.pricing_client(function.session)

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the work and its workers, or the explanation of a dry run, or the error and cause of a refusal."""
        return skipped(event) or function.plan(
            event, lambda document: open_planning(document, context, dynamodb, pricing)
        )

    return handler


def working(
    function: Function[Any],
    open_job: Callable[[DynamoDBClient, Work[Any]], Opened],
    most_seconds: float = inf,
) -> Handler:
    """Return the handler of a job's turn: one bounded batch, in which no table may be another than in the plan.

    `most_seconds`: of a batch.
    """
    from skipscan.aws import lean
    from skipscan.aws.rechecked import same_tables
    from skipscan.items.engine import Engine
    from skipscan.items.job import THREADS
    from skipscan.loop.event import turn_of
    from skipscan.loop.run_batch import ReadyBatch
    from skipscan.pace.ledger import Ledger

    dynamodb = lean.lean_dynamodb(function.session, connections=THREADS, notify=lean.notice(function.dependencies))

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the worker's progress after this batch; raise `StateError` for a state that is not the worker's."""
        turn, dependencies = turn_of(function.kind, event), function.dependencies

        def open_batch(progress: Any, part: Part, allotted: Amounts | None) -> ReadyBatch:
            tables = same_tables(dynamodb, turn.work, dependencies.clock)
            tables.check()
            job, do = open_job(dynamodb, turn.work)
            bounds = function.bounds(context, progress, allotted, at_most_seconds=most_seconds)
            clock, random = dependencies.batch_clock(), dependencies.random
            ledger = Ledger(turn.work.plan.limits, progress, bounds=bounds, clock=clock, random=random)
            return ReadyBatch(Engine(job(ledger), ledger, write=part.write), tables.before(do), THREADS)

        return function.turn(turn, open_batch)

    return handler


def reporting(function: Function[Any], report: Callable[[StoredWork], str] | None = None) -> Handler:
    """Return a handler that draws the page of finished work and returns the page's address in the console of S3.

    `report`: returns what is drawn of the work; a job's by default. An error there does not fail the execution.
    """
    from skipscan.report.work import job
    from skipscan.stored.stored_work import StoredWork

    def draw(results: Results) -> str:
        work = StoredWork(function.kind, replace(results, shows_attempts=False))
        return (report or job)(work)

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> str:
        return function.report(event, draw)

    return handler
