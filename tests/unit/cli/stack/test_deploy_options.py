"""Options become parameters of the template, or are refused before AWS is asked to change anything."""

from typing import Any

import pytest

from skipscan.cli.stack.deploy_options import OPTIONS
from skipscan.errors import OMITTED, InputError
from tests.refusal import refused
from tests.unit.cli.stack.conftest import Account


def test_every_option_is_the_parameter_that_a_refusal_of_it_names(account: Account) -> None:
    topic = "arn:aws:sns:eu-west-1:111111111111:runs"
    wanted: dict[str, Any] = {
        **{"schedule": "rate(1 day)", "timezone": "Europe/Berlin", "schedule_input": "{}", "notify": topic},
        **{"notify_if": "finished", "alarm_topic": topic, "permissions_boundary": "boundary", "role_path": "/team/"},
        **{"subnets": ("subnet-1", "subnet-2"), "security_groups": ("sg-1",)},
    }
    account.deploy("A01", "B01", "C01", "D01", "E01", **wanted)
    said = account.parameters()
    assert {name: said[name] for name in said if not name.startswith("Code")} == {
        **{"EnvironmentName": "dev", "Table": "A01"},
        **{"Table2": "B01", "Table3": "C01", "Table4": "D01", "Table5": "E01"},
        **{"Schedule": "rate(1 day)", "ScheduleTimezone": "Europe/Berlin", "ScheduleInput": said["ScheduleInput"]},
        **{"NotifyEmail": "", "NotifyTopic": topic, "NotifyOnlyIfChanged": "no", "AlarmTopic": topic},
        **{"PermissionsBoundary": "boundary", "RolePath": "/team/"},
        **{"SubnetIds": "subnet-1,subnet-2", "SecurityGroupIds": "sg-1"},
    }
    assert OPTIONS.keys() == {name for name in said if not name.startswith("Code")}


TOPIC = "arn:aws:sns:{}:111111111111:runs"
TABLE = "arn:aws:dynamodb:{}:{}:table/Orders"


@pytest.mark.parametrize(
    ("option", "value", "rule"),
    [
        ("notify", "operators", "an e-mail address, the ARN .*none"),
        ("notify", "a b@example.com", "e-mail"),
        *((option, TOPIC.format("us-east-1"), "eu-west-1") for option in ("notify", "alarm_topic")),
        *((option, f"{TOPIC.format('eu-west-1')}.fifo", "FIFO") for option in ("notify", "alarm_topic")),
        ("schedule", "every day", "rate"),
        ("schedule", "cron(0 3 * * *)", "cron"),
        ("schedule", "cron(0 25 * * ? *)", r"25 .* \(0 to 23\)$"),
        ("schedule", "rate(0 days)", "rate"),
        ("schedule", "at(2026-01-01T00:00:00)", "cron"),
        ("timezone", "Europe/Berln", "IANA"),
        ("schedule_input", "[", "JSON such as"),
        ("schedule_input", "[]", "a JSON object"),
    ],
)
def test_an_option_beside_its_rule_is_refused(account: Account, option: str, value: str, rule: str) -> None:
    wanted: dict[str, Any] = {option: value}
    with refused(InputError, f"--{option.replace('_', '-')}", value, rule=rule):
        account.deploy("Orders", **wanted)
    nothing_is_made(account)


@pytest.mark.parametrize(
    ("tables", "subject", "value", "rule"),
    [
        ((), "--table", OMITTED, "missing"),
        (tuple("abcdef"), "6 tables", OMITTED, "at most 5$"),
        (("Orders", "Orders"), "--table Orders", OMITTED, "twice"),
        *(((name,), "--table", name, "3 to 255") for name in ("O", "Or ders")),
        *(
            ((name,), "--table", name, "account or region")
            for name in (TABLE.format("eu-west-1", "222222222222"), TABLE.format("us-east-1", "111111111111"))
        ),
    ],
)
def test_a_stack_has_one_to_five_tables_of_its_own_account_and_region(
    account: Account, tables: tuple[str, ...], subject: str, value: object, rule: str
) -> None:
    with refused(InputError, subject, value, rule=rule):
        account.deploy(*tables)
    nothing_is_made(account)


@pytest.mark.parametrize(
    ("wanted", "subject", "value", "rule"),
    [
        ({"schedule_input": '{"table": "Others"}'}, "--schedule-input", OMITTED, "--table, Orders$"),
        ({"schedule_input": '{"segments": 0}'}, "segments", 0, "1 to 1000000$"),
        ({"schedule_input": '{"segmens": 1}'}, '"segmens"', OMITTED, "of the input"),
        ({"role_path": f"/{'x' * 300}/"}, "RolePath, SubnetIds and SecurityGroupIds", OMITTED, "302 .* at most 256$"),
        ({"subnets": ("subnet-1",)}, "a network", OMITTED, "both"),
        ({"timezone": "Europe/Berlin"}, "--timezone", "Europe/Berlin", "no --schedule"),
        ({"schedule": "", "schedule_input": "{}"}, "--schedule-input", "{}", "no --schedule"),
        ({"notify_if": "changed"}, "--notify-if", "changed", "no --notify"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_made(
    account: Account, wanted: dict[str, Any], subject: str, value: object, rule: str
) -> None:
    with refused(InputError, subject, value, rule=rule):
        account.deploy("Orders", **wanted)
    nothing_is_made(account)


def nothing_is_made(account: Account) -> None:
    assert account.s3.buckets == {}
    assert account.cloudformation.stack is None
