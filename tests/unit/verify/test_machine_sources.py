"""What the check of the machine's role makes of CloudTrail's events, which the embedded engine does not have."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from verify.checks.trail import judged, machine_sources, trusted
from verify.errors import NotHeldError, NotTriedError

STATES = "arn:aws:states:us-east-1:111111111111"
ROLE = "arn:aws:iam::111111111111:role/path/skipscan-dev-Role"
MACHINE = f"{STATES}:stateMachine:skipscan-dev"
PATTERNS = [MACHINE, f"{MACHINE}/*", f"{STATES}:execution:skipscan-dev:*", f"{STATES}:mapRun:skipscan-dev/*"]
TRUST = {"Statement": [{"Condition": {"ArnLike": {"aws:SourceArn": PATTERNS}}}]}


def event(source: str | None = None, role: str = ROLE, **more: Any) -> dict[str, Any]:
    asked = {"roleArn": role, "roleSessionName": "x", **({"sourceArn": source} if source else {})}
    return {"eventName": "AssumeRole", "requestParameters": asked, **more}


@pytest.mark.parametrize(
    "source",
    [MACHINE, f"{MACHINE}/Workers", f"{STATES}:mapRun:skipscan-dev/Workers:1", f"{STATES}:execution:skipscan-dev:1"],
)
def test_sources_that_the_role_trusts_are_named(source: str) -> None:
    assert source in judged([event(source), event()], PATTERNS)


@pytest.mark.parametrize("source", [f"{STATES}:stateMachine:skipscan-dev-act", f"{STATES}:express:skipscan-dev:1:2"])
def test_a_source_that_the_role_does_not_trust_is_wrong(source: str) -> None:
    with pytest.raises(NotHeldError, match=f"does not trust {source}"):
        judged([event(MACHINE), event(source)], PATTERNS)


def test_a_denial_is_wrong() -> None:
    with pytest.raises(NotHeldError, match="1 were denied"):
        judged([event(MACHINE), event(MACHINE, errorCode="AccessDenied")], PATTERNS)


def test_events_that_name_no_source_show_nothing() -> None:
    with pytest.raises(NotTriedError, match="do not name"):
        judged([event()], PATTERNS)


def test_one_pattern_is_a_text() -> None:
    assert trusted({"Statement": [{"Condition": {"ArnLike": {"aws:SourceArn": MACHINE}}}]}) == [MACHINE]


def test_events_of_other_roles_do_not_count() -> None:
    events = [event(f"{STATES}:stateMachine:other", role=f"{ROLE}-other"), event(MACHINE)]
    kit: Any = Kit(events)
    assert machine_sources(kit) == f"1 events, from {MACHINE}"
    kit = Kit(events[:1])
    with pytest.raises(NotTriedError, match="an event of the role"):
        machine_sources(kit)


class Kit:
    """The kit after a run, with these events in CloudTrail."""

    deployment = SimpleNamespace(machines={"run": MACHINE})
    patience_seconds = 1.0

    def __init__(self, events: list[dict[str, Any]]) -> None:
        self._events = events

    def once(self, what: str, make: object) -> Any:
        return "table", {"started": "2026-01-01T00:00:00Z"}

    def client(self, service: str) -> Any:
        return self

    def describe_state_machine(self, **_: Any) -> Any:
        return {"roleArn": ROLE}

    def get_role(self, *, RoleName: str) -> Any:  # noqa: N803 (theirs)
        assert RoleName == "skipscan-dev-Role"
        return {"Role": {"AssumeRolePolicyDocument": TRUST}}

    def get_paginator(self, name: str) -> Any:
        assert name == "lookup_events"
        return self

    def paginate(self, **_: Any) -> Any:
        return [{"Events": [{"CloudTrailEvent": json.dumps(one)} for one in self._events]}]

    def until(self, what: str, look: Any, *, seconds: float) -> Any:
        if (found := look()) is None:
            raise NotTriedError(f"{what} did not come")
        return found
