import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import boto3
import pytest

from infra.bundle import ROOT
from infra.cdk_json import read_environments
from infra.section import EXAMPLES, CdkJsonError
from tests.engines.infra.environment import ARN, DAILY, GOOD, KEY, TOPIC, mistake, refuses, schedule
from tests.refusal import failed

pytestmark = pytest.mark.engine

IAM = "arn:aws:iam"
SUBNET = {"subnets": ["subnet-01234567"]}
BUS = "arn:aws:events:eu-west-1:123456789012:event-bus/default"


def test_a_region_of_any_partition_is_taken_even_if_it_is_new() -> None:
    session = boto3.Session()
    known = [
        region
        for partition in session.get_available_partitions()
        for region in session.get_available_regions("dynamodb", partition_name=partition)
    ]
    assert len(known) > 30
    for region in (*known, "us-west-9", "xx-central-1", "eusc-xx-south-1"):
        [environment] = read_environments({"prod": {**GOOD, "region": region}})
        assert environment.region == region


@pytest.mark.parametrize("context", [None, {}, ""])
def test_reports_that_no_environment_exists(context: object) -> None:
    with failed(CdkJsonError, "context.environments is missing"):
        read_environments(context)


def test_an_environment_is_an_object_with_a_name_fit_for_resources() -> None:
    with failed(CdkJsonError, 'environment "prod" is 5; ', 'like "dev": {"account": "111111111111", '):
        read_environments({"prod": 5})
    with failed(CdkJsonError, "context.environments is 5; ", 'like "environments": {"dev": {'):
        read_environments(5)
    with failed(CdkJsonError, "context.environments.pr_od ", "1 to 24 of a-z, A-Z, 0-9 and -: rename "):
        read_environments({"pr_od": GOOD})


@pytest.mark.parametrize("field", sorted(EXAMPLES.keys() - {"", "context"}))
def test_each_object_of_an_environment_has_an_example_that_is_right(field: str) -> None:
    with failed(CdkJsonError, f'environment "prod": {field} is 5; ', f"like {EXAMPLES[field]}"):
        read_environments({"prod": {**GOOD, field: 5}})
    example = json.loads(f"{{{EXAMPLES[field].replace('0a1b2c3d-...', KEY.rpartition('/')[2])}}}")
    assert read_environments({"prod": {**GOOD, **example}})


