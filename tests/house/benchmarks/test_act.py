"""The rivals of the put job put the same items, and say what that took."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from benchmarks.act.by_hand import put_in_batches, put_one_by_one
from benchmarks.act.job import put_by_job
from benchmarks.client.shapes import Shape
from local.embedded import SESSION
from skipscan.aws import clients

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEYS = [f"customer-{number}" for number in range(30)]


def test_all_rivals_put_the_same_markers(dynalite: str) -> None:
    client = clients.dynamodb(SESSION, 16, dynalite)
    rivals: dict[str, Callable[[DynamoDBClient, str, list[str]], Any]] = {
        "act-job": put_by_job,
        "act-one": put_one_by_one,
        "act-batches": put_in_batches,
    }
    put, took = {}, {}
    for table, rival in rivals.items():
        Shape(table, [], 0).load(client)
        took[table] = rival(client, table, KEYS)
        put[table] = sorted(str(sorted(item.items())) for item in client.scan(TableName=table)["Items"])
    assert put["act-job"] == put["act-one"] == put["act-batches"]
    assert len(put["act-job"]) == len(KEYS)
    assert (took["act-job"].requests, took["act-job"].write_units) == (30, 30.0)
    assert (took["act-one"], took["act-batches"]) == ((30, 30.0), (2, 30.0))
