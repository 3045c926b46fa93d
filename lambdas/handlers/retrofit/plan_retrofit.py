"""Plan retrofit: check the input, look at the table and a few of its items, and write down how the job is split up."""

import os
from dataclasses import replace
from typing import Any
from zlib import crc32

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients, price_list, retrofits, table
from skipscan.aws.item_results import item_results
from skipscan.aws.item_sample import sample_items
from skipscan.aws.settings import Settings
from skipscan.aws.standing_work import check_same
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.recovery import check_recovery
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import SkipscanError
from skipscan.estimate.facts import Facts
from skipscan.retrofit.forecast import Forecast
from skipscan.retrofit.input import RetrofitInput, parse
from skipscan.retrofit.job import RetrofitJob
from skipscan.retrofit.plan import retrofit_plan

logger = Logger()
settings = Settings.read(os.environ)
enabled = os.environ["SKIPSCAN_RETROFIT"]
session = boto3.Session()
dynamodb, s3, pricing = clients.dynamodb(session, connections=1), clients.s3(session), price_list.client(session)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the job and its workers, the explanation of a dry run, or the error and cause of what must not start."""
    try:
        asked = parse(event["input"])
        description = table.describe(dynamodb, asked.table)
        retrofits.check_enabled(description, enabled)
        recovery = table.has_recovery(dynamodb, asked.table)
        if not (asked.dry_run or asked.without_recovery):
            check_recovery(asked.table, recovery)
        prices = _prices(asked, description)
        name = asked.resume or event["retrofit"]
        results = item_results(s3, settings, asked.table, RetrofitJob.noun, name)
        if asked.resume:
            return _handed_on(retrofits.resume(asked, description, results, prices))
        job = RetrofitJob(name, event["execution"], event["started"], retrofit_plan(asked, description, prices))
        # A retry must not plan anew: workers may rest on the plan that stands.
        document = results.plan() or results.put_plan(_document(asked, job, description, prices, recovery))
        standing = RetrofitJob.from_json(document)
        check_same(standing, job)
    except SkipscanError as error:
        logger.warning("plan refused", error=type(error).__name__, cause=str(error))
        return {"error": type(error).__name__, "cause": str(error)}
    return {"explanation": document["explanation"]} if asked.dry_run else _handed_on(standing)


def _handed_on(job: RetrofitJob) -> dict[str, Any]:
    """Return what the Map and Finish work on."""
    logger.info("plan retrofit", retrofit=job.name, workers=job.plan.workers, segments=job.plan.reading.segments)
    return {"retrofit": job.to_json(), "workers": list(range(job.plan.workers))}


def _prices(asked: RetrofitInput, description: TableDescription) -> Prices:
    facts = Facts.described(asked.table, description, None)
    return price_list.prices(pricing, session.region_name, is_infrequent_access=facts.is_infrequent_access)


def _document(
    asked: RetrofitInput, job: RetrofitJob, description: TableDescription, prices: Prices, recovery: bool | None
) -> dict[str, Any]:
    """Return what plan.json holds: the job, and its explanation from a sample of the table's items."""
    reading = job.plan.reading
    sample = sample_items(dynamodb, reading, crc32(job.execution.encode()))
    forecast = Forecast.of(job.plan.targets, sample, reading.segments, description)
    plan = replace(
        job.plan,
        units_per_write=forecast.update_units,
        reading=replace(reading, item_bytes=forecast.size_bytes / forecast.items if forecast.items else 0.0),
    )
    explanation = forecast.to_json(plan, description, prices, recovery=recovery, shows=asked.show_items)
    return {**replace(job, plan=plan).to_json(), "dry_run": asked.dry_run, "explanation": explanation}
