"""A table of the same name may be a different one: of another account, or created again. Runs over them never mix."""

import json

import pytest

from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import Machine

SCHEMA = KeySchema.of(("pk", "S"), ("sk", "S"))
OURS = TableDefinition("T-1", SCHEMA)
THEIRS = TableDefinition("T-1", SCHEMA, account="222222222222")
ANEW = TableDefinition("T-1", SCHEMA, id="11111111-1111-1111-1111-111111111111")
KEYS = 40


def fill(dynamodb: FakeDynamoDB, definition: TableDefinition, whose: str) -> None:
    dynamodb.add(definition, ({"pk": {"S": f"{whose} {pk}"}, "sk": {"S": "1"}} for pk in range(KEYS)))


@pytest.fixture(autouse=True)
def tables_of_two_accounts(dynamodb: FakeDynamoDB) -> None:
    fill(dynamodb, OURS, "ours")
    fill(dynamodb, THEIRS, "theirs")


def test_another_account_s_run_is_not_resumed_by_the_bare_name(listing: Machine) -> None:
    assert listing.run({"table": THEIRS.arn, "max_read_units": 0.5, "segments": 8})["error"] == "BudgetError"
    refused = listing.planned({"table": "T-1", "resume": "run-1"}, "resumed")
    assert refused["error"] == "InputError"
    assert 'table "T-1" has no run with this name' in refused["cause"]


def test_a_run_is_not_resumed_over_a_recreated_table(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    assert listing.run({"table": "T-1", "max_read_units": 0.5, "segments": 8})["error"] == "BudgetError"
    fill(dynamodb, ANEW, "anew")
    assert "deleted and created again" in listing.planned({"table": "T-1", "resume": "run-1"}, "resumed")["cause"]


@pytest.mark.parametrize("other", [THEIRS, ANEW])
def test_runs_over_two_tables_of_one_name_are_not_compared(
    listing: Machine, dynamodb: FakeDynamoDB, other: TableDefinition
) -> None:
    listing.run({"table": "T-1"}, "before")
    fill(dynamodb, other, "other")
    table = other.arn if other is THEIRS else "T-1"
    named = listing.planned({"table": table, "compare": "before"}, "named")
    said = (
        ("InputError", 'table "T-1" has no finished run')
        if other is THEIRS
        else ("TableError", "that run belongs to a table")
    )
    assert named["error"] == said[0]
    assert named["cause"].startswith(f'compare is "before"; {said[1]}')
    listing.planned({"table": table, "compare": "previous"}, "previous")
    (plan,) = listing.objects("/runs/previous/plan.json")
    assert json.loads(listing.read(plan))["compare"] == {"run": None}
