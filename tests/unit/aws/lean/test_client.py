"""The lean client over TLS sends requests only to servers whose certificate it trusts."""

import json
from collections.abc import Iterator
from typing import Any, cast

import boto3
import pytest
from aws_lambda_powertools import Logger
from botocore.exceptions import SSLError

from local.authority import Authority, authority
from local.checkout import REGION
from local.embedded import SESSION
from skipscan.aws import lean
from skipscan.aws.faults import fault, scrub
from skipscan.aws.function import Metrics
from skipscan.loop.dependencies import Dependencies, Log
from skipscan.pace.pace import Fault
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
    configured(make, secure, boto3.Session("test", "test", region_name=REGION))


def configured(make: Clients, secure: Wire, session: boto3.Session) -> None:
    client: Any = lean.lean_dynamodb(session, 4, secure.url, notify=make.notify)
    for name in CALLS:
        call(client, name)
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
