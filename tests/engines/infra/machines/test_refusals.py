"""What a listing does where AWS refuses as its documentation says, and what the first run of a new account meets.

It ends well, or in one sentence. A new account has ten slots of Lambda, no price list, a table that was just created.
"""

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
from tests.fakes.hostile.documented import FINAL, PASSING, THROTTLES
from tests.fakes.hostile.refusal import Refusal

pytestmark = pytest.mark.xdist_group("synth")

KEYS, WORKERS, SLOTS = 9, 2, 10
Account = Callable[..., Clients]


def items(keys: int, each: int) -> list[Item]:
    return [{"pk": {"S": f"p{n % keys}"}, "sk": {"S": f"s{n:03}"}} for n in range(keys * each)]


@pytest.fixture
def account(listing: Machine, dynamodb: FakeDynamoDB) -> Iterator[Account]:
    """Return what makes an account with a table, described as `change` leaves DescribeTable's answer."""

    def made(items: list[Item], change: Callable[[dict[str, Any]], object] = lambda table: None) -> Clients:
        dynamodb.add(TableDefinition("T-1", KeySchema.of(("pk", "S"), ("sk", "S"))), items)
        clients, described = Clients(listing), dynamodb.describe_table

        def describe(**asked: Any) -> Any:
            answer = described(**asked)
            change(answer["Table"])
            return answer

        stack.enter_context(patch.object(dynamodb, "describe_table", describe))
        stack.enter_context(patch("skipscan.sample.requests.time", clients.time))
        return clients

    with ExitStack() as stack:
        yield made


@pytest.fixture
def clients(account: Account) -> Clients:
    return account(items(KEYS, 10))


@pytest.fixture
def new_account(account: Account, listing: Machine) -> Account:
    settings = {"AccountLimit": {"ConcurrentExecutions": SLOTS, "UnreservedConcurrentExecutions": SLOTS}}

    def made(*table: Any) -> Clients:
        plan: Any = listing.plan
        plan.lambda_ = faulty(None, {"get_account_settings": repeat(settings)}, "lambda")
        clients = account(*table)
        clients.refuse(FINAL["the price list may not be read"], "get_products")
        clients.refuse(FINAL["executions may not be listed"], "list_executions", "describe_execution")
        return clients

    return made


def run(machines: Interpreter, definitions: Definitions, **more: object) -> Ended:
    """Return how a run ends that is announced nowhere."""
    states = {**definitions["run"]["States"]}
    states["Comparison asked?"] = {**states["Comparison asked?"], "Default": "Run done"}
    return machines.run({**definitions["run"], "States": states}, {"table": "T-1", **more})


def listed(machines: Interpreter, definitions: Definitions, **more: object) -> Ended:
    return run(machines, definitions, segments=6, workers=WORKERS, overlap="skip", **more)


READS = ("head_object", "get_object", "put_object", "list_objects_v2")
S3_PASSING = ("S3 wants fewer requests", "S3 has an internal error")
OUTLASTED: dict[str, tuple[Refusal, tuple[str, ...]]] = {
    **{f"{name} at scan": (refusal, ("scan",)) for name, refusal in THROTTLES.items() if "Write" not in name},
    **{
        f"DynamoDB {fault} at {operation}": (PASSING[f"DynamoDB {fault}"], (operation,))
        for fault in ("has an internal error", "is unavailable", "does not know a valid token")
        for operation in ("scan", "describe_table")
    },
    **{f"{name} at {operation}": (PASSING[name], (operation,)) for name in S3_PASSING for operation in READS},
    "throttled describe_table": (THROTTLES["ThrottlingException without a reason"], ("describe_table",)),
    "another conditional put is under way": (PASSING["another conditional put is under way"], ("put_object",)),
    "Step Functions wants fewer requests": (
        PASSING["Step Functions wants fewer requests"],
        ("describe_execution", "list_executions"),
    ),
}
SAMPLE = {
    "ThrottlingException TableReadKeyRangeThroughputExceeded at scan",
    "ProvisionedThroughputExceededException TableReadProvisionedThroughputExceeded at scan",
    "S3 wants fewer requests at put_object",
    "another conditional put is under way",
    "Step Functions wants fewer requests",
}
"""One of each kind; the others with the long tests."""


@pytest.mark.parametrize(
    "name", [name if name in SAMPLE else pytest.param(name, marks=pytest.mark.long) for name in OUTLASTED]
)
def test_a_listing_outlasts_what_passes(
    machines: Interpreter, definitions: Definitions, clients: Clients, listing: Machine, name: str
) -> None:
    refusal, operations = OUTLASTED[name]
    clients.refuse(refusal, *operations, times=3)
    ended = listed(machines, definitions)
    assert (ended.status, ended.output["keys"]) == ("SUCCEEDED", KEYS)
    assert len(listing.lines()) == KEYS
    assert clients.refusals or "list_objects_v2" in operations  # which a listing of a new name needs not


DONE_WITHOUT = {
    "the price list may not be read": "get_products",
    "the account's settings may not be read": "get_account_settings",
    "executions may not be listed": "list_executions",
}


