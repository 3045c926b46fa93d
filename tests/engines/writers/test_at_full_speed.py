"""A run over a real engine while writers insert and delete as fast as they can."""

from typing import TYPE_CHECKING, Any

import pytest

from local.embedded import SESSION
from skipscan.aws import clients
from skipscan.pace.bounds import Bounds
from tests.engines.writers.writing import ALWAYS, load, writing
from tests.fakes import turns

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

BATCHES = 25
"""Batches of writes that happen at least while keys are listed, in one run or in several."""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("index", ALWAYS, ids=lambda index: index or "table")
def test_every_key_that_stays_is_found_and_none_twice(
    shared_dynamodb: "DynamoDBClient", dynalite: str, index: str | None
) -> None:
    table = f"Busy-{index}"
    load(shared_dynamodb, table)
    client: Any = clients.dynamodb(SESSION, connections=16, endpoint_url=dynalite)
    during = 0
    with writing(shared_dynamodb, table) as written:
        while during < BATCHES:
            before = written.batches
            outcome = turns.run(
                client, Bounds(pages=40), threads=8, table=table, index=index, segments=8, workers=2, optimize="cost"
            )
            during += written.batches - before
            written.judge([key["S"] for key in outcome.keys], index)
