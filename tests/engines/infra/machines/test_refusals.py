"""What a listing does where AWS refuses as its documentation says: it ends well, or in one sentence."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from tests.engines.infra.machines.definitions import Definitions
from tests.engines.infra.machines.hostile_world import Clients
from tests.engines.infra.machines.interpreter import Ended, Interpreter
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import Machine
from tests.fakes.hostile.documented import FINAL, PASSING, THROTTLES
from tests.fakes.hostile.refusal import Refusal

pytestmark = pytest.mark.xdist_group("synth")

KEYS, WORKERS = 9, 2


@pytest.fixture
def clients(listing: Machine, dynamodb: FakeDynamoDB) -> Iterator[Clients]:
    items: list[Item] = [{"pk": {"S": f"p{n % KEYS}"}, "sk": {"S": f"s{n:03}"}} for n in range(90)]
    dynamodb.add(TableDefinition("T-1", KeySchema.of(("pk", "S"), ("sk", "S"))), items)
    clients = Clients.put_into(listing)
    with patch("skipscan.sample.requests.time", clients.time):
        yield clients


def listed(machines: Interpreter, definitions: Definitions, **more: object) -> Ended:
    definition = {**definitions["run"], "States": dict(definitions["run"]["States"])}
    # Announcing is another test's.
    definition["States"]["Comparison asked?"] = {**definition["States"]["Comparison asked?"], "Default": "Run done"}
    return machines.run(definition, {"table": "T-1", "segments": 6, "workers": WORKERS, "overlap": "skip", **more})


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
    assert (ended.status, ended.error) == (
        "FAILED",
        "TableError" if operation == "describe_table" else "DeniedError",
    )
    assert ended.cause is not None
    assert sentence in ended.cause
    assert "Traceback" not in ended.cause
    assert machines.waits == []  # no attempt but the first of each worker
    state = "scan" if operation in ("scan", "head_object") else "plan"
    assert machines.calls[-1] == state
    assert machines.calls.count(state) <= WORKERS


def test_a_table_that_stays_throttled_ends_a_run_after_its_retries_and_names_the_code(
    machines: Interpreter, definitions: Definitions, clients: Clients
) -> None:
    clients.refuse(THROTTLES["ThrottlingException TableReadMaxOnDemandThroughputExceeded"], "scan")
    ended = listed(machines, definitions)
    assert (ended.status, ended.error) == ("FAILED", "BatchError")
    assert ended.cause is not None
    assert "AWS refused Scan with ThrottlingException (HTTP status 400" in ended.cause
