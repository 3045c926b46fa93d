"""Compare: tell which keys are new and which have vanished since an earlier run, where the input asked for it."""

import os
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients
from skipscan.aws.comparisons import Comparisons
from skipscan.aws.settings import Settings
from skipscan.compare.comparison import summary
from skipscan.inputs.names import table_name
from skipscan.loop.event import Compared
from skipscan.loop.layout import Layout

logger = Logger()
settings = Settings.read(os.environ)
s3 = clients.s3(boto3.Session())


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return what the execution's output says of the difference; that there can be none is said, not raised."""
    asked = Compared.from_json(event)
    logger.append_keys(run=asked.run)
    layout = Layout(settings.prefix, table_name(asked.table), asked.run)
    results = Comparisons(s3, settings.bucket, layout)
    told = summary(
        results.diff() or results.compare(asked.earlier, Path(gettempdir())),
        results.uri(layout.diff),
    )
    logger.info("compare", **told)
    return told
