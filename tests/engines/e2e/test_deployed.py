"""Executions of the deployed state machine over tables of every kind, on a real engine."""

import base64
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from skipscan.dynamodb.attribute_value import MAXIMUM
from tests.engines.e2e.conftest import PAGES_PER_BATCH, Deployment
from tests.fakes.attribute_value import AttributeValue, Item, KeyType
from tests.fakes.definition import KeySchema, TableDefinition

pytestmark = pytest.mark.xdist_group("embedded")

COLLECTIONS = 30
TYPES: tuple[KeyType, ...] = ("S", "N", "B")
SAMPLE = {("S", "N"), ("N", "B"), ("B", None)}
"""What `make test` tries of the types of keys."""


def value(kind: KeyType, number: int) -> AttributeValue:
    text = str(number - 7)  # some below zero
    contents = {"S": f"{text} 🔑 \"'\n", "N": f"{text}.5", "B": text.encode() + b"\xff"}
    return {kind: contents[kind]}


def written(kind: KeyType, number: int) -> str:
    """A key as the parts hold it."""
    content = value(kind, number)[kind]
    return base64.b64encode(content).decode() if kind == "B" else str(content)


def orders(partition: KeyType, sort: KeyType | None) -> Iterator[Item]:
    """Collections of 1 to 12 items; every third ends at the greatest sort key there can be."""
    for number in range(COLLECTIONS):
        item = {"customer.id": value(partition, number), "body": {"B": bytes(1500)}}
        if sort is None:
            yield item
            continue
        for place in range(1 + number % 12):
            yield {**item, "größe-size": value(sort, place)}
        if number % 3 == 0:
            yield {**item, "größe-size": MAXIMUM[sort]}


@pytest.mark.parametrize(
    ("partition", "sort"),
    [
        pytest.param(partition, sort, marks=[] if (partition, sort) in SAMPLE else [pytest.mark.long])
        for partition in TYPES
        for sort in (*TYPES, None)
    ],
)
def test_every_key_type_is_listed_exactly_once(
    deployment: Deployment, partition: KeyType, sort: KeyType | None
) -> None:
    table = f"Keys-{partition}-{sort}"
    schema = KeySchema.of(("customer.id", partition), ("größe-size", sort) if sort else None)
    deployment.load(TableDefinition(table, schema), orders(partition, sort))

    output = deployment.run(table=table, segments=6, workers=2)

    expected = sorted(written(partition, number) for number in range(COLLECTIONS))
    assert sorted(key["customer.id"] for key in deployment.keys(output)) == expected
    manifest = deployment.manifest(output)
    assert (manifest["keys"], manifest["skips_ignored"]) == (COLLECTIONS, 0)
    assert manifest["strategy"] == ("skip" if sort else "page")
    if sort:  # the loop turned: no batch had more than its pages
        assert batches(deployment, output) >= manifest["requests"] / PAGES_PER_BATCH >= 3
    again = deployment.run(table=table, only_run=output["run"], take={"count": {}})
    assert {line["customer.id"]: int(line["count"]) for line in deployment.keys(again)} == {
        written(partition, number): (1 + number % 12 + (number % 3 == 0)) if sort else 1
        for number in range(COLLECTIONS)
    }


def batches(deployment: Deployment, output: Mapping[str, Any]) -> int:
    """Return how many batches a run has committed; those without a key are not in its manifest."""
    bucket, _, manifest = str(output["manifest"]).removeprefix("s3://").partition("/")
    prefix = manifest.removesuffix("manifest.json") + "keys/"
    return len(deployment.account.s3.list_objects_v2(Bucket=bucket, Prefix=prefix)["Contents"])
