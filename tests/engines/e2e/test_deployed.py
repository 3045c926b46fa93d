"""Executions of the deployed state machine over tables of every kind, on a real engine."""

import base64
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from skipscan.dynamodb.attribute_value import MAXIMUM
from tests.engines.e2e.conftest import PAGES_PER_BATCH, Deployment
from tests.fakes.attribute_value import AttributeValue, Item, KeyType
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition

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


@pytest.fixture(scope="module")
def indexed(deployment: Deployment) -> str:
    """A table with a local index and global ones, with and without a sort key."""
    indexes = (
        IndexDefinition("by-date", KeySchema.of(("pk", "S"), ("date", "N")), "local"),
        IndexDefinition("by-state", KeySchema.of(("state", "S"), ("pk", "S"))),
        IndexDefinition("of-state", KeySchema.of(("state", "S"))),
    )
    deployment.load(
        TableDefinition("Indexed", KeySchema.of(("pk", "S"), ("sk", "N")), indexes),
        (
            {
                "pk": {"S": f"p{pk}"},
                "sk": {"N": str(sk)},
                "date": {"N": str(-sk)},
                "body": {"B": bytes(1500)},
                **({"state": {"S": f"s{sk % 4}"}} if sk % 3 else {}),
            }
            for pk in range(12)
            for sk in range(10)
        ),
    )
    return "Indexed"


def test_a_profile_ends_after_plan_with_a_page_and_a_document(deployment: Deployment, indexed: str) -> None:
    said = deployment.run(table=indexed, profile=True)
    assert said["keys"] == {"estimate": 12, "low": 12, "high": 12}
    assert said["items"]["estimate"] == 120
    assert said["is_exact"]
    profile = deployment.document(said["profile"])
    assert {one["name"] for one in profile["indexes"]} == {"by-date", "by-state", "of-state"}
    assert profile["items"]["bytes"]["estimate"] > 120 * 1500
    page = deployment.read(said["profile"].removeprefix("s3://").partition("/")[2].replace(".json", ".html")).decode()
    assert f"{indexed}: Skipscan profile" in page


def test_a_dry_run_ends_with_a_plan_and_reads_no_more_than_a_sample(deployment: Deployment, indexed: str) -> None:
    explanation = deployment.run(table=indexed, dry_run=True)
    assert explanation["choice"]["strategy"] == "skip scan"
    assert explanation["keys"]["low"] <= 12 <= explanation["keys"]["high"]
    assert explanation["sample"]["read_units"] < 64
    # The emulator, like a young table on AWS, has no size yet: nothing is known of what a full scan would cost.
    assert {row["strategy"] for row in explanation["strategies"]} == {"skip scan", "skip scan, Limit=1"}
    assert explanation["prices"]["read_units"]["as_of"]
