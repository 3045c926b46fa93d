"""What Plan refuses: at once, with a value, a rule and a way out, before a read unit is spent."""

from typing import Any

import pytest

from skipscan.errors import InputError, TableError
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import described
from tests.fakes.handlers.execution import Machine
from tests.refusal import answered
from tests.unit.listing.price_list_document import Listed, region


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


def test_refuses_a_table_and_an_index_that_are_not_there(listing: Machine) -> None:
    answered(listing.planned({"table": "Nowhere"}), TableError, "table", "Nowhere", rule="us-east-1")
    absent = listing.planned({"table": "Orders", "index": "by-date"})
    answered(absent, TableError, "index", "by-date", "index", rule="by-status$")
    assert listing.objects() == []


def test_rests_on_nothing_that_describe_table_may_get_wrong(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    """Sizes hours old, zero or absurd, and attribute definitions in any order."""

    def age(table: dict[str, Any]) -> None:
        table.update(ItemCount=7, TableSizeBytes=10**13)
        table["AttributeDefinitions"].reverse()

    listing.plan.dynamodb = described(dynamodb, age)  # type: ignore[attr-defined]
    output = listing.run({"table": "Orders", "segments": 3})
    assert output["keys"] == 0


@pytest.mark.parametrize(
    ("table_class", "dollars_per_million"), [("STANDARD", 0.25), ("STANDARD_INFREQUENT_ACCESS", 0.19)]
)
def test_dollars_count_at_the_prices_of_the_region_and_the_table_s_class(
    listing: Machine, dynamodb: FakeDynamoDB, table_class: str, dollars_per_million: float
) -> None:
    def of_class(table: dict[str, Any]) -> None:
        table["TableClassSummary"] = {"TableClass": table_class}

    listing.plan.dynamodb = described(dynamodb, of_class)  # type: ignore[attr-defined]
    listing.plan.pricing = Listed(*region("us-east-1", read="0.00000025"))  # type: ignore[attr-defined]
    decided = listing.planned({"table": "Orders", "max_dollars": 1})["work"]["plan"]
    assert decided["max_dollars"] == 1
    assert decided["prices"]["read_units"]["dollars_per_million"] == pytest.approx(dollars_per_million)
