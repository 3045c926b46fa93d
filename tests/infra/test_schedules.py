import json

import pytest

from tests.infra.template import Template

pytestmark = pytest.mark.xdist_group("synth")


def test_a_schedule_starts_the_machine_with_its_input_in_its_time_zone(full: Template) -> None:
    schedule = full.the("AWS::Scheduler::Schedule", Name="skipscan-full-nightly")
    assert schedule["ScheduleExpression"] == "cron(0 3 * * ? *)"
    assert schedule["ScheduleExpressionTimezone"] == "Europe/Berlin"
    assert schedule["State"] == "ENABLED"
    assert full.text(schedule["Target"]["Arn"]) == "skipscan-full"
    assert json.loads(schedule["Target"]["Input"]) == {"table": "Orders", "consistent_read": True, "segments": 8}


def test_a_schedule_may_be_paused_and_is_in_utc_unless_told_otherwise(full: Template) -> None:
    schedule = full.the("AWS::Scheduler::Schedule", Name="skipscan-full-paused")
    assert schedule["State"] == "DISABLED"
    assert schedule["ScheduleExpressionTimezone"] == "UTC"


def test_a_schedule_may_start_the_machine_and_nothing_else(full: Template) -> None:
    for schedule in full.every("AWS::Scheduler::Schedule"):
        assert full.permissions(schedule["Target"]["RoleArn"]) == {("states:StartExecution", "skipscan-full")}


def test_without_schedules_nothing_starts_by_itself(plain: Template) -> None:
    assert plain.every("AWS::Scheduler::Schedule") == []
