"""Retrofit: one bounded batch of one worker. Takes its progress from state, returns it, holds nothing in between."""

import os
import random
import time
from collections.abc import Mapping
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients, lean
from skipscan.aws.item_results import item_results
from skipscan.aws.item_turn import THREADS, take_turn
from skipscan.aws.retrofit_table import RetrofitTable
from skipscan.aws.settings import Settings
from skipscan.items.turn import ItemTurn
from skipscan.loop.part import Part
from skipscan.retrofit.batch import RetrofitBatch
from skipscan.retrofit.job import RetrofitJob
from skipscan.retrofit.progress import RetrofitProgress

logger = Logger()
settings = Settings.read(os.environ)
session = boto3.Session()
dynamodb = lean.dynamodb(session, connections=THREADS, told=lean.notice(settings.environment, logger))
s3 = clients.s3(session)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> Mapping[str, Any]:
    """Return the worker's progress after this batch, whoever committed it; raise `StateError` for a strange one."""
    turn = ItemTurn.of(event, "Retrofit", RetrofitJob, RetrofitProgress)
    plan = turn.job.plan
    logger.append_keys(retrofit=turn.job.name)

    def begin(progress: RetrofitProgress, part: Part) -> RetrofitBatch:
        bounds = settings.bounds(context.get_remaining_time_in_millis() / 1000)
        return RetrofitBatch(
            plan, progress, bounds=bounds, clock=time.monotonic, random=random.random, write=part.write
        )

    results = item_results(s3, settings, plan.reading.source.table, RetrofitJob.noun, turn.job.name)
    items = RetrofitTable(dynamodb, plan)
    return take_turn(turn, RetrofitProgress, results, begin=begin, do=items.do, logger=logger)
