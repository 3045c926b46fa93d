"""What Plan refuses: at once, with a value, a rule and a way out, before a read unit is spent."""

from typing import Any

import pytest

from skipscan.errors import InputError
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import described
from tests.fakes.handlers.execution import Machine
from tests.refusal import answered


@pytest.fixture(autouse=True)
def described_tables(dynamodb: FakeDynamoDB) -> None:
    index = IndexDefinition("by-status", KeySchema.of(("status", "S")))
    dynamodb.add(TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "N")), (index,)))
    dynamodb.add(TableDefinition("Plain", KeySchema.of(("id", "S"))))


def test_refuses_what_is_no_input(listing: Machine) -> None:
    answered(listing.planned([]), InputError, "the input", [], rule="an object")
    answered(listing.planned({}), InputError, "table", rule="^is missing")
    unknown = listing.planned({"table": "Orders", "segment": 4})
    answered(unknown, InputError, '"segment"', rule="of the input", way=r"\bsegments\b")
    assert listing.objects() == []


def test_rests_on_nothing_that_describe_table_may_get_wrong(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    """Sizes hours old, zero or absurd, and attribute definitions in any order."""

    def age(table: dict[str, Any]) -> None:
        table.update(ItemCount=7, TableSizeBytes=10**13)
        table["AttributeDefinitions"].reverse()

    listing.plan.dynamodb = described(dynamodb, age)
    output = listing.run({"table": "Orders", "segments": 3})
    assert output["keys"] == 0
