"""Which published versions nothing uses any more: neither the deployed machine nor an execution of two weeks."""

import json
import runpy
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import boto3
import pytest

from skipscan.environment.executions import Deployment
from tests.fakes.pages import paged

pytestmark = pytest.mark.engine

FUNCTION = "arn:aws:lambda:us-east-1:123456789012:function:skipscan-dev-scan"
MACHINE = "arn:aws:states:us-east-1:123456789012:stateMachine:skipscan-dev"
NOW = datetime.now(UTC)


def definition(version: int) -> str:
    return json.dumps({"States": {"Scan": {"Resource": f"{FUNCTION}:{version}"}}})


EXECUTIONS = (
    ("running", 1, "RUNNING", None),
    ("failed", 2, "FAILED", NOW - timedelta(days=13)),
    ("failed-long-ago", 3, "ABORTED", NOW - timedelta(days=15)),
    ("done", 4, "SUCCEEDED", NOW),
)
"""With the version that each started with. The function has five, of which the last is deployed."""


def executions(_: object) -> dict[str, Any]:
    return {
        "executions": [
            {"executionArn": name, "status": status, **({"stopDate": ended} if ended else {})}
            for name, _, status, ended in EXECUTIONS
        ]
    }


def machine_of(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {"definition": next(definition(of) for name, of, *_ in EXECUTIONS if name == asked["executionArn"])}


@pytest.fixture
def aws_with_versions() -> dict[str, Any]:
    versions = {"Versions": [{"Version": version} for version in ("$LATEST", *"12345")]}
    sfn = paged(
        "stepfunctions",
        list_executions=executions,
        describe_state_machine=lambda _: {"definition": definition(5)},
        describe_state_machine_for_execution=machine_of,
    )
    return {"lambda": paged("lambda", list_versions_by_function=lambda _: versions), "stepfunctions": sfn}


def test_versions_stay_that_are_deployed_or_of_executions_that_run_or_may_be_redriven(
    aws_with_versions: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def session(*, region_name: str) -> SimpleNamespace:
        asked.append(region_name)
        return SimpleNamespace(client={**aws_with_versions, "cloudformation": None}.__getitem__)

    def found(_: object, name: str) -> Deployment:
        return Deployment(name, "results", {"run": MACHINE})

    monkeypatch.setattr(boto3, "Session", session)
    monkeypatch.setattr("skipscan.environment.executions.find_deployment", found)
    monkeypatch.setattr(sys, "argv", ["versions", "dev"])
    monkeypatch.delitem(sys.modules, "infra.versions", raising=False)  # runpy warns of one that was imported before
    runpy.run_module("infra.versions", run_name="__main__")
    said, *removals = capsys.readouterr().out.splitlines()
    assert (asked, said) == (["us-east-1"], "No execution uses these versions:")
    remove = f"aws lambda delete-function --function-name {FUNCTION} --qualifier"
    assert removals == [f"{remove} 3", f"{remove} 4"]
