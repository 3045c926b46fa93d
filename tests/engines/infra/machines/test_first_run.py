"""`{"table": "New"}` in a new account: ten slots of Lambda, no price list, a table that was just created."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import repeat
from typing import Any
from unittest.mock import patch

import pytest

from tests.engines.infra.machines.definitions import Definitions
from tests.engines.infra.machines.hostile_world import Clients
from tests.engines.infra.machines.interpreter import Ended, Interpreter
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import faulty
from tests.fakes.handlers.execution import Machine
from tests.fakes.hostile.documented import FINAL

pytestmark = pytest.mark.xdist_group("synth")

SLOTS = 10
Account = Callable[..., Clients]


@pytest.fixture
def new_account(listing: Machine, dynamodb: FakeDynamoDB) -> Iterator[Account]:
    """Return what makes the account with its table, described as `change` leaves DescribeTable's answer."""
    settings = {"AccountLimit": {"ConcurrentExecutions": SLOTS, "UnreservedConcurrentExecutions": SLOTS}}

    def made(items: list[Item], change: Callable[[dict[str, Any]], object] = lambda table: None) -> Clients:
        dynamodb.add(TableDefinition("New", KeySchema.of(("pk", "S"), ("sk", "S"))), items)
        plan: Any = listing.plan
        plan.lambda_ = faulty(None, {"get_account_settings": repeat(settings)}, "lambda")
        clients = Clients.put_into(listing)
        clients.refuse(FINAL["the price list may not be read"], "get_products")
        clients.refuse(FINAL["executions may not be listed"], "list_executions", "describe_execution")
        described = dynamodb.describe_table

        def describe(**asked: Any) -> Any:
            answer = described(**asked)
            change(answer["Table"])
            return answer

        stack.enter_context(patch.object(dynamodb, "describe_table", describe))
        stack.enter_context(patch("skipscan.sample.requests.time", clients.time))
        return clients

    with ExitStack() as stack:
        yield made


def first_run(machines: Interpreter, definitions: Definitions, **more: object) -> Ended:
    """Return how the run ends that the tutorial starts; it is announced nowhere."""
    states = {**definitions["run"]["States"]}
    states["Comparison asked?"] = {**states["Comparison asked?"], "Default": "Run done"}
    return machines.run({**definitions["run"], "States": states}, {"table": "New", **more}, name="first")


def items(keys: int, each: int = 5) -> list[Item]:
    return [{"pk": {"S": f"p{n % keys}"}, "sk": {"S": f"s{n:03}"}} for n in range(keys * each)]


def ends_well(ended: Ended, keys: int) -> None:
    assert (ended.status, ended.error) == ("SUCCEEDED", None)
    assert ended.output["keys"] == keys


def says(ended: Ended, sentence: str) -> None:
    assert (ended.status, ended.error) == ("FAILED", "TableError")
    assert ended.cause is not None
    assert sentence in ended.cause


@pytest.mark.parametrize(("keys", "each"), [(0, 1), (1, 1), (3, 5)], ids=["empty", "one item", "tiny"])
def test_a_small_table_is_listed(
    *, machines: Interpreter, definitions: Definitions, new_account: Account, listing: Machine, keys: int, each: int
) -> None:
    new_account(items(keys, each) if keys else [])
    ends_well(first_run(machines, definitions), keys)
    assert sorted(line["pk"] for line in listing.lines()) == [f"p{n}" for n in range(keys)]


def test_a_table_filled_a_moment_ago_is_listed_though_its_description_says_it_is_empty(
    machines: Interpreter, definitions: Definitions, new_account: Account
) -> None:
    """DescribeTable's ItemCount is up to six hours old."""
    new_account(items(40), lambda table: table.update(ItemCount=0, TableSizeBytes=0))
    ends_well(first_run(machines, definitions), 40)


@pytest.mark.parametrize("status", ["CREATING", "DELETING", "INACCESSIBLE_ENCRYPTION_CREDENTIALS"])
def test_a_table_that_is_not_ready_is_refused_with_its_status(
    machines: Interpreter, definitions: Definitions, new_account: Account, status: str
) -> None:
    new_account(items(3), lambda table: table.update(TableStatus=status))
    says(first_run(machines, definitions), f'table "New" is {status}; ')
    assert machines.calls == ["plan"]


def test_a_dry_run_shows_prices_though_there_is_no_price_list(
    machines: Interpreter, definitions: Definitions, new_account: Account
) -> None:
    clients = new_account(items(3))
    ended = first_run(machines, definitions, dry_run=True)
    assert ended.status == "SUCCEEDED"
    assert clients.pricing.refused["get_products"] == 1  # the others would be refused as well
    assert "AWS price list of us-east-1" in json.dumps(ended.output["prices"])
