"""`CLEAN=1` stops the executions over the kit's own tables, and no others, whatever their names are."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.environment.executions import Deployment
from verify.kit import Kit
from verify.removal import found
from verify.thing import Kind, Thing

MACHINES = {noun: f"arn:aws:states:us-east-1:000000000000:stateMachine:skipscan-dev-{noun}" for noun in ("run", "act")}
OWN = {"table": "skipscan-verify-dev-1a2b3c-run"}


class Account:
    """Every service of an account without anything, but for running executions: inputs by machine and name."""

    def __init__(self, running: dict[tuple[str, str], object]) -> None:
        self._running = running

    def get_paginator(self, operation: str) -> Any:
        return SimpleNamespace(paginate=lambda **asked: iter([self._page(operation, asked)]))

    def _page(self, operation: str, asked: dict[str, Any]) -> dict[str, Any]:
        if operation != "list_executions":
            return {
                "TableNames": [],
                "Functions": [],
                "stateMachines": [],
                "Roles": [],
                "ScheduleGroups": [],
                "EventSourceMappings": [],
            }
        assert asked["statusFilter"] == "RUNNING"
        machine = asked["stateMachineArn"]
        names = [name for noun, name in self._running if MACHINES[noun] == machine]
        return {"executions": [{"name": name, "executionArn": f"{machine}:{name}"} for name in names]}

    def describe_execution(self, *, executionArn: str) -> dict[str, Any]:  # noqa: N803 (theirs)
        noun, name = executionArn.rpartition("-dev-")[2].split(":")
        return {"input": json.dumps(self._running[noun, name])}

    def list_buckets(self) -> dict[str, Any]:
        return {"Buckets": []}

    def list_objects_v2(self, **_: Any) -> dict[str, Any]:
        return {}


@pytest.mark.parametrize(
    ("noun", "name", "document", "is_own"),
    [
        ("run", "verify-1a2b3c-whole-0", OWN, True),
        ("act", "verify-1a2b3c-act", OWN, True),
        ("run", "verify-orders", {"table": "Orders"}, False),
        ("run", "verify-1a2b3c-whole-0", {"table": "skipscan-verify-prod-1a2b3c-run"}, False),
        ("run", "verify-nothing", [], False),
        ("run", "nightly", OWN, False),
    ],
)
def test_only_executions_over_the_kits_tables_are_found(noun: str, name: str, document: object, is_own: bool) -> None:
    session: Any = SimpleNamespace(client=lambda service, **_: Account({(noun, name): document}))
    kit = Kit(session, Deployment("dev", "bucket", MACHINES), "launch")
    things = list(found(kit, lambda line: None))
    assert things == ([Thing(Kind.EXECUTION, f"{MACHINES[noun]}:{name}")] if is_own else [])
