"""What every client has from the start."""

import re
from collections.abc import Callable
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.awsrequest import AWSResponse, HeadersDict
from botocore.endpoint import Endpoint
from botocore.exceptions import ClientError

from local.checkout import REGION
from skipscan.aws import clients
from skipscan.aws.bucket import Bucket
from skipscan.aws.function import Settings
from skipscan.environment import executions
from skipscan.listing import concurrency_requests, price_requests
from skipscan.pace.bounds import Bounds
from tests.simulation.world.clock import Clock
from verify.kit import Kit

MACHINE = f"arn:aws:states:{REGION}:000000000000:stateMachine:skipscan-dev"
SESSION = boto3.Session("key", "secret", region_name=REGION)
ONCE, SIX = 1, 6
MADE: dict[str, list[tuple[Callable[[], Any], str, dict[str, Any], int]]] = {
    "skipscan.aws.clients:dynamodb": [
        (lambda: clients.dynamodb(SESSION, 1), "scan", {"TableName": "Orders"}, ONCE),
        (lambda: clients.dynamodb(SESSION, 1, attempts=clients.ATTEMPTS), "scan", {"TableName": "Orders"}, SIX),
    ],
    "skipscan.aws.clients:s3": [(lambda: clients.s3(SESSION), "get_object", {"Bucket": "results", "Key": "a"}, SIX)],
    "skipscan.aws.clients:lambda_": [(lambda: clients.lambda_(SESSION, 1), "invoke", {"FunctionName": "f"}, ONCE)],
    "skipscan.aws.clients:sqs": [(lambda: clients.sqs(SESSION, 1), "get_queue_url", {"QueueName": "q"}, ONCE)],
    "skipscan.aws.clients:single": [(lambda: clients.single(SESSION, "kms"), "describe_key", {"KeyId": "k"}, SIX)],
    "skipscan.listing.concurrency_requests:lambda_client": [
        (lambda: concurrency_requests.lambda_client(SESSION), "get_account_settings", {}, ONCE)
    ],
    "skipscan.environment.executions:cloudformation_client": [
        (lambda: executions.cloudformation_client(SESSION), "list_stacks", {}, SIX),
        (lambda: executions.cloudformation_client(SESSION, clients.IMPATIENT), "list_stacks", {}, ONCE),
    ],
    "skipscan.environment.executions:sfn_client": [
        (lambda: executions.sfn_client(SESSION), "list_executions", {"stateMachineArn": MACHINE}, SIX)
    ],
    "skipscan.listing.price_requests:pricing_client": [
        (lambda: price_requests.pricing_client(SESSION), "get_products", {"ServiceCode": "AmazonDynamoDB"}, ONCE)
    ],
    "verify.kit:Kit.client": [(lambda: kit().client("sqs"), "get_queue_url", {"QueueName": "q"}, 8)],
}
"""The clients of each place that makes any: how, a call, and how often that is tried while AWS cannot answer."""
ELSEWHERE = {
    "skipscan.aws.clients:make": "makes what the others ask for",
    "skipscan.cli.stack.place:StackPlace.of": "asks at once: test_a_deployment_asks_as_often_as_it_says",
    "infra.emptying:empty": "boto3's own defaults, and a person who can start it again",
    "infra.versions:main": "boto3's own defaults, and a person who can start it again",
}


def test_these_are_all_modules_that_make_clients() -> None:
    found = {
        ".".join(path.relative_to(root).with_suffix("").parts)
        for root, folder in (("lambdas", "."), (".", "infra"), ("tools", "verify"))
        for path in Path(root, folder).rglob("*.py")
        if re.search(r"\b(session\.client|clients\.make)\(", path.read_text())
    }
    assert found == {place.partition(":")[0] for place in {**MADE, **ELSEWHERE}}


def kit() -> Kit:
    return Kit(SESSION, executions.Deployment("dev", "results", {}), "launch")


def answer(status: int, body: bytes = b"", **headers: str) -> AWSResponse:
    made: Any = HeadersDict(headers)
    return AWSResponse("https://aws", status, made, SimpleNamespace(stream=lambda *_, **__: iter([body])))


class Waits(Clock):
    """A clock that records how long it was waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        self.waits.append(seconds)


class Refusing:
    """An AWS that is too busy to answer for so many seconds. `asked`: how often it was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float = inf) -> None:
        self.asked = 0
        self.clock = Waits()
        self._seconds = seconds
        monkeypatch.setattr("botocore.endpoint.time", self.clock)
        monkeypatch.setattr(Endpoint, "_send", self._send)

    def _send(self, _: Any) -> AWSResponse:
        self.asked += 1
        if self.clock.monotonic() >= self._seconds:
            return answer(200, ETag="1")
        return answer(503, b"<!DOCTYPE html><p>Service Unavailable</p>")  # as load balancers say it


