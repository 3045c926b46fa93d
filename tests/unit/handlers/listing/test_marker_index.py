"""A table with a marker in each item collection: its sparse index lists the keys that the skip scan lists, for less."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from local import table as tables
from tests.fakes.attribute_value import Item
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import Machine
from tests.unit.markers import sample

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import WriteRequestTypeDef

COLLECTIONS = 100
INDEX_ITEM_BYTES = len("pkskGSI-pk#static") + 2 * len("customer-000")


def items() -> Iterator[Item]:
    """Collections of 1 to 9 items of 2 KB, and the marker of each."""
    for number in range(COLLECTIONS):
        name = f"customer-{number:03d}"
        yield dict(sample.marker().item({"S": name}))
        for place in range(1 + number % 9):
            yield {**sample.item(name, f"order-{place}"), "body": {"B": bytes(2_000)}}


@pytest.fixture(params=["fake", pytest.param("dynalite", marks=pytest.mark.xdist_group("dynalite"))])
def marked_table(request: pytest.FixtureRequest, listing: Machine, dynamodb: FakeDynamoDB) -> str:
    if request.param == "fake":
        dynamodb.add(sample.definition("Marked"), items())
        return "Marked"
    client: DynamoDBClient = request.getfixturevalue("dynalite_client")
    tables.create(client, **sample.definition("Marked").request())
    puts: list[WriteRequestTypeDef] = [{"PutRequest": {"Item": item}} for item in items()]
    for begin in range(0, len(puts), 25):
        assert not client.batch_write_item(RequestItems={"Marked": puts[begin : begin + 25]})["UnprocessedItems"]
    for module in (listing.plan, listing.worker, listing.finish):
        module.dynamodb = client  # type: ignore[attr-defined]
    return "Marked"


def run(listing: Machine, name: str, **document: Any) -> tuple[set[str], dict[str, Any]]:
    """Return the keys of a run, each found once, and its output."""
    output = listing.run(document, name)
    keys = [next(iter(line.values())) for line in listing.lines(name)]
    assert len(keys) == len(set(keys)) == output["keys"]
    return set(keys), output


def test_the_marker_index_lists_the_same_keys_as_the_skip_scan_for_less(listing: Machine, marked_table: str) -> None:
    by_skip, skip = run(listing, "by-skip", table=marked_table, segments=1)
    by_index, index = run(listing, "by-index", table=marked_table, index="markers", segments=1)

    assert by_index == by_skip
    assert len(by_skip) == COLLECTIONS
    assert index["requests"] == 1
    assert index["read_units"] == -(-COLLECTIONS * INDEX_ITEM_BYTES // 4096) * 0.5
    assert index["read_units"] < skip["read_units"] / 20
