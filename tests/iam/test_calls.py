"""Every call that the deployed job really made is allowed by the policies, and they allow nothing that was not used."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from local.checkout import ACCOUNT, REGION
from tests.iam.conftest import COMMAND_LINE, STACK, Recording
from tests.iam.policy import Grant, Need, grants_in, is_allowed

pytestmark = pytest.mark.xdist_group("iam")

STATES = ("plan", "scan", "finish")


def needs(recording: Recording, caller: str) -> set[Need]:
    calls = [call for call in recording.calls if call.caller == caller]
    return {need for call in calls for need in call.needs(region=REGION, account=ACCOUNT)}


def role(recording: Recording, state: str) -> set[Grant]:
    """What a function's role allows, but for the function's own log, which Lambda writes and not the SDK."""
    function = recording.template.the("AWS::Lambda::Function", FunctionName=f"{STACK}-{state}")
    documents = recording.template.policies(function["Role"])
    return {grant for document in documents for grant in grants_in(document) if not grant.action.startswith("logs:")}


def bucket_policy(recording: Recording) -> set[Grant]:
    document = recording.template.the("AWS::S3::BucketPolicy")["PolicyDocument"]
    return set(grants_in(recording.template.spelled(document)))


def unused(grants: Iterable[Grant], needed: set[Need]) -> list[Grant]:
    return [grant for grant in grants if not any(grant.covers(need) for need in needed)]


@pytest.mark.parametrize("state", STATES)
def test_a_function_is_allowed_every_call_it_makes(recording: Recording, state: str) -> None:
    allowed = role(recording, state) | bucket_policy(recording)
    needed = needs(recording, f"{STACK}-{state}")
    assert len(needed) > 5
    assert [need for need in needed if not is_allowed(need, allowed)] == []


@pytest.mark.parametrize("state", STATES)
def test_a_function_is_allowed_nothing_that_it_does_not_do(recording: Recording, state: str) -> None:
    assert unused(role(recording, state), needs(recording, f"{STACK}-{state}")) == []


def test_the_recording_has_calls_of_every_function_and_of_the_command_line(recording: Recording) -> None:
    assert {call.caller for call in recording.calls} == {*(f"{STACK}-{state}" for state in STATES), COMMAND_LINE}