@pytest.mark.parametrize(("place", "number"), [(place, number) for place in MADE for number in range(len(MADE[place]))])
def test_a_client_asks_as_often_as_its_place_says(monkeypatch: pytest.MonkeyPatch, place: str, number: int) -> None:
    make, method, asked, attempts = MADE[place][number]
    client = make()
    aws = Refusing(monkeypatch)
    with pytest.raises(ClientError):
        getattr(client, method)(**asked)
    assert aws.asked == attempts
    assert attempts == ONCE or client.meta.config.retries["mode"] == "standard"
    if not place.startswith("verify."):
        assert client.meta.config.connect_timeout <= 5
        # Of botocore's own waits.
        longest = [1, 2, 4, *[8] * 7][: attempts - 1]
        assert len(aws.clock.waits) == len(longest)
        assert all(most / 2 <= seconds <= most for seconds, most in zip(aws.clock.waits, longest, strict=True))


@pytest.mark.parametrize("seconds", [0.5, 2, 5, 11])
def test_no_commit_is_lost_while_s3_fails_for_seconds(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """With every botocore: from 1.44 on its own six attempts would wait less than a second."""
    bucket = Bucket(clients.s3(SESSION), "results")
    for number in range(16):
        Refusing(monkeypatch, seconds)
        assert bucket.put_once(f"part-{number}", b"keys")


@pytest.mark.parametrize(
    "host",
    [
        *(
            "dynamodb.us-east-1.amazonaws.com",
            "dynamodb.us-east-1.api.aws",
            "dynamodb-fips.us-gov-west-1.amazonaws.com",
        ),
        *("dynamodb.cn-north-1.amazonaws.com.cn", "dynamodb.cn-north-1.api.amazonwebservices.com.cn"),
        *("dynamodb.eusc-de-east-1.amazonaws.eu", "s3.eusc-de-east-1.api.amazonwebservices.eu"),
        *("dynamodb.us-iso-east-1.c2s.ic.gov", "dynamodb.us-isob-east-1.sc2s.sgov.gov"),
    ],
)
def test_aws_is_known_in_every_partition(host: str) -> None:
    assert clients.is_aws(SESSION.client("dynamodb", endpoint_url=f"https://{host}"))


def test_a_call_of_a_function_ends_within_the_time_that_a_batch_leaves_for_it_and_is_not_repeated() -> None:
    """A function that an act invokes may hang, or may still be running: what it does would be done twice."""
    made: list[Any] = [clients.s3(SESSION), clients.lambda_(SESSION, connections=1)]
    of_s3, of_lambda = (client.meta.config for client in made)
    assert of_s3.read_timeout < of_lambda.read_timeout < clients.LONGEST_CALL_SECONDS
    assert of_lambda.retries["total_max_attempts"] == 1


# The limits of a batch, from a function's environment variables.


VARIABLES = {
    "SKIPSCAN_BUCKET": "results",
    "SKIPSCAN_PREFIX": "skipscan",
    "SKIPSCAN_PLACE": "us-east-1:000000000000",
    "SKIPSCAN_ENVIRONMENT": "dev",
}


def test_each_variable_that_the_stack_sets_is_read_and_a_lost_budget_is_not_read_as_another() -> None:
    """The stack writes them: tests/engines/infra/test_functions.py."""
    variables = {"SKIPSCAN_BATCH_PAGES": "7", "SKIPSCAN_BATCH_KEYS": "8", "SKIPSCAN_BATCH_BYTES": "9"}
    variables |= {
        "SKIPSCAN_MAX_DOLLARS": "5.5",
        "SKIPSCAN_KEY_ATTRIBUTES": '["id"]',
        "SKIPSCAN_WRITING": '{"t": ["f"]}',
    }
    settings = Settings.read({**VARIABLES, **variables, "SKIPSCAN_RESERVED_CONCURRENCY": "10"})
    assert settings.batch == Bounds(240.0, 7, 8, 9)
    assert (settings.max_dollars, settings.reserved_concurrency, settings.key_attributes) == (5.5, 10, ("id",))
    assert settings.writing == {"t": ["f"]}
    assert Settings.read(VARIABLES).max_dollars is None
