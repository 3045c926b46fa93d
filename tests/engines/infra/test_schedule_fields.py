"""The schedules of an environment: what is taken, and what is refused before it can fail at night."""

import pytest

from infra.cdk_json import read_environments
from tests.engines.infra.environment import DAILY, GOOD, refuses, schedule

pytestmark = pytest.mark.engine


@pytest.mark.parametrize(
    ("fields", "field", "rule"),
    [
        ({"cron": "0 3 * * *"}, "cron", "expression, timezone, input, enabled, flexible_minutes"),
        ({"expression": "0 3 * * *"}, "expression", "of EventBridge Scheduler"),
        ({"expression": "rate(0 days)"}, "expression", "of EventBridge Scheduler"),
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
        *(
            ({"expression": expression}, "expression", rule)
            for expression, rule in (
                ("cron(60 3 * * ? *)", r"60 .* the minutes \(0 to 59\)"),
                ("cron(0 24 * * ? *)", r"24 .* the hours \(0 to 23\)"),
                ("cron(0 3 32 * ? *)", r"32 .* the day of the month \(1 to 31\)"),
                ("cron(0 3 ? 13 MON *)", r"13 .* the month \(1 to 12\)"),
                ("cron(0 3 ? * MO *)", r"MO .* the day of the week \(1 to 7\)"),
                ("cron(0 3 ? * 8L *)", r"8L .* the day of the week \(1 to 7\)"),
                ("cron(0/0 3 * * ? *)", r"0/0 .* the minutes \(0 to 59\)"),
                ("cron(0 3 31 2 ? *)", "month 2 .* 31"),
                ("cron(0 3 * * * *)", "one of the day of the month and the day of the week"),
                ("cron(0 3 ? * ? *)", "one of the day of the month and the day of the week"),
                ("at(2030-02-30T03:00:00)", "date and time"),
                ("at(2030-01-31T25:00:00)", "date and time"),
            )
        ),
    ],
)
def test_a_mistake_in_a_schedule_is_refused_before_it_can_fail_at_night(
    fields: dict[str, object], field: str, rule: str
) -> None:
    refuses(schedule(**fields), f"schedules.nightly.{field}", rule)


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
    fields = {**schedule(late_after_hours=26), "monitoring": {"alarms": False}}
    refuses(fields, "schedules.nightly.late_after_hours", "monitoring.alarms is false")
