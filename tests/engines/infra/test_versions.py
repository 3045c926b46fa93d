"""Which published versions nothing uses any more: neither the deployed machine nor an execution of two weeks."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from infra.versions import commands, unused

pytestmark = pytest.mark.engine

FUNCTION = "arn:aws:lambda:us-east-1:123456789012:function:skipscan-dev-scan"
MACHINE = "arn:aws:states:us-east-1:123456789012:stateMachine:skipscan-dev"
NOW = datetime.now(UTC)


def definition(version: int) -> str:
    return json.dumps({"States": {"Scan": {"Resource": f"{FUNCTION}:{version}"}}})


class Account:
    """Lambda and Step Functions, with five versions of a function of which the last is deployed."""

    executions = (
        ("running", 1, "RUNNING", None),
        ("failed", 2, "FAILED", NOW - timedelta(days=13)),
        ("failed-long-ago", 3, "ABORTED", NOW - timedelta(days=15)),
        ("done", 4, "SUCCEEDED", NOW),
    )

    def describe_state_machine(self, **_: Any) -> dict[str, Any]:
        return {"definition": definition(5)}

    def describe_state_machine_for_execution(self, *, executionArn: str) -> dict[str, Any]:  # noqa: N803 (theirs)
        return {"definition": next(definition(of) for name, of, *_ in self.executions if name == executionArn)}

    def get_paginator(self, operation: str) -> "Pages":
        if operation == "list_executions":
            entries = [
                {"executionArn": name, "status": status, **({"stopDate": ended} if ended else {})}
                for name, _, status, ended in self.executions
            ]
            return Pages("executions", entries)
        return Pages("Versions", [{"Version": version} for version in ("$LATEST", *"12345")])


class Pages:
    def __init__(self, field: str, entries: list[Any]) -> None:
        self.field, self.entries = field, entries

    def paginate(self, **_: Any) -> Iterator[dict[str, Any]]:
        return ({self.field: [entry]} for entry in self.entries)


def test_versions_of_open_and_redrivable_executions_and_the_deployed_one_stay() -> None:
    account: Any = Account()
    assert unused(account, account, [MACHINE]) == [f"{FUNCTION}:3", f"{FUNCTION}:4"]


def test_each_is_listed_with_how_it_is_removed() -> None:
    assert list(commands([f"{FUNCTION}:3"])) == [f"aws lambda delete-function --function-name {FUNCTION} --qualifier 3"]
