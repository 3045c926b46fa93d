"""That boto3 makes the hot calls is said once, in the log and in a metric."""

import json
from typing import cast

import pytest
from aws_lambda_powertools import Logger

from skipscan.aws import lean
from skipscan.aws.faults import fault, scrub
from skipscan.aws.function import Metrics
from skipscan.loop.dependencies import Dependencies, Log
from tests.unit.aws.lean.conftest import CALLS, Clients, call
from tests.unit.aws.lean.wire import PAGE, Wire, answer, usual


def test_a_function_says_once_why_boto3_makes_the_hot_calls(
    make: Clients, server: Wire, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.url)
    monkeypatch.setenv("no_proxy", "elsewhere")
    dependencies = Dependencies(cast(Log, Logger(service="notice")), Metrics("dev").emit, fault, scrub)
    client = make.boto3("http://dynamodb.example")
    own = lean.LeanClient(client, make.session, lean.notice(dependencies))
    for name in CALLS:
        call(own, name)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    [log] = [line for line in lines if "message" in line]
    [metric] = [line for line in lines if "_aws" in line]
    assert (log["message"], log["reason"]) == ("boto3 makes all calls of DynamoDB", "a proxy is configured")
    assert (metric["environment"], metric["LeanClientUnused"]) == ("dev", [1.0])


def test_a_function_says_that_first_answers_differed_although_the_lean_client_continues(
    make: Clients, server: Wire, capsys: pytest.CaptureFixture[str]
) -> None:
    dependencies = Dependencies(cast(Log, Logger(service="remark")), Metrics("dev").emit, fault, scrub)
    server.replies += [lambda _: answer({**PAGE, "Count": 2}), usual, usual]
    client = lean.LeanClient(make.boto3(server.url), make.session, lean.notice(dependencies))
    for _ in range(2):
        call(client, "scan")
    [log] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert log["message"] == "the lean client's first calls had to be repeated"
    assert log["reason"] == "first answers differed, and then agreed: the table had changed"
