"""Options become parameters of the template, or are refused before AWS is asked to change anything."""

import json
from typing import Any

import pytest

from skipscan.errors import InputError
from tests.unit.cli.stack.conftest import Account


def test_naming_tables_replaces_all_of_them(account: Account) -> None:
    account.has("CREATE_COMPLETE")
    account.deploy("Orders", "arn:aws:dynamodb:eu-west-1:111111111111:table/Lines")
    said = account.parameters()
    assert [said[name] for name in ("Table", "Table2", "Table3", "Table4", "Table5")] == ["Orders", "Lines", "", "", ""]


def test_the_scheduled_input_names_the_first_table_and_skips_overlaps(account: Account) -> None:
    account.deploy("Orders", schedule="rate(1 day)", schedule_input='{"segments": 8}')
    assert json.loads(account.parameters()["ScheduleInput"]) == {"overlap": "skip", "segments": 8, "table": "Orders"}


def test_the_scheduled_input_follows_when_the_first_table_is_another(account: Account) -> None:
    deployed = [("Table", "Orders"), ("ScheduleInput", '{"table": "Orders", "segments": 8}')]
    account.has(
        "CREATE_COMPLETE", Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in deployed]
    )
    account.deploy("Customers")
    assert json.loads(account.parameters()["ScheduleInput"])["table"] == "Customers"


@pytest.mark.parametrize(
    ("notify", "email", "topic"),
    [
        ("ann@example.com", "ann@example.com", "none"),
        ("arn:aws:sns:eu-west-1:111111111111:runs", "", "arn:aws:sns:eu-west-1:111111111111:runs"),
        ("none", "", "none"),
    ],
)
def test_a_notice_goes_to_an_e_mail_address_or_to_a_topic(
    account: Account, notify: str, email: str, topic: str
) -> None:
    account.deploy("Orders", notify=notify, notify_if="changed")
    said = account.parameters()
    assert (said["NotifyEmail"], said["NotifyTopic"], said["NotifyOnlyIfChanged"]) == (email, topic, "yes")


def test_a_deployment_that_says_nothing_about_notices_keeps_them(account: Account) -> None:
    account.has("CREATE_COMPLETE")
    account.deploy("Orders")
    assert not {"NotifyEmail", "NotifyTopic", "NotifyOnlyIfChanged"} & account.parameters().keys()


def test_a_schedule_can_be_removed(account: Account) -> None:
    account.has("CREATE_COMPLETE")
    account.deploy(schedule="")
    assert account.parameters()["Schedule"] == ""


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"tables": ()}, "--table is missing"),
        ({"tables": ("Orders",), "notify": "operators"}, '--notify is "operators"; it must match none|arn'),
        ({"tables": ("Orders",), "notify": "a b@example.com"}, "--notify is "),
        ({"tables": tuple("abcdef")}, "6 tables are given; .* at most 5"),
        ({"tables": ("Orders", "Orders")}, "given twice"),
        ({"tables": ("O",)}, "not a valid table name"),
        ({"tables": ("Or ders",)}, "not a valid table name"),
        ({"tables": ("arn:aws:dynamodb:eu-west-1:222222222222:table/Orders",)}, "another account or region"),
        ({"tables": ("arn:aws:dynamodb:us-east-1:111111111111:table/Orders",)}, "another account or region"),
        ({"schedule": "every day"}, "--schedule is .* it must be like"),
        ({"schedule": "cron(0 3 * * *)"}, "--schedule is .* it must be like"),
        ({"schedule": "cron(0 25 * * ? *)"}, "--schedule is .* 25 is not valid for the hours .0 to 23."),
        ({"schedule": "cron(0 3 * * * *)"}, "--schedule is .* the day of the week must be"),
        ({"schedule": "rate(0 days)"}, "--schedule is .* it must be like"),
        ({"schedule": "at(2026-01-01T00:00:00)"}, "--schedule is"),
        ({"schedule_input": "["}, "must be JSON"),
        ({"schedule_input": "[]"}, "must be a JSON object"),
        ({"schedule_input": '{"table": "Others"}'}, "has another table"),
        ({"schedule_input": '{"segments": 0}'}, "segments"),
        ({"schedule_input": '{"segmens": 1}'}, "segmens"),
        (
            {"role_path": f"/{'x' * 300}/"},
            "RolePath, SubnetIds and SecurityGroupIds have 302 characters .* at most 256",
        ),
        ({"subnets": ("subnet-1",)}, "both: give --subnet and --security-group"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_made(account: Account, wanted: dict[str, Any], said: str) -> None:
    asked = {"tables": ("Orders",), **wanted}
    with pytest.raises(InputError, match=said):
        account.deploy(*asked.pop("tables"), **asked)
    assert account.s3.buckets == {}
    assert account.cloudformation.stack is None
