"""Plan: check the input, look at the table, sample it where that helps, and write down how the run is split up."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from zlib import crc32

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients, price_list, table
from skipscan.aws.earlier import Earlier
from skipscan.aws.metrics import Metrics
from skipscan.aws.results import Results
from skipscan.aws.runs import resume
from skipscan.aws.sampling import take_sample
from skipscan.aws.settings import Settings
from skipscan.aws.standing_work import check_same
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import SkipscanError
from skipscan.estimate.explanation import explain
from skipscan.estimate.facts import Facts
from skipscan.estimate.sampling import LARGE_ITEMS
from skipscan.inputs.names import table_name
from skipscan.listing.execution_input import ExecutionInput, parse
from skipscan.listing.run import Run
from skipscan.listing.scope import Listed
from skipscan.loop.event import Begun
from skipscan.loop.layout import Layout
from skipscan.metrics.metric import Metric
from skipscan.metrics.metric_values import of_plan
from skipscan.scan.plan import plan

logger = Logger()
settings = Settings.read(os.environ)
session = boto3.Session()
dynamodb, s3, pricing = clients.dynamodb(session, connections=1), clients.s3(session), price_list.client(session)
metrics = Metrics(settings.environment)


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the run and its workers, the explanation of a dry run, or the error and cause of what must not start."""
    try:
        begun = Begun.from_json(event)
    except SkipscanError as error:
        return _refused(error)
    logger.append_keys(run=begun.run)
    try:
        return _answer(begun)
    except SkipscanError as error:
        return _refused(error, run=begun.run)


def _answer(begun: Begun) -> dict[str, Any]:
    asked = parse(begun.document)
    description = table.describe(dynamodb, asked.table)
    layout = Layout(settings.prefix, table_name(asked.table), asked.resume or begun.run)
    results = Results(s3, settings.bucket, layout)
    if asked.resume:
        return _handed_on(resume(asked, description, results))
    run = Run(begun.run, begun.execution, begun.started, plan(asked, description))
    # A retry must not plan anew: workers may rest on the plan that stands, and its sample is paid for.
    document = results.plan()
    if document is None:
        earlier = Earlier(s3, settings.bucket, layout, Listed.by(run))
        compared = {"compare": {"run": earlier.chosen(asked.compare)}} if asked.compare else {}
        document = _put({**_planned(asked, description, run), **compared}, results, layout)
    standing = Run.from_json(document)
    check_same(standing, run)
    return {"explanation": document["explanation"]} if asked.dry_run else _handed_on(standing)


def _refused(error: SkipscanError, **told: str) -> dict[str, Any]:
    """Return what ends the execution in words. `told`: the run, if it is known."""
    logger.warning("plan refused", error=type(error).__name__, cause=str(error))
    metrics.tell({Metric.PLANS_REFUSED: 1}, **told)
    return {"error": type(error).__name__, "cause": str(error)}


def _handed_on(run: Run) -> dict[str, Any]:
    """Return what the Map and Finish work on."""
    logger.append_keys(run=run.name)
    logger.info("plan", plan=run.plan.to_json())
    return {"run": run.to_json(), "workers": list(range(run.plan.workers))}


def _put(planned: Mapping[str, Any], results: Results, layout: Layout) -> Mapping[str, Any]:
    """Return the plan that stands: this one, which is told then, or one that was put before it."""
    document = results.put_plan(planned)
    if document is planned:
        metrics.tell(of_plan(planned), table=layout.table, run=layout.run)
    return document


def _planned(asked: ExecutionInput, description: TableDescription, run: Run) -> dict[str, Any]:
    """Return what plan.json holds: the run, what it rests on, and an explanation if asked for or worth its sample."""
    facts = Facts.described(asked.table, description, asked.index)
    has_budget = run.plan.max_read_units is not None  # which a sample that nobody asked for must not use up
    if not (asked.dry_run or (facts.items >= LARGE_ITEMS and not has_budget)):
        return {**run.to_json(), "facts": facts.to_json()}
    sample = take_sample(
        dynamodb, run.plan, items=facts.items, size_bytes=facts.size_bytes, seed=crc32(run.execution.encode())
    )
    local = price_list.prices(pricing, session.region_name, is_infrequent_access=facts.is_infrequent_access)
    explanation = explain(asked, run.plan, description, sample=sample, prices=local)
    planned = replace(run, plan=explanation.plan)
    return {**planned.to_json(), "facts": facts.to_json(), "explanation": explanation.to_json()}
