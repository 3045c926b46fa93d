"""Plan act: check a job over a finished run, preview what it writes, and write down how it is split up."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.act.action import Action
from skipscan.act.actions.undo import UndoOf
from skipscan.act.check import check, check_enabled
from skipscan.act.input import ActionInput, parse
from skipscan.act.job import Job
from skipscan.act.plan import plan
from skipscan.act.preview import Preview
from skipscan.aws import clients, price_list, table
from skipscan.aws.jobs import finished, resolve, resumed
from skipscan.aws.parts import Parts
from skipscan.aws.results import Results
from skipscan.aws.settings import Settings
from skipscan.aws.standing_work import check_same
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.recovery import check_recovery
from skipscan.dynamodb.table_description import KeyAttribute, TableDescription
from skipscan.errors import SkipscanError
from skipscan.estimate.facts import Facts
from skipscan.inputs.names import table_name
from skipscan.loop.layout import Layout

logger = Logger()
settings = Settings.read(os.environ)
session = boto3.Session()
dynamodb, s3, pricing = clients.dynamodb(session, connections=1), clients.s3(session), price_list.client(session)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the job and its workers, the explanation of a dry run, or the error and cause of what must not start."""
    try:
        asked = parse(event["input"])
        description = table.describe(dynamodb, asked.table)
        layout = Layout(settings.prefix, table_name(asked.table), asked.run)
        manifest = finished(asked, Results(s3, settings.bucket, layout))
        results = Results(s3, settings.bucket, replace(layout, job=asked.resume or event["job"]))
        if asked.action is None:
            job = resumed(asked, description, results, _prices(asked, description))
            _check(asked, job.plan.action, manifest, description)
            return _handed_on(job)
        undone = asked.action.job if isinstance(asked.action, UndoOf) else None
        action = resolve(asked.action, Results(s3, settings.bucket, replace(layout, job=undone)))
        recovery = _check(asked, action, manifest, description)
        job, explanation = _planned(asked, action, manifest, description, recovery=recovery, event=event)
        # A retry must not plan anew: workers may rest on the plan that stands.
        document = results.put_plan({**job.to_json(), "dry_run": asked.dry_run, **explanation})
        standing = Job.from_json(document)
        check_same(standing, job)
    except SkipscanError as error:
        logger.warning("plan refused", error=type(error).__name__, cause=str(error))
        return {"error": type(error).__name__, "cause": str(error)}
    if not asked.dry_run:
        return _handed_on(standing)
    # What the items hold are customers' data: it lies on S3, and goes into the execution only if asked for.
    shown = {"items": document["items"]} if asked.show_items else {}
    return {"explanation": {**document["explanation"], **shown}}


def _check(
    asked: ActionInput, action: Action, manifest: Mapping[str, Any], description: TableDescription
) -> bool | None:
    """Return whether the table has point-in-time recovery; raise for a job that must not start."""
    check_enabled(action, description, settings.writing)
    listed = tuple(KeyAttribute(**entry) for entry in manifest["partition_key"])
    check(action, listed, manifest["index"], description)
    recovery = table.has_recovery(dynamodb, asked.table)
    if action.writes and not (asked.dry_run or asked.without_recovery):
        check_recovery(asked.table, recovery)
    return recovery


def _planned(
    asked: ActionInput,
    action: Action,
    manifest: Mapping[str, Any],
    description: TableDescription,
    *,
    recovery: bool | None,
    event: Mapping[str, Any],
) -> tuple[Job, dict[str, Any]]:
    """Return the job, and what plan.json holds besides it."""
    sample = Parts(s3, settings.bucket).sample(manifest)
    preview = Preview.of(action, event["job"], sample, description)
    prices = _prices(asked, description)
    job = Job(
        event["job"],
        event["execution"],
        event["started"],
        plan(asked, action, manifest, description, key_units=preview.key_units, prices=prices),
    )
    is_on_demand = Facts.described(asked.table, description, None).read_capacity_units is None
    explanation = preview.to_json(job.plan, prices, recovery=recovery, is_on_demand=is_on_demand)
    return job, {"explanation": explanation, "items": preview.first_items()}


def _prices(asked: ActionInput, description: TableDescription) -> Prices:
    facts = Facts.described(asked.table, description, None)
    return price_list.prices(pricing, session.region_name, is_infrequent_access=facts.is_infrequent_access)


def _handed_on(job: Job) -> dict[str, Any]:
    """Return what the Map and Finish act work on."""
    logger.info("plan act", job=job.name, run=job.plan.run, action=job.plan.action.name, workers=job.plan.workers)
    return {"job": job.to_json(), "workers": list(range(job.plan.workers))}
