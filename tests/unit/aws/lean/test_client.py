"""The lean client over TLS sends requests only to servers whose certificate it trusts."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, cast

import boto3
import pytest
from aws_lambda_powertools import Logger
from botocore.exceptions import SSLError

from local.authority import Authority, authority
from local.checkout import REGION
from local.embedded import SESSION
from skipscan.act.task_source import Task
from skipscan.aws import lean
from skipscan.aws.faults import fault, scrub
from skipscan.aws.function import Metrics
from skipscan.loop.dependencies import Dependencies, Log
from skipscan.pace.pace import Fault
from tests.fakes.acting import Acting, requests_of
from tests.fakes.actions import decided
from tests.unit.act.worker import plan
from tests.unit.aws.lean.conftest import CALLS, Clients, call
from tests.unit.aws.lean.test_trial import makers
from tests.unit.aws.lean.wire import Wire, wire


@pytest.fixture(scope="module")
def trusted(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return authority(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def secure(trusted: Authority) -> Iterator[Wire]:
    with wire(trusted.context) as started:
        yield started


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_the_product_s_client_sends_nothing_to_a_server_with_an_untrusted_certificate(
    make: Clients, secure: Wire, name: str
) -> None:
    client: Any = lean.lean_dynamodb(SESSION, 4, secure.url, notify=make.notify)
    for _ in range(4):
        with pytest.raises(SSLError) as caught:
            call(client, name)
        assert fault(caught.value) is Fault.PASSING
    client.close()
    assert secure.asked == []


@pytest.mark.parametrize("name", ["AWS_CA_BUNDLE", "REQUESTS_CA_BUNDLE"])
def test_boto3_makes_all_calls_where_an_authority_is_configured(
    make: Clients, secure: Wire, trusted: Authority, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, trusted.ca_file)
    client: Any = lean.lean_dynamodb(
        boto3.Session("test", "test", region_name=REGION), 4, secure.url, notify=make.notify
    )
    for each in CALLS:
        call(client, each)
    client.close()
    assert makers(secure) == ["boto3"] * len(CALLS)
    assert make.notices == ["certificates are configured"]


def test_a_function_says_once_why_boto3_makes_the_hot_calls(
    make: Clients, server: Wire, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.url)
    monkeypatch.setenv("no_proxy", "elsewhere")
    dependencies = Dependencies(cast("Log", Logger(service="notice")), Metrics("dev").emit, fault, scrub)
    client = make.boto3("http://dynamodb.example")
    own = lean.LeanClient(client, make.session, lean.notice(dependencies))
    for name in CALLS:
        call(own, name)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    [log] = [line for line in lines if "message" in line]
    [metric] = [line for line in lines if "_aws" in line]
    assert (log["message"], log["reason"]) == ("boto3 makes all calls of DynamoDB", "a proxy is configured")
    assert (metric["environment"], metric["LeanClientUnused"]) == ("dev", [1.0])


# An act that only writes makes one read with both clients before its first write, and counts it.


ACTIONS: dict[str, dict[str, Any]] = {
    "PutItem": {"put_item": {"item": {"sk": "#static"}}},
    "DeleteItem": {"delete_item": {"key": {"sk": "#static"}}},
}


@pytest.mark.parametrize("operation", ACTIONS)
def test_an_act_that_only_writes_makes_one_read_with_both_clients(make: Clients, server: Wire, operation: str) -> None:
    results = _act(make.lean(server.url), operation)
    operations = [asked.operation for asked in server.asked]
    assert operations == ["GetItem"] * 2 + [operation] * len(results)
    assert makers(server) == ["lean", "boto3"] + ["lean"] * len(results)
    assert b'"Key": {"pk": {"S": ' in server.asked[0].body
    assert b'"sk": {"S": "#static"}}' in server.asked[0].body
    assert sorted(results) == [(0.0, 1)] * 7 + [(2.0, 2)]
    assert make.notices == []


def _act(client: Any, operation: str) -> list[tuple[float, int]]:
    """Return the read units and requests of eight tasks of an act on as many threads."""
    decided_plan = replace(plan([], decided(ACTIONS[operation])), table="T")
    requests = requests_of(client, decided_plan)

    def act(number: int) -> tuple[float, int]:
        acting = Acting(decided_plan, requests)
        acting.act(Task(0, (f'{{"pk": "{number}"}}\n'.encode(),), 0, 0, "a-0"))
        return sum(units for units, _ in acting.spent), len(acting.answers)

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(act, range(8)))
