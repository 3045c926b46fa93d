"""The schedules of an environment: what is taken, and what is refused before it can fail at night."""

import pytest

from infra.cdk_json import read_environments
from tests.engines.infra.environment import ARN, DAILY, GOOD, mistake, mistake_in_schedule

pytestmark = pytest.mark.engine


def test_a_schedule_is_enabled_and_in_utc_by_default() -> None:
    [environment] = read_environments({"prod": {**GOOD, "schedules": {"nightly": DAILY}}})
    [schedule] = environment.schedules
    assert (schedule.timezone, schedule.enabled) == ("UTC", True)


def test_a_schedule_has_its_window_retries_and_span_where_they_are_given() -> None:
    [bare] = read_environments({"prod": {**GOOD, "schedules": {"nightly": DAILY}}})
    numbers = {"flexible_minutes": 1440, "retries": 0, "retry_minutes": 1, "late_after_hours": 168}
    [given] = read_environments({"prod": {**GOOD, "schedules": {"nightly": {**DAILY, **numbers}}}})
    for name, number in numbers.items():
        assert getattr(bare.schedules[0], name) is None
        assert getattr(given.schedules[0], name) == number


@pytest.mark.parametrize("tables", [["Orders"], [ARN]])
@pytest.mark.parametrize("table", ["Orders", ARN])
def test_a_schedule_may_name_a_table_of_the_environment_by_name_or_arn(tables: list[str], table: str) -> None:
    schedules = {"nightly": {**DAILY, "input": {"table": table}}}
    [environment] = read_environments({"prod": {**GOOD, "tables": tables, "schedules": schedules}})
    assert environment.schedules[0].input == {"table": table}


@pytest.mark.parametrize(
    "expression",
    ["rate(5 minutes)", "rate(1 day)", "cron(0 3 * * ? *)", "cron(0/15 8-17 ? * MON-FRI *)", "at(2030-01-31T03:00:00)"],
)
def test_every_kind_of_expression_is_taken(expression: str) -> None:
    [environment] = read_environments({"prod": {**GOOD, "schedules": {"x": {**DAILY, "expression": expression}}}})
    assert environment.schedules[0].expression == expression


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"cron": "0 3 * * *"}, '.cron is "0 3 * * *"; the fields here are expression, timezone, input, enabled, fle'),
        ({"expression": "0 3 * * *"}, '.expression is "0 3 * * *"; it must be an expression of EventBridge Scheduler'),
        ({"expression": "rate(0 days)"}, '.expression is "rate(0 days)"; it must be'),
        ({"timezone": "CEST"}, '.timezone is "CEST"; it must be a name of the IANA database, like "Europe/Berlin": co'),
        ({"enabled": "no"}, '.enabled is "no"; it must be true or false: correct it or leave it out'),
        ({"flexible_minutes": 0}, ".flexible_minutes is 0; EventBridge Scheduler has windows of 1 to 1440 minutes: ra"),
        ({"retries": 186}, ".retries is 186; EventBridge Scheduler retries up to 185 times: lower it or leave it"),
        (
            {"retry_minutes": 0.5},
            ".retry_minutes is 0.5; it must be a whole number, EventBridge Scheduler retries for 1 to 1440 minutes",
        ),
        (
            {"late_after_hours": 169},
            ".late_after_hours is 169; an alarm of CloudWatch looks back 1 to 168 hours: lo",
        ),
        (
            {"late_after_hours": 26, "input": {"table": "Orders", "dry_run": True}},
            ".late_after_hours is 26; a dry run has no finished runs that could be late: leave it out",
        ),
        ({"input": "Orders"}, '.input is "Orders"; it must be an execution input: write it like {"table": "Orders"}'),
        ({"input": {"table": "Orders", "segments": 0}}, ".input: segments is 0; DynamoDB allows 1 to 1000000: raise"),
        (
            {"input": {"table": "Orders", "overlap": "skip"}},
            '.input is {"table": "Orders", "overlap": "skip"}; overlap is a field of the schedule itself: move it',
        ),
        ({"overlap": "queue"}, '.overlap is "queue"; it must be "skip" or "allow": correct it or leave it out'),
        *(
            ({"expression": expression}, f'.expression is "{expression}"; {why}')
            for expression, why in (
                ("cron(60 3 * * ? *)", "60 is not valid for the minutes (0 to 59)"),
                ("cron(0 24 * * ? *)", "24 is not valid for the hours (0 to 23)"),
                ("cron(0 3 32 * ? *)", "32 is not valid for the day of the month (1 to 31)"),
                ("cron(0 3 ? 13 MON *)", "13 is not valid for the month (1 to 12)"),
                ("cron(0 3 ? * MO *)", "MO is not valid for the day of the week (1 to 7)"),
                ("cron(0 3 ? * 8L *)", "8L is not valid for the day of the week (1 to 7)"),
                ("cron(0/0 3 * * ? *)", "0/0 is not valid for the minutes (0 to 59)"),
                ("cron(0 3 31 2 ? *)", "month 2 has no day 31"),
                ("cron(0 3 * * * *)", "exactly one of the day of the month and the day of the week must be ?"),
                ("cron(0 3 ? * ? *)", "exactly one of the day of the month and the day of the week must be ?"),
                ("at(2030-02-30T03:00:00)", "this date and time does not exist"),
                ("at(2030-01-31T25:00:00)", "this date and time does not exist"),
            )
        ),
        (
            {"input": {"table": "Other"}},
            '.input.table is "Other"; this environment may read Orders: add it to tables or c',
        ),
    ],
)
def test_a_mistake_in_a_schedule_is_refused_before_it_can_fail_at_night(fields: dict[str, object], said: str) -> None:
    assert mistake_in_schedule(**fields).startswith(
        f'environment "prod": schedules.nightly{said.partition(": corr")[0]}'
    )


@pytest.mark.parametrize(
    "expression",
    [
        "cron(0 3 * * ? *)",
        "cron(15 10 ? * 6L 2022-2029)",
        "cron(0/15 8-17 ? * MON-FRI *)",
        "cron(0 0 LW JAN,7,DEC ? 2030)",
        "cron(0 0 15W * ? *)",
        "cron(0 0 L * ? *)",
        "cron(0 0 ? * TUE#2 *)",
        "cron(0 0 ? * FRIL *)",
        "cron(*/5 * * * ? *)",
        "cron(0 3 29 2 ? *)",
        "at(2028-02-29T03:00:00)",
        "rate(1 day)",
        "rate(15 minutes)",
    ],
)
def test_what_scheduler_takes_is_taken(expression: str) -> None:
    [environment] = read_environments({"prod": {**GOOD, "schedules": {"nightly": {**DAILY, "expression": expression}}}})
    assert environment.schedules[0].expression == expression


def test_a_span_that_no_alarm_would_look_at_is_a_mistake() -> None:
    schedules = {"nightly": {**DAILY, "late_after_hours": 26}}
    assert mistake(schedules=schedules, monitoring={"alarms": False}).endswith(
        "schedules.nightly.late_after_hours is 26; monitoring.alarms is false, so no alarm would be sent: leave one "
        "of the two out"
    )
