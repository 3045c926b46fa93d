import json

import pytest

from tests.engines.infra.template import Template

pytestmark = pytest.mark.xdist_group("synth")


def test_a_schedule_starts_the_machine_with_its_input_in_its_time_zone(full: Template) -> None:
    schedule = full.the("AWS::Scheduler::Schedule", Name="skipscan-full-nightly")
    assert schedule["ScheduleExpression"] == "cron(0 3 * * ? *)"
    assert schedule["ScheduleExpressionTimezone"] == "Europe/Berlin"
    assert schedule["State"] == "ENABLED"
    assert full.text(schedule["Target"]["Arn"]) == "skipscan-full"
    assert json.loads(schedule["Target"]["Input"]) == {
        "table": "Orders",
        "consistent_read": True,
        "segments": 8,
        "overlap": "allow",
    }


def test_a_scheduled_run_is_skipped_by_default_while_the_last_one_is_running(full: Template) -> None:
    schedule = full.the("AWS::Scheduler::Schedule", Name="skipscan-full-paused")
    assert json.loads(schedule["Target"]["Input"]) == {"table": "Orders", "overlap": "skip"}


def test_a_schedule_can_be_paused_and_is_in_utc_by_default(full: Template) -> None:
    schedule = full.the("AWS::Scheduler::Schedule", Name="skipscan-full-paused")
    assert schedule["State"] == "DISABLED"
    assert schedule["ScheduleExpressionTimezone"] == "UTC"


def test_a_schedule_can_only_start_the_machine_and_report_a_failed_start(full: Template) -> None:
    for schedule in full.every("AWS::Scheduler::Schedule"):
        assert full.permissions(schedule["Target"]["RoleArn"]) == {
            ("states:StartExecution", "skipscan-full"),
            ("sqs:SendMessage", "the queue"),
        }


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


def test_a_start_that_failed_for_good_goes_to_one_queue_encrypted_and_reached_by_tls_alone(full: Template) -> None:
    for schedule in full.every("AWS::Scheduler::Schedule"):
        assert full.text(schedule["Target"]["DeadLetterConfig"]["Arn"]) == "the queue"
    queue = full.the("AWS::SQS::Queue")
    assert (queue["SqsManagedSseEnabled"], queue["MessageRetentionPeriod"]) == (True, 14 * 24 * 3600)
    (statement,) = full.the("AWS::SQS::QueuePolicy")["PolicyDocument"]["Statement"]
    assert (statement["Effect"], statement["Principal"]) == ("Deny", {"AWS": "*"})
    assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


def test_a_window_and_retries_are_those_of_the_environment(watched: Template) -> None:
    schedule = watched.the("AWS::Scheduler::Schedule", Name="skipscan-watched-nightly")
    assert schedule["FlexibleTimeWindow"] == {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 30}
    assert schedule["Target"]["RetryPolicy"] == {"MaximumRetryAttempts": 5, "MaximumEventAgeInSeconds": 3600}


def test_a_schedule_starts_at_once_and_is_retried_for_a_day_by_default(watched: Template) -> None:
    schedule = watched.the("AWS::Scheduler::Schedule", Name="skipscan-watched-whenever")
    assert schedule["FlexibleTimeWindow"] == {"Mode": "OFF"}
    assert schedule["Target"]["RetryPolicy"] == {"MaximumRetryAttempts": 185, "MaximumEventAgeInSeconds": 86400}


def test_without_schedules_nothing_starts_by_itself(plain: Template) -> None:
    assert plain.every("AWS::Scheduler::Schedule") == plain.every("AWS::SQS::Queue") == []
