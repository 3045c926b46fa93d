"""Every call that the product makes, made by the product's own code, which reads the answer."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from skipscan.act.requests import _url, invoke
from skipscan.aws import table
from skipscan.aws.messages import send
from skipscan.aws.table import Table
from skipscan.cli import complete
from skipscan.copy import planning as copy_target
from skipscan.copy.replicator_requests import Replicator, StreamWatch, _state
from skipscan.copy.requests import recheck
from skipscan.dynamodb.prices import default_prices
from skipscan.environment import executions
from skipscan.listing import price_requests
from skipscan.listing.concurrency_requests import FreeFunctions
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.profile import requests as profiling
from skipscan.scan.batch import Request
from skipscan.scan.taken import COUNT, LAST, Lookup
from tests.engines.e2e.wire.item_calls import ITEM_CALLS, KEY, NUMBERS, Make, replica
from tests.engines.e2e.wire.world import ARN, COPY, NOW, TABLE, World


def request(lookup: Lookup | None = None) -> Request:
    """Return a request of no walk, of which a table asks nothing."""
    walk: Any = None
    return Request(walk, segment=0, start_key=None, limit=10, lookup=lookup)


def scan(client: Any) -> Any:
    listing = plan_listing(parse({"table": TABLE, "segments": 1}), table.describe(client, TABLE))
    return Table(client, listing).scan(request())


def last_item(client: Any) -> Any:
    listing = plan_listing(
        parse({"table": TABLE, "segments": 1, "take": {"last": "all"}}), table.describe(client, TABLE)
    )
    return Table(client, listing).scan(request(Lookup(LAST, ({"S": "a"},))))


def count(client: Any) -> Any:
    listing = plan_listing(
        parse({"table": TABLE, "segments": 1, "take": {"count": {"up_to": 5}}, "since": "a"}),
        table.describe(client, TABLE),
    )
    return Table(client, listing).scan(request(Lookup(COUNT, *listing.groups.query_key({"S": "a"}), limit=6)))


def watched(world: World) -> int:
    return StreamWatch(world.streams, world.arns["stream"]).records()


def replicator(world: World) -> Replicator:
    clients = {"sqs": world.sqs, "lambda": world.lambda_, "cloudwatch": world.cloudwatch}
    session: Any = SimpleNamespace(client=lambda service, **_: clients[service])
    return Replicator(session, replica(world))


def turned_off(world: World) -> None:
    one = replicator(world)
    # A mapping that is on, however the engine leaves it.
    with patch.object(Replicator, "states", dict.fromkeys(one.states, "Enabled")):
        one.turn_off()


def invoked(world: World) -> Any:
    task: Any = SimpleNamespace(lines=("a",), id="a")
    work: Any = None
    with patch("skipscan.act.requests.message", return_value=b"{}"):
        return invoke(world.lambda_, world.arns["function"], work, [task])


def created(world: World) -> str:
    description = table.describe(world.dynamodb, TABLE)
    name = f"New-{next(NUMBERS)}"
    return copy_target.target_of(
        world.dynamodb, world.kms, description, name, create=True, dry_run=False
    ).name.partition("-")[0]


def priced(world: World) -> bool:
    """Return whether the default applies. One entry is enough: the engine takes a second for each."""
    entries = {"read_units": price_requests.ENTRIES["read_units"]}
    with patch.object(price_requests, "ENTRIES", entries):
        return price_requests.prices(world.pricing, "us-east-1") == default_prices(is_infrequent_access=False)


def started(world: World) -> str:
    return world.executions.start(f"run-{next(NUMBERS)}", {"table": TABLE}).status


def running(world: World) -> Any:
    machine = world.arns["machine"]
    found = world.executions.at(machine.replace(":stateMachine:", ":execution:") + ":running")
    assert found
    return found


CALLS: dict[str, Make] = {
    **ITEM_CALLS,
    "cloudformation:DescribeStacks": lambda world: executions.find_deployment(world.cloudformation, "wire"),
    "cloudformation:ListStacks": lambda world: executions.environment_names(world.cloudformation),
    "dynamodb:DescribeTable": lambda world: table.describe(world.dynamodb, TABLE).arn,
    "dynamodb:ListTables": lambda world: complete.table_names(world.dynamodb),
    "dynamodb:Scan": lambda world: len(scan(world.dynamodb).items),
    "dynamodb:Query, of a last item": lambda world: len(last_item(world.dynamodb).items),
    "dynamodb:Query, of a count": lambda world: count(world.dynamodb).counted,
    "dynamodb:DescribeContinuousBackups": lambda world: table.has_recovery(world.dynamodb, TABLE),
    "dynamodb:DescribeTimeToLive": lambda world: profiling.expiry_of(world.dynamodb, TABLE),
    "dynamodb:UpdateContinuousBackups": lambda world: copy_target._protected(world.dynamodb, COPY).arn,
    "dynamodb:ListTagsOfResource": lambda world: copy_target._is_own(
        world.dynamodb, table.describe(world.dynamodb, COPY), table.describe(world.dynamodb, TABLE)
    ),
    "dynamodb:CreateTable": created,
    "dynamodbstreams:DescribeStream": watched,
    "dynamodbstreams:GetShardIterator": watched,
    "dynamodbstreams:GetRecords": watched,
    "lambda:Invoke": invoked,
    "lambda:UpdateEventSourceMapping": turned_off,
    "kms:DescribeKey": lambda world: copy_target._default_key(world.kms) is not None,
    "lambda:GetAccountSettings": lambda world: FreeFunctions.of(world.settings, None).shared,
    "lambda:GetEventSourceMapping": lambda world: _state(world.mappings, world.arns["mapping"]),
    "cloudwatch:GetMetricStatistics": lambda world: replicator(world).last_tried(NOW),
    "lambda:ListEventSourceMappings": lambda world: sorted(replicator(world).states.values()),
    "pricing:GetProducts": priced,
    "s3:GetObject": lambda world: world.s3.get("there"),
    "s3:GetObject, a range": lambda world: world.s3.get_range("there", 0, 3),
    "s3:HeadObject": lambda world: world.s3.look("there"),
    "s3:PutObject": lambda world: world.s3.put_once(f"new-{next(NUMBERS)}", b"content"),
    "s3:ListObjectsV2": lambda world: "there" in [name for name, _ in world.s3.names("th")],
    "sqs:GetQueueUrl": lambda world: _url(world.sqs, world.arns["queue"]),
    "sqs:GetQueueAttributes": lambda world: replicator(world).messages(world.arns["url"]),
    "sqs:SendMessageBatch": lambda world: send(world.sqs, world.arns["url"], [{"MessageBody": "a"}]),
    "sqs:SendMessageBatch, a promise": lambda world: recheck(world.sqs, replica(world), [KEY]),
    "stepfunctions:DescribeExecution": lambda world: running(world).status,
    "stepfunctions:GetExecutionHistory": lambda world: world.executions.refusal(running(world)),
    "stepfunctions:ListExecutions": lambda world: len(world.executions.running(ARN)),
    "stepfunctions:ListMapRuns": lambda world: world.executions.workers(running(world)),
    "stepfunctions:StartExecution": started,
    "stepfunctions:StopExecution": lambda world: world.executions.stop(running(world)),
}
"""By service and operation; several calls of one operation are distinguished after a comma."""

NOT_REACHED = {"stepfunctions:DescribeMapRun": "the engine has no Map Run without a Distributed Map under way"}
FIRST = {"lambda:UpdateEventSourceMapping": "PUT "}
"""How the name of a call begins in the proxy that is not named by its operation, where another is made before it."""


def is_of(call: str, name: str) -> bool:
    """Tell whether a call that the proxy sees is the one that `CALLS` names; of REST and XML calls all are."""
    service, _, operation = name.partition(",")[0].partition(":")
    if service in {"s3", "lambda", "cloudformation"}:
        return call.startswith(FIRST.get(name, ""))
    return call == operation
