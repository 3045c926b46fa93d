"""A listing from Plan to its end: our handlers behind the machine as synth writes it, and AWS that may refuse any call.

What is retried or caught, test_scripted.py tries of all kinds of work.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
from moto import mock_aws

from skipscan.aws.bucket import Bucket
from tests.engines.infra.machines.conftest import Definitions
from tests.engines.infra.machines.interpreter import Ended, interpreter
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import faulty
from tests.fakes.handlers.execution import BUCKET, CONTEXT, Machine
from tests.fakes.handlers.loading import Loaded, loaded
from tests.fakes.hostile.documented import FINAL, PASSING, THROTTLES
from tests.fakes.hostile.refusal import Refusal
from tests.house.docs.document import code
from tests.simulation.world.clock import Clock
from tests.unit.handlers.conftest import SESSION, compare, dynamodb, listing, s3

__all__ = ["compare", "dynamodb", "listing", "s3"]

pytestmark = pytest.mark.xdist_group("synth")

KEYS, WORKERS, SLOTS = 9, 2, 10
Run = Callable[..., Ended]


class Clients:
    """Of a listing's handlers, by boto3's name of the service. Time passes only during waits."""

    def __init__(self, listing: Machine) -> None:
        modules: tuple[Any, ...] = (listing.plan, listing.worker, listing.finish)
        plan, time = modules[0], Clock()
        self.dynamodb, self.s3 = faulty(plan.dynamodb), faulty(listing.s3, service="s3")
        plan.stepfunctions = self.stepfunctions = faulty(SESSION.client("stepfunctions"), service="stepfunctions")
        for module in modules:
            module.function.storage = Bucket(self.s3, BUCKET)
            module.dynamodb = self.dynamodb
            dependencies = replace(module.function.dependencies, clock=time.monotonic, sleep=time.sleep)
            module.function.dependencies = dependencies


@pytest.fixture
def clients(listing: Machine) -> Clients:
    return Clients(listing)


@pytest.fixture
def listed(listing: Machine, compare: Loaded, definitions: Definitions) -> Iterator[Run]:
    """Return what runs a listing; only one with a comparison is announced."""
    modules: dict[str, Any] = {"plan": listing.plan, "scan": listing.worker, "finish": listing.finish}
    modules |= {"compare": compare, "report": loaded("report", listing.s3)}
    functions = {state: lambda event, of=of: of.handler(event, CONTEXT) for state, of in modules.items()}
    states = {**definitions["run"]["States"]}
    states["Comparison asked?"] = {**states["Comparison asked?"], "Default": "Run done"}
    with mock_aws(), interpreter(SESSION.client("stepfunctions"), functions) as machines:
        definition = {**definitions["run"], "States": states}
        yield lambda name="run-1", **more: machines.run(definition, {"table": "T-1", **more}, name)


def fill(dynamodb: FakeDynamoDB, keys: int, each: int) -> None:
    items: list[Item] = [{"pk": {"S": f"p{n % keys}"}, "sk": {"S": f"s{n:03}"}} for n in range(keys * each)]
    dynamodb.add(TableDefinition("T-1", KeySchema.of(("pk", "S"), ("sk", "S"))), items)


@pytest.mark.parametrize(
    ("refusal", "service", "operations"),
    [
        (THROTTLES["ThrottlingException TableReadKeyRangeThroughputExceeded"], "dynamodb", ["scan"]),
        (PASSING["DynamoDB is unavailable"], "dynamodb", ["describe_table"]),
        (PASSING["S3 wants fewer requests"], "s3", ["put_object"]),
        (PASSING["another conditional put is under way"], "s3", ["put_object"]),
        (PASSING["Step Functions wants fewer requests"], "stepfunctions", ["list_executions"]),
    ],
    ids=lambda value: getattr(value, "code", None),
)
def test_a_listing_outlasts_what_passes(
    *,
    listed: Run,
    clients: Clients,
    dynamodb: FakeDynamoDB,
    listing: Machine,
    refusal: Refusal,
    service: str,
    operations: list[str],
) -> None:
    fill(dynamodb, KEYS, 10)
    getattr(clients, service).refuse(refusal, *operations, times=3)
    ended = listed(segments=6, workers=WORKERS, overlap="skip")
    assert (ended.status, ended.output["keys"], len(listing.lines())) == ("SUCCEEDED", KEYS, KEYS)
    assert getattr(clients, service).refused.total()


def test_a_listing_that_may_not_read_its_table_ends_at_once_and_says_what_to_do(
    listed: Run, clients: Clients, dynamodb: FakeDynamoDB
) -> None:
    fill(dynamodb, KEYS, 10)
    clients.dynamodb.refuse(FINAL["the table may not be used"], "scan")
    ended = listed(segments=6, workers=WORKERS)
    assert (ended.status, ended.error) == ("FAILED", "DeniedError")
    assert "with AccessDeniedException (HTTP status 400, request HOSTILE): allow Scan on" in str(ended.cause)
    assert "Traceback" not in str(ended.cause)
    assert clients.dynamodb.refused["scan"] <= WORKERS, "no attempt but the first of each worker"


@pytest.mark.parametrize(
    ("keys", "each", "described"),
    [
        pytest.param(0, 0, {}, id="empty"),
        pytest.param(3, 5, {}, id="tiny"),
        # DescribeTable's ItemCount is up to six hours old.
        pytest.param(40, 5, {"ItemCount": 0, "TableSizeBytes": 0}, id="filled a moment ago"),
    ],
)
@pytest.mark.usefixtures("clients")
def test_the_first_run_of_a_new_account_lists_a_small_or_new_table(
    *,
    listed: Run,
    listing: Machine,
    dynamodb: FakeDynamoDB,
    monkeypatch: pytest.MonkeyPatch,
    keys: int,
    each: int,
    described: dict[str, int],
) -> None:
    """It has ten slots of Lambda, and the price list may not be read."""
    settings = {"AccountLimit": {"ConcurrentExecutions": SLOTS, "UnreservedConcurrentExecutions": SLOTS}}
    listing.plan.lambda_ = faulty(None, {"get_account_settings": repeat(settings)}, "lambda")
    fill(dynamodb, keys, each)
    describe = dynamodb.describe_table
    monkeypatch.setattr(
        dynamodb, "describe_table", lambda **asked: {"Table": {**describe(**asked)["Table"], **described}}
    )
    ended = listed()
    assert (ended.status, ended.error, ended.output["keys"]) == ("SUCCEEDED", None, keys)
    assert sorted(line["pk"] for line in listing.lines()) == sorted(f"p{n}" for n in range(keys))


@pytest.mark.usefixtures("clients")
def test_the_rule_of_the_page_matches_only_a_run_that_found_new_keys(listed: Run, dynamodb: FakeDynamoDB) -> None:
    events = SESSION.client("events")
    bus = events.describe_event_bus(Name="default")["Arn"]
    [page] = [block for block in code(Path("docs/between-runs.md")).split("```") if '"numeric"' in block]
    rule = page.removeprefix("json").replace("Orders", "T-1")
    events.create_archive(ArchiveName="matched", EventSourceArn=bus, EventPattern=rule)
    matched = []
    for number, keys in enumerate((1, 2, 2)):
        fill(dynamodb, keys, 1)
        assert listed(f"run-{number}", compare="previous").status == "SUCCEEDED"
        matched.append(events.describe_archive(ArchiveName="matched")["EventCount"])
    assert matched == [0, 1, 1]
