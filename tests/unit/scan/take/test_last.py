"""The last item of every collection, for a Query a page: also where it vanishes, or a page has no items."""

from itertools import repeat
from typing import Any

import pytest

from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import faulty
from tests.fakes.turns import run

CUSTOMERS = TableDefinition(
    "Customers",
    KeySchema.of(("pk", "S"), ("sk", "S")),
    (
        IndexDefinition("by-country", KeySchema.of(("country", "S")), "global", "INCLUDE", ("name",)),
        IndexDefinition("in-country", KeySchema.of(("country", "S"), ("since", "N")), "global", "INCLUDE", ("name",)),
        IndexDefinition("by-since", KeySchema.of(("pk", "S"), ("since", "N")), "local", "KEYS_ONLY"),
    ),
)


def customers(keys: int = 30, each: int = 40, payload: int = 600) -> FakeDynamoDB:
    fake = FakeDynamoDB()
    items: list[Item] = [
        {
            "pk": {"S": f"c{n}"},
            "sk": {"S": f"{m:03d}"},
            "country": {"S": f"{n % 3}"},
            "since": {"N": f"{each - m}"},
            "name": {"S": f"{n}-{m}"},
            "photo": {"B": bytes(payload)},
        }
        for n in range(keys)
        for m in range(each)
    ]
    fake.add(CUSTOMERS, items)
    return fake


def test_a_collection_emptied_meanwhile_is_counted_and_its_key_is_kept() -> None:
    """Its items are deleted after its page was read, before the Query for the last of them."""
    fake = customers()
    table = fake.table("Customers")

    def query(look: Any, asked: Any) -> Any:
        for item in list(table.items()):
            if item["pk"] == asked["ExpressionAttributeValues"][":p0"]:
                table.delete({"pk": item["pk"], "sk": item["sk"]})
        return look(**asked)

    outcome = run(faulty(fake, {"query": repeat(query)}), table="Customers", segments=1, take={"last": ["name"]})
    assert outcome.counts.keys == len(outcome.keys) == 30
    assert (
        outcome.counts.ended == outcome.counts.lookups == sum(line.items["last"] is None for line in outcome.keys) > 0
    )


@pytest.mark.slow
def test_an_answer_without_items_but_with_a_last_key_is_no_end() -> None:
    fake = customers()

    def query(look: Any, asked: Any) -> Any:
        answer = look(**asked)
        if "ExclusiveStartKey" in asked or not answer["Items"]:
            return answer
        key = {"pk": asked["ExpressionAttributeValues"][":p0"], "sk": {"S": "040"}}
        # The key that does not exist comes before the last item, read backwards.
        fake.table("Customers").put({**key, "name": {"S": "put late"}})
        return {**answer, "Items": [], "LastEvaluatedKey": key}

    outcome = run(faulty(fake, {"query": repeat(query)}), table="Customers", segments=1, take={"last": ["name"]})
    looked_up = [line for line in outcome.keys if line.items["last"]["name"]["S"].endswith("-39")]
    assert len(looked_up) == 30
    assert outcome.counts.ended == 0