@pytest.mark.parametrize(
    ("fields", "place", "rule"),
    [
        ({"bucket": "x"}, "bucket", "account, region, tables, schedules, limits, encryption"),
        ({"account": 123456789012}, "account", "12 digits in quotes"),
        ({"account": "12345"}, "account", "12 digits in quotes"),
        ({"region": "Frankfurt"}, "region", '"us-east-1"'),
        ({"region": "us-esat-1"}, "region", '"us-east-1"'),
        ({"tables": "Orders"}, "tables", "a list of table names or ARNs"),
        ({"tables": []}, "tables", "a list of table names or ARNs"),
        ({"tables": ["Orders", "O"]}, "tables.1", "table's name .3 to 255 of"),
        ({"tables": [None]}, "tables.0", "table's name"),
        ({"tables": [f"{ARN}/index/x"]}, "tables.0", "table's name"),
        ({"tables": [ARN], "region": "eu-west-1"}, "tables.0", "region, eu-west-1"),
        ({"limits": {"seconds": 1}}, "limits.seconds", "batch_seconds, batch_pages, batch_keys"),
        ({"limits": {"batch_pages": True}}, "limits.batch_pages", "a whole number, .* at least 1"),
        ({"encryption": {"kms": KEY}}, "encryption.kms", "logs, executions, late_looks, tables, queues, topics:"),
        ({"encryption": {"results": "alias/mine"}}, "encryption.results", r"in us-east-1 \(arn:aws:kms:us-east-1:"),
        *(
            ({"encryption": {of: KEY.replace("us-", "eu-")}}, f"encryption.{of}", "KMS key in us-east-1")
            for of in ("logs", "executions", "late_looks")
        ),
        ({"encryption": {"tables": KEY}}, "encryption.tables", "a list of ARNs of KMS keys"),
        ({"encryption": {"tables": [KEY, None]}}, "encryption.tables.1", "ARN of a KMS key in us-east-1"),
        ({"monitoring": {"alarm": True}}, "monitoring.alarm", "dashboard, alarms, topic"),
        ({"monitoring": {"dashboard": 1}}, "monitoring.dashboard", "true or false"),
        ({"monitoring": {"topic": TOPIC.replace("east", "west")}}, "monitoring.topic", "us-east-1 .*, not FIFO"),
        ({"monitoring": {"topic": f"{TOPIC}.fifo"}}, "monitoring.topic", "us-east-1 .*, not FIFO"),
        ({"monitoring": {"topic": TOPIC, "alarms": False}}, "monitoring.topic", "alarms is false"),
        (
            {**schedule(late_after_hours=26), "monitoring": {"alarms": False}},
            "schedules.nightly.late_after_hours",
            "monitoring.alarms is false",
        ),
        ({"take": "keys"}, "key_attributes", '"take": "keys"'),
        ({"key_attributes": ["pk"]}, "key_attributes", '"take": "keys"'),
        ({"take": "all", "key_attributes": ["pk"]}, "take", '"keys" or "items"'),
        ({"limits": {"max_dollars": 0}}, "limits.max_dollars", "a number, at least 0"),
        ({"limits": {"max_dollars": True}}, "limits.max_dollars", "a number, at least 0"),
        ({"retention": {"days": 30}}, "retention.days", "results_days, logs_days"),
        ({"retention": {"logs_days": True}}, "retention.logs_days", "one of 1, 3, 5, 7"),
        ({"client": "fast"}, "client", '"lean" or "boto3"'),
        ({"tracing": "yes"}, "tracing", "true or false"),
        ({"keep_results": None}, "keep_results", "true or false"),
        ({"schedules": {"nightly": {}}}, "schedules.nightly.expression", "an expression of"),
        ({"announce": {}}, "announce", "a bus, a topic or both"),
        ({"announce": {"buses": "x"}}, "announce.buses", "bus, topic, only_if_changed"),
        ({"announce": {"bus": "default", "only_if_changed": True}}, "announce.only_if_changed", "topic: add topic"),
        ({"announce": {"topic": TOPIC, "only_if_changed": 1}}, "announce.only_if_changed", "true or false"),
        ({"announce": {"bus": BUS}}, "announce.bus", "name of an event bus"),
        ({"announce": {"topic": f"{TOPIC}.fifo"}}, "announce.topic", "a standard topic of SNS in us-east-1"),
        ({"permissions_boundary": "boundary"}, "permissions_boundary", "the ARN of an IAM policy"),
        ({"permissions_boundary": f"{IAM}::999999999999:policy/x"}, "permissions_boundary", "own account, 1234"),
        ({"role_path": "team"}, "role_path", 'like "/team/"'),
        ({"tags": {"aws:team": "a"}}, 'tags."aws:team"', "a tag"),
        ({"tags": {"team": 1}}, "tags.team", "a text"),
        ({"tags": {"Team": "a", "team": "b"}}, "tags.team", "from Team"),
        ({"vpc": {}}, "vpc.subnets", "a list of ids"),
        ({"vpc": {"subnets": ["subnet-1"]}}, "vpc.subnets.0", "a list of ids"),
        ({"vpc": {**SUBNET, "security_groups": ["subnet-01234567"]}}, "vpc.security_groups.0", "a list of ids"),
    ],
)
def test_a_mistake_is_refused_with_field_value_rule_and_way_out(
    fields: dict[str, object], place: str, rule: str
) -> None:
    refuses(fields, place, rule)


NUMBERS: dict[str, tuple[int, int | None, str]] = {
    "limits.batch_seconds": (1, 780, "120 of its 900 s .* 1 to 780"),
    "limits.batch_pages": (1, None, "at least 1 page"),
    "limits.batch_keys": (1, None, "at least 1 key"),
    "limits.batch_bytes": (1, None, "at least 1 byte"),
    "limits.memory_mb": (256, 10_240, "256 to 10240 MB"),
    "limits.reserved_concurrency": (1, 1_000, "1 to 1000 workers"),
    "retention.results_days": (1, 36_500, "1 to 36500 days"),
    "schedules.nightly.flexible_minutes": (1, 1_440, "1 to 1440 minutes"),
    "schedules.nightly.retries": (0, 185, "up to 185 times"),
    "schedules.nightly.retry_minutes": (1, 1_440, "1 to 1440 minutes"),
    "schedules.nightly.late_after_hours": (1, 168, "1 to 168 hours"),
}
"""The least and the greatest number that a field takes, and the fact in its rule."""


def numbered(place: str, number: int) -> dict[str, Any]:
    """Return the field of an environment in which the number at a place is this one."""
    section, *_, field = place.split(".")
    return schedule(**{field: number}) if section == "schedules" else {section: {field: number}}


@pytest.mark.parametrize("place", NUMBERS)
def test_a_number_beyond_a_bound_is_refused(place: str) -> None:
    least, most, rule = NUMBERS[place]
    refuses(numbered(place, least - 1), place, f"{rule}.*: raise it or leave it out$")
    if most is not None:
        refuses(numbered(place, most + 1), place, f"{rule}.*: lower it or leave it out$")


