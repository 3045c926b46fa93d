"""When a schedule starts a run, with what, and what happens where it cannot."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.engines.infra.template import Template

pytestmark = pytest.mark.xdist_group("synth")

NIGHT, DAY = "cron(0 3 * * ? *)", "rate(1 day)"
FOR_A_DAY = {"MaximumRetryAttempts": 185, "MaximumEventAgeInSeconds": 86_400}
FOR_AN_HOUR = {"MaximumRetryAttempts": 5, "MaximumEventAgeInSeconds": 3600}
ORDERS = {"table": "Orders", "overlap": "skip"}
CUSTOMERS = {"table": "arn:aws:dynamodb:us-east-1:111111111111:table/Customers", "overlap": "skip"}
OVERLAPPING = {"table": "Orders", "consistent_read": True, "segments": 8, "overlap": "allow"}
STARTS: dict[tuple[str, str], tuple[Any, ...]] = {
    # A scheduled run is skipped by default while the last one is running.
    ("full", "nightly"): (NIGHT, "Europe/Berlin", "ENABLED", OVERLAPPING, "OFF", FOR_A_DAY),
    ("full", "paused"): (DAY, "UTC", "DISABLED", ORDERS, "OFF", FOR_A_DAY),
    ("watched", "nightly"): (NIGHT, "UTC", "ENABLED", ORDERS, 30, FOR_AN_HOUR),
    ("watched", "weekly"): ("rate(7 days)", "UTC", "ENABLED", CUSTOMERS, "OFF", FOR_A_DAY),
    ("watched", "whenever"): (DAY, "UTC", "ENABLED", ORDERS, "OFF", FOR_A_DAY),
    ("watched", "paused"): (DAY, "UTC", "DISABLED", ORDERS, "OFF", FOR_A_DAY),
    ("company", "nightly"): (NIGHT, "UTC", "ENABLED", ORDERS, "OFF", FOR_A_DAY),
}
"""By environment and name: expression, time zone, state, input, window, retries."""


@pytest.mark.parametrize(("environment", "name"), STARTS, ids=map(" ".join, STARTS))
def test_a_schedule_starts_the_machine_as_the_environment_says(
    templates: Mapping[str, Template], environment: str, name: str
) -> None:
    template = templates[environment]
    schedule = template.the("AWS::Scheduler::Schedule", Name=f"skipscan-{environment}-{name}")
    target, window = schedule["Target"], schedule["FlexibleTimeWindow"]
    assert template.text(target["Arn"]) == f"skipscan-{environment}"
    assert window["Mode"] == ("FLEXIBLE" if "MaximumWindowInMinutes" in window else "OFF")
    said = (schedule["ScheduleExpression"], schedule["ScheduleExpressionTimezone"], schedule["State"])
    within = window.get("MaximumWindowInMinutes", "OFF")
    assert (*said, json.loads(target["Input"]), within, target["RetryPolicy"]) == STARTS[environment, name]


def test_every_schedule_is_in_the_table_and_no_other_environment_starts_anything(
    templates: Mapping[str, Template],
) -> None:
    found = [
        (environment, each["Name"].removeprefix(f"skipscan-{environment}-"))
        for environment, template in templates.items()
        for each in template.every("AWS::Scheduler::Schedule")
    ]
    assert sorted(found) == sorted(STARTS)
    assert not templates["plain"].every("AWS::SQS::Queue")


def test_a_schedule_is_made_after_the_policy_of_its_role_because_a_rate_starts_at_once(full: Template) -> None:
    resources = full.document["Resources"]
    for schedule in full.raw("AWS::Scheduler::Schedule"):
        role = schedule["Properties"]["Target"]["RoleArn"]["Fn::GetAtt"][0]
        [policy] = [
            name
            for name, each in resources.items()
            if each["Type"] == "AWS::IAM::Policy" and {"Ref": role} in each["Properties"]["Roles"]
        ]
        assert policy in schedule["DependsOn"]
