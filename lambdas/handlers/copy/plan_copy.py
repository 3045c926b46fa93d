"""Plan copy: check the input, look at both tables and a few items, and write down how the job is split up."""

import os
from dataclasses import replace
from typing import Any
from zlib import crc32

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients, copies, price_list, table
from skipscan.aws.item_results import item_results
from skipscan.aws.item_sample import sample_items
from skipscan.aws.settings import Settings
from skipscan.aws.standing_work import check_same
from skipscan.copy.forecast import CopyForecast
from skipscan.copy.input import parse
from skipscan.copy.job import CopyJob
from skipscan.copy.plan import copy_plan
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.recovery import check_recovery
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import SkipscanError
from skipscan.estimate.facts import Facts

logger = Logger()
settings = Settings.read(os.environ)
replicas = os.environ["SKIPSCAN_REPLICAS"]
session = boto3.Session()
dynamodb, s3, pricing = clients.dynamodb(session, connections=1), clients.s3(session), price_list.client(session)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the job and its workers, the explanation of a dry run, or the error and cause of what must not start."""
    try:
        asked = parse(event["input"])
        description = table.describe(dynamodb, asked.table)
        replica = copies.replica_of(asked, description, replicas)
        target = copies.target_of(dynamodb, asked, replica, description)
        replica.check(description, target)
        recovery = table.has_recovery(dynamodb, replica.target)
        if not (asked.dry_run or asked.without_recovery):
            check_recovery(asked.to, recovery)
        facts = Facts.described(asked.table, description, None)
        prices = price_list.prices(pricing, session.region_name, is_infrequent_access=facts.is_infrequent_access)
        name = asked.resume or event["copy"]
        results = item_results(s3, settings, asked.table, CopyJob.noun, name)
        if asked.resume:
            return _handed_on(copies.resume(asked, replica, description, target, results=results, prices=prices))
        plan = copy_plan(asked, replica, description, target, prices)
        job = CopyJob(name, event["execution"], event["started"], plan)
        # A retry must not plan anew: workers may rest on the plan that stands.
        document = results.plan() or results.put_plan(
            {**_document(job, description, target, prices, recovery), "dry_run": asked.dry_run}
        )
        standing = CopyJob.from_json(document)
        check_same(standing, job)
    except SkipscanError as error:
        logger.warning("plan refused", error=type(error).__name__, cause=str(error))
        return {"error": type(error).__name__, "cause": str(error)}
    return {"explanation": document["explanation"]} if asked.dry_run else _handed_on(standing)


def _handed_on(job: CopyJob) -> dict[str, Any]:
    """Return what the Map and Finish work on."""
    logger.info("plan copy", copy=job.name, workers=job.plan.workers, segments=job.plan.reading.segments)
    return {"copy": job.to_json(), "workers": list(range(job.plan.workers))}


def _document(
    job: CopyJob,
    description: TableDescription,
    target: TableDescription,
    prices: Prices,
    recovery: bool | None,
) -> dict[str, Any]:
    """Return what plan.json holds: the job, and its explanation from a sample of the source's items."""
    plan = job.plan
    sample = sample_items(dynamodb, plan.reading, crc32(job.execution.encode()))
    forecast = CopyForecast.of(plan.transform, sample, plan.reading.segments, description, target)
    plan = replace(
        plan,
        units_per_write=forecast.put_units,
        reading=replace(plan.reading, item_bytes=forecast.item_bytes),
    )
    explanation = forecast.to_json(plan, target, prices, recovery=recovery)
    return {**replace(job, plan=plan).to_json(), "explanation": explanation}