def test_logs_are_kept_as_long_as_cloudwatch_offers() -> None:
    """The values of retentionInDays: CloudWatch Logs API reference, PutRetentionPolicy."""
    days = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653]
    for each in days:
        [environment] = read_environments({"prod": {**GOOD, "retention": {"logs_days": each}}})
        assert environment.logs_days == each
    refuses({"retention": {"logs_days": 2}}, "retention.logs_days", f"one of {', '.join(map(str, days))} days: ")


def test_a_schedule_s_name_is_fit_for_resources() -> None:
    assert mistake(schedules={"every night": DAILY}).startswith('environment "prod": schedules.every night has a name ')


@pytest.mark.parametrize("job", [{"act": True}, {"retrofit": True}])
def test_writing_to_a_table_of_another_account_is_a_mistake(job: dict[str, object]) -> None:
    """A resource policy could allow it; the roles of the stack are allowed nothing in another account."""
    other = ARN.replace("123456789012", "999999999999")
    with failed(CdkJsonError, f'"{other}"', "own account, 123456789012"):
        read_environments({"prod": {**GOOD, "tables": ["Orders", other], "writing": {other: job}}})
    read_environments({"prod": {**GOOD, "tables": ["Orders", other], "writing": {"Orders": job}}})


@pytest.mark.long
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"limits": {"batch_seconds": 5000}},
            'environment "prod": limits.batch_seconds is 5000; a Lambda function needs 120 of its 900 s to finish, so '
            "it must be 1 to 780: lower it or leave it out\n",
        ),
        (
            {"schedules": {"Role": DAILY}},
            'cdk.json: "Role" is the name of two resources of an environment; each must be unique: rename a schedule, '
            "or use another environment for a table\n",
        ),
    ],
)
def test_a_mistake_stops_the_app_with_its_message_alone(fields: dict[str, object], said: str) -> None:
    context = json.dumps({"environments": {"prod": {**GOOD, **fields}}})
    finished = subprocess.run(
        [sys.executable, "app.py"],
        cwd=ROOT,
        env={
            **os.environ,
            "CDK_CONTEXT_JSON": context,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 1
    assert finished.stderr == said


@pytest.mark.parametrize(
    ("fields", "asked", "facts"),
    [
        ({"limits": {"max_dollars": 1.5}}, {"max_dollars": 2}, ["input: max_dollars is 2; ", "1.5 dollars"]),
        (
            {"take": "keys", "key_attributes": ["pk", "sk"]},
            {"take": {"last": ["total"]}},
            ["input: take.last is ", "pk, sk"],
        ),
    ],
)
def test_a_schedule_has_no_higher_budget_and_takes_no_more_than_its_environment_may(
    fields: dict[str, Any], asked: dict[str, Any], facts: list[str]
) -> None:
    said = mistake(**fields, **schedule(input={"table": "Orders", **asked}))
    assert [fact for fact in facts if fact not in said] == []


@pytest.mark.parametrize(
    ("fields", "field", "rule"),
    [
        ({"cron": "0 3 * * *"}, "cron", "expression, timezone, input, enabled, flexible_minutes"),
        ({"expression": "0 3 * * *"}, "expression", "of EventBridge Scheduler"),
        ({"expression": "rate(0 days)"}, "expression", "of EventBridge Scheduler"),
        ({"expression": "cron(0 3 31 2 ? *)"}, "expression", "month 2 .* 31"),
        ({"timezone": "CEST"}, "timezone", '"Europe/Berlin"'),
        ({"enabled": "no"}, "enabled", "true or false"),
        ({"retry_minutes": 0.5}, "retry_minutes", "a whole number, .* 1 to 1440 minutes"),
        *(
            ({"late_after_hours": 26, "input": {"table": "Orders", field: True}}, "late_after_hours", "has no finished")
            for field in ("dry_run", "profile")
        ),
        ({"input": "Orders"}, "input", 'like {"table": "Orders"}'),
        ({"input": {"table": "Orders", "overlap": "skip"}}, "input", "overlap .* move it"),
        ({"overlap": "queue"}, "overlap", '"skip" or "allow"'),
        ({"input": {"table": "Other"}}, "input.table", "Orders: add it to tables"),
    ],
)
def test_a_mistake_in_a_schedule_is_refused_before_it_can_fail_at_night(
    fields: dict[str, object], field: str, rule: str
) -> None:
    refuses(schedule(**fields), f"schedules.nightly.{field}", rule)


@pytest.mark.parametrize(
    "expression",
    [
        "cron(0/15 8-17 LW JAN,7,DEC ? 2022-2029)",
        "cron(*/5 0 ? * TUE#2 *)",
        "at(2028-02-29T03:00:00)",
        "rate(15 minutes)",
    ],
)
def test_what_scheduler_takes_is_taken(expression: str) -> None:
    [environment] = read_environments({"prod": {**GOOD, "schedules": {"nightly": {**DAILY, "expression": expression}}}})
    assert environment.schedules[0].expression == expression
