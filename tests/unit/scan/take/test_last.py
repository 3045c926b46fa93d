"""The last item of every collection, and either end among sort keys with a prefix: exactly, for a Query a page."""

from itertools import repeat
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skipscan.pace.bounds import Bounds
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import faulty
from tests.fakes.turns import ListedRun, run
from tests.house.suite.examples import examples

ALL = {"first": "all", "last": "all"}


def lines(outcome: ListedRun) -> dict[str, tuple[Item | None, Item | None]]:
    """Return what a run took, by partition key; each key comes once."""
    several = len(outcome.plan.source.partition_key) > 1
    taken = {
        repr(list(line.key) if several else [line.key]): (line.items["first"], line.items["last"])
        for line in outcome.keys
    }
    assert len(taken) == len(outcome.keys)
    return taken


def prefixed(seed: int) -> FakeDynamoDB:
    """Return collections of up to a dozen items, whose sort keys begin with a few letters; some are at the bounds."""
    random = Random(seed)
    prefixes = ["", "ORDER", "ORDER#", "ORDER$", "ORDE", "P", "\U0010ffff", "ORDER#\uffff", "ORDER#\U0010ffff"]
    items: list[Item] = [
        {
            "pk": {"S": f"{pk}"},
            "sk": {"S": f"{random.choice(prefixes)}{sk}"},
            "v": {"B": bytes(random.choice([1, 3000]))},
        }
        for pk in range(random.randint(0, 12))
        for sk in range(random.randint(1, 12))
    ]
    return FakeDynamoDB(TableDefinition("Generated", KeySchema.of(("pk", "S"), ("sk", "S"))), items)


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


@settings(max_examples=examples(200))
@given(st.integers(0, 10**6), st.floats(2.0, 40.0))
def test_a_budget_is_exceeded_by_no_more_than_the_plan_states(seed: int, budget: float) -> None:
    fake = prefixed(seed)
    given_: dict[str, Any] = {"table": "Generated", "segments": 2, "workers": 1, "max_read_units": budget}
    outcome = run(fake, Bounds(pages=3), **given_, take=ALL)
    assert outcome.counts.read_units <= budget + outcome.plan.limits.overrun["read_units"]
