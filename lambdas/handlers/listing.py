"""The handlers of the listing's states."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from handlers import handlers, planning, reporting
from skipscan.aws import clients
from skipscan.aws.faults import scrubbed
from skipscan.aws.function import Function, Handler
from skipscan.listing.kind import LISTING

function = Function.of(LISTING)


def _plan() -> Handler:
    """Plan: check the input, describe the table, sample it if that helps, and store the plan; or profile the table."""
    from skipscan.environment import executions
    from skipscan.listing import concurrency_requests
    from skipscan.listing.concurrency_requests import FreeFunctions
    from skipscan.listing.planning import RunPlanning
    from skipscan.loop.begin import Planning
    from skipscan.profile.planning import planning_of
    from skipscan.scan.plan import Plan

    lambda_ = concurrency_requests.lambda_client(function.session)
    stepfunctions = executions.sfn_client(function.session)

    def open_planning(
        document: object, context: LambdaContext, dynamodb: clients.DynamoDBClient, pricing: Any
    ) -> Planning[Plan]:
        run = RunPlanning.open(
            document,
            dynamodb,
            pricing,
            function.results,
            slots=lambda: FreeFunctions.of(lambda_, function.settings.reserved_concurrency),
            settings=function.settings,
        )
        return planning_of(run, lambda: context.get_remaining_time_in_millis() / 1000)

    def skipped(event: Mapping[str, Any]) -> dict[str, Any] | None:
        return concurrency_requests.skipped(event, stepfunctions, function.dependencies)

    return planning(function, open_planning, skipped)


def _scan() -> Handler:
    """Scan: one bounded batch of one worker. Takes the worker's progress from the state and returns it."""
    from skipscan.aws import lean
    from skipscan.aws.table import Table
    from skipscan.lines.given_keys import stored_keys
    from skipscan.loop.event import turn_of
    from skipscan.loop.run_batch import ReadyBatch
    from skipscan.loop.storage import Part
    from skipscan.pace.bill import Amounts
    from skipscan.scan.batch import Batch
    from skipscan.scan.progress import ScanProgress
    from skipscan.scan.width import MOST_WALKS

    dynamodb = lean.lean_dynamodb(function.session, connections=MOST_WALKS, notify=lean.notice(function.dependencies))

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the worker's progress after this batch; raise `StateError` for a state that is not the worker's."""
        turn, dependencies = turn_of(LISTING, event), function.dependencies
        plan = turn.work.plan
        keys = stored_keys(function.results(plan.table, turn.work.name), plan.only)

        def open_batch(progress: ScanProgress, part: Part, allotted: Amounts | None) -> ReadyBatch:
            bounds = function.bounds(context, progress, allotted, plan.batch_seconds)
            clock, random = dependencies.batch_clock(), dependencies.random
            batch = Batch(plan, progress, bounds=bounds, clock=clock, random=random, write=part.write)
            return ReadyBatch(batch, Table(dynamodb, plan, keys).ask, MOST_WALKS, lambda: batch.concurrency)

        return function.turn(turn, open_batch)

    return handler


def _finish() -> Handler:
    """Finish: prove from S3 that every segment was walked and every part exists, then write the manifest."""
    from skipscan.listing.compare.comparison import notice_of
    from skipscan.listing.compare.finished_runs import FinishedRuns
    from skipscan.listing.scope import Scope
    from skipscan.loop.event import gathered_of

    dynamodb = clients.dynamodb(function.session, connections=1, attempts=clients.ATTEMPTS)

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the output of the execution, or the error and cause of an incomplete run."""
        output = function.finish(event, dynamodb)
        if "error" in output:
            return output
        results = function.results(output["table"], output["run"])
        work, _ = gathered_of(LISTING, event)
        with scrubbed():
            plan = results.plan() or {}
            for id in (Scope.of(work.plan).id, *([plan["series"]] if "series" in plan else [])):
                FinishedRuns(results, id).add(work.started)
        # As the manifest states it. Reading that, with tens of thousands of parts, would take more than all of Finish.
        stated = {**work.plan.stated, **output}
        return {"notice": notice_of(stated), **output, **({"compare": plan["compare"]} if "compare" in plan else {})}

    return handler


def _compare() -> Handler:
    """Compare: list the new and vanished keys since an earlier run, if the input names one."""
    from pathlib import Path
    from tempfile import gettempdir

    from skipscan.listing.compare.comparison import compare_runs, summary
    from skipscan.loop.event import compared_of

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return what the execution's output says of the difference; an impossible comparison raises no error."""
        table, run, earlier = compared_of(event)
        function.logger.append_keys(run=run)
        results = function.results(table, run)
        with scrubbed():  # it reads keys
            diff = results.document(results.layout.diff) or compare_runs(results, earlier, Path(gettempdir()))
            output = summary(results.manifest() or {}, diff, results.storage.uri(results.layout.diff))
        function.logger.info("compare", **output)
        return output

    return handler


def _report() -> Handler:
    from skipscan.report.listing import listing
    from skipscan.report.record import read_work
    from skipscan.report.spread import earlier_runs
    from skipscan.stored.stored_work import StoredWork

    def page_of(work: StoredWork) -> str:
        record = read_work(work)
        return listing(record, earlier=earlier_runs(work, record))

    return reporting(function, page_of)


__getattr__ = handlers(plan=_plan, scan=_scan, finish=_finish, compare=_compare, report=_report)
