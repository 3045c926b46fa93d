"""Plan: check the input, look at the table, decide how the run is split up, and write that down."""

import os
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients, table
from skipscan.aws.results import Results
from skipscan.aws.settings import Settings
from skipscan.errors import InputError, SkipscanError
from skipscan.execution_input import parse, table_name
from skipscan.layout import Layout
from skipscan.plan import plan
from skipscan.run import Run

logger = Logger()
settings = Settings.read(os.environ)
session = boto3.Session()
dynamodb, s3 = clients.dynamodb(session, connections=1), clients.s3(session)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the run and its workers, or the error and cause of an execution that must not start."""
    try:
        asked = parse(event["input"])
        run = Run(
            name=event["run"],
            execution=event["execution"],
            started=event["started"],
            plan=plan(asked, table.describe(dynamodb, asked.table)),
        )
        results = Results(s3, settings.bucket, Layout(settings.prefix, table_name(asked.table), run.name))
        # A retry must not plan anew: workers may rest on the plan that stands.
        standing = Run.from_json(results.put_plan(run.to_json()))
        if not standing.is_same_as(run):
            raise InputError(
                f'the execution\'s name is "{run.name}"; an earlier run of that name left its results on S3: '
                "start the execution under another name"
            )
    except SkipscanError as error:
        logger.warning("plan refused", error=type(error).__name__, cause=str(error))
        return {"error": type(error).__name__, "cause": str(error)}
    logger.info("plan", run=run.name, plan=standing.plan.to_json())
    return {"run": standing.to_json(), "workers": list(range(standing.plan.workers))}