@pytest.mark.parametrize("name", DONE_WITHOUT)
def test_a_listing_works_without_optional_permissions(
    machines: Interpreter, definitions: Definitions, clients: Clients, name: str
) -> None:
    clients.refuse(FINAL[name], DONE_WITHOUT[name])
    ended = listed(machines, definitions, dry_run=FINAL[name].service == "pricing")
    assert ended.status == "SUCCEEDED"
    assert clients.refusals


ABSENT, DISABLED = "the object is not there, or may not be listed", "the results' key is disabled"
ENDED: list[tuple[str, str, str]] = [
    ("describe_table", "the table may not be used", "allow dynamodb:DescribeTable and dynamodb:Scan on it"),
    ("describe_table", "the table is gone", "in us-east-1: check the name, the region and the account"),
    (
        "scan",
        "the table may not be used",
        "with AccessDeniedException (HTTP status 400, request HOSTILE): allow Scan on",
    ),
    ("get_object", ABSENT, "plan.json: reading is not allowed, or the object does not exist"),
    ("head_object", ABSENT, "allow s3:GetObject on it and s3:ListBucket on the bucket"),
    ("put_object", ABSENT, "writing is not allowed: allow s3:PutObject on it"),
    ("put_object", "the bucket is gone", "correct its name, or deploy the environment again"),
    ("put_object", DISABLED, "(KMS.DisabledException): enable the key of the bucket"),
    ("get_object", DISABLED, "allow kms:Decrypt and kms:GenerateDataKey on it"),
]
"""The call, how it is refused, and the words of the way out."""


@pytest.mark.parametrize(
    ("operation", "refused", "sentence"),
    [pytest.param(*case, marks=() if at in (1, 2, 4, 7) else pytest.mark.long) for at, case in enumerate(ENDED)],
)
def test_a_listing_ends_at_once_and_says_what_to_do(
    *, machines: Interpreter, definitions: Definitions, clients: Clients, operation: str, refused: str, sentence: str
) -> None:
    clients.refuse(FINAL[refused], operation)
    ended = listed(machines, definitions)
    says(ended, "TableError" if operation == "describe_table" else "DeniedError", sentence)
    assert "Traceback" not in str(ended.cause)
    assert machines.waits == []  # no attempt but the first of each worker
    state = "scan" if operation in ("scan", "head_object") else "plan"
    assert machines.calls[-1] == state
    assert machines.calls.count(state) <= WORKERS


def test_a_table_that_stays_throttled_ends_a_run_after_its_retries_and_names_the_code(
    machines: Interpreter, definitions: Definitions, clients: Clients
) -> None:
    clients.refuse(THROTTLES["ThrottlingException TableReadMaxOnDemandThroughputExceeded"], "scan")
    said = "AWS refused Scan with ThrottlingException (HTTP status 400"
    says(listed(machines, definitions), "BatchError", said)


def says(ended: Ended, error: str, sentence: str) -> None:
    assert (ended.status, ended.error) == ("FAILED", error)
    assert ended.cause is not None
    assert sentence in ended.cause


@pytest.mark.parametrize(
    ("keys", "each", "described"),
    [
        pytest.param(0, 0, {}, id="empty"),
        pytest.param(1, 1, {}, id="one item"),
        pytest.param(3, 5, {}, id="tiny"),
        # DescribeTable's ItemCount is up to six hours old.
        pytest.param(40, 5, {"ItemCount": 0, "TableSizeBytes": 0}, id="filled a moment ago"),
    ],
)
def test_a_small_or_new_table_is_listed(
    *,
    machines: Interpreter,
    definitions: Definitions,
    new_account: Account,
    listing: Machine,
    keys: int,
    each: int,
    described: dict[str, int],
) -> None:
    new_account(items(keys, each), lambda table: table.update(described))
    ended = run(machines, definitions)
    assert (ended.status, ended.error, ended.output["keys"]) == ("SUCCEEDED", None, keys)
    assert sorted(line["pk"] for line in listing.lines()) == sorted(f"p{n}" for n in range(keys))


@pytest.mark.parametrize("status", ["CREATING", "DELETING", "INACCESSIBLE_ENCRYPTION_CREDENTIALS"])
def test_a_table_that_is_not_ready_is_refused_with_its_status(
    machines: Interpreter, definitions: Definitions, new_account: Account, status: str
) -> None:
    new_account(items(3, 5), lambda table: table.update(TableStatus=status))
    says(run(machines, definitions), "TableError", f'table "T-1" is {status}; ')
    assert machines.calls == ["plan"]


def test_a_dry_run_shows_prices_though_there_is_no_price_list(
    machines: Interpreter, definitions: Definitions, new_account: Account
) -> None:
    clients = new_account(items(3, 5))
    ended = run(machines, definitions, dry_run=True)
    assert ended.status == "SUCCEEDED"
    assert clients.pricing.refused["get_products"] == 1  # the others would be refused as well
    assert "AWS price list of us-east-1" in json.dumps(ended.output["prices"])
