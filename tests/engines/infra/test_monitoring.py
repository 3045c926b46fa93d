"""Alarms and the dashboard: they use only metrics that the functions emit, and every such metric is used."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from infra.bundle import ROOT
from skipscan.copy.replica import DELAY_SECONDS
from skipscan.loop.metric import NAMESPACE, Metric
from tests.engines.infra.conftest import TOPIC
from tests.engines.infra.template import Template

pytestmark = pytest.mark.xdist_group("synth")

SEARCH = re.compile(r"""SEARCH\('\{(?P<schema>[^}]*)} MetricName="(?P<name>\w+)" environment="(?P<environment>\w+)"'""")

OPERATE = (ROOT / "docs/operate.md").read_text()

Looked = set[tuple[str, tuple[str, ...]]]
"""A metric's name, and the dimensions by which it is looked at."""


def shown(template: Template, environment: str) -> Looked:
    """What the dashboard shows of Skipscan's own metrics, all of them of that environment."""
    found: Looked = set()
    body = json.loads(template.text(template.the("AWS::CloudWatch::Dashboard")["DashboardBody"]))
    for line in (line for widget in body["widgets"] for line in widget["properties"].get("metrics", [])):
        if line[0] == NAMESPACE:
            dimensions = dict(zip(line[2:-1:2], line[3:-1:2], strict=True))
            assert dimensions["environment"] == environment
            found.add((line[1], tuple(dimensions)))
        elif isinstance(line[0], dict):
            [(schema, name, of)] = SEARCH.findall(line[0]["expression"])
            namespace, *dimension_names = schema.split(",")
            assert (namespace, of) == (NAMESPACE, environment)
            found.add((name, tuple(dimension_names)))
    return found


def watched_by_alarms(template: Template, environment: str) -> Looked:
    found: Looked = set()
    for alarm in template.every("AWS::CloudWatch::Alarm"):
        if alarm["Namespace"] == NAMESPACE:
            dimensions = {each["Name"]: each["Value"] for each in alarm["Dimensions"]}
            assert dimensions["environment"] == environment
            found.add((alarm["MetricName"], tuple(sorted(dimensions))))
    return found


def test_every_emitted_metric_is_used_and_every_used_metric_is_emitted(watched: Template) -> None:
    emitted = {(metric.title, dimensions) for metric in Metric for dimensions in metric.dimensions}
    graphs = shown(watched, "watched")
    missing = {metric.title for metric in Metric} - {name for name, _ in graphs}
    assert not missing, f"infra/dashboard.py has no graph of {missing}: add a line to one"
    assert graphs | watched_by_alarms(watched, "watched") == emitted


def alarms(template: Template, kind: str = "Alarm") -> Mapping[str, dict[str, Any]]:
    return {alarm["AlarmName"]: alarm for alarm in template.every(f"AWS::CloudWatch::{kind}")}


def test_operate_says_what_to_do_about_every_alarm(watched: Template, company: Template) -> None:
    first_columns = re.findall(r"^\| (`.*?) \|", OPERATE.split("## Alarms")[1].split("## ")[0], re.MULTILINE)
    documented = {name for column in first_columns for name in re.findall("`(.*?)`", column)}
    patterns = {
        r"^(late|skipped)-.*": r"\1-<schedule>",
        r"-failures-.*": "-failures-<table>",
        r"^(keep|keeper|copy)-\w+-(behind|waiting)$": r"\1-<table>-\2",
    }
    found = set()
    for name in (*alarms(watched), *alarms(watched, "CompositeAlarm"), *alarms(company)):
        short = re.sub(r"^skipscan-\w+?-", "", name)
        for pattern, placeholder in patterns.items():
            short = re.sub(pattern, placeholder, short)
        found.add(short)
    assert found == documented


LATE_AFTER = {"nightly": ("Orders", 26), "weekly": ("Customers", 168)}
QUEUED = "AWS/SQS ApproximateNumberOfMessagesVisible of the queue: Maximum >= 1 in 1 of 1 x 300 s"


def always(environment: str, *kinds: str) -> dict[str, str]:
    """Return the alarms of an environment with schedules and these kinds of jobs."""
    failed = "AWS/States ExecutionsFailed of skipscan-{}{}: Sum >= 1 in 1 of 1 x 300 s"
    return {
        "failed": failed.format(environment, ""),
        **{f"{kind}-failed": failed.format(environment, f"-{kind}") for kind in kinds},
        "throttled": f"Skipscan ThrottledRequests of {environment}: Sum >= 1 in 3 of 12 x 300 s",
        "over-estimate": f"Skipscan EstimateRatio of {environment}: Maximum > 1.5 in 1 of 1 x 300 s",
        "not-started": QUEUED,
    }


def behind(environment: str, *names: str) -> dict[str, str]:
    """Return the alarms of the followers of these names."""
    lag = "AWS/Lambda IteratorAge of skipscan-{}-{}: Maximum > 3600000 in 3 of 12 x 300 s"
    return {f"{name}-behind": lag.format(environment, name) for name in names}


ALARMS: dict[str, dict[str, str]] = {
    "company": {
        **always("company", "act", "retrofit", "copy"),
        **behind("company", "keep-Audit", "copy-Audit"),
        "skipped-nightly": "Skipscan RunsSkipped of company Orders: Sum >= 1 in 2 of 168 x 3600 s",
        **dict.fromkeys(
            ("attribute-keeper-failures-Audit", "replicator-failures-Audit", "replicator-late-failures-Audit"), QUEUED
        ),
        "copy-Audit-waiting": "AWS/SQS ApproximateAgeOfOldestMessage of the queue: Maximum > 3600 in 3 of 12 x 300 s",
    },
    "watched": {
        **always("watched", "act"),
        **behind("watched", "keep-Orders", "keeper-Customers"),
        **{
            f"skipped-{schedule}": f"Skipscan RunsSkipped of watched {table}: Sum >= 1 in 2 of 168 x 3600 s"
            for schedule, table in (("nightly", "Orders"), ("weekly", "Customers"), ("whenever", "Orders"))
        },
        **dict.fromkeys(("attribute-keeper-failures-Orders", "keeper-failures-Customers"), QUEUED),
        # Together they are one alarm: of a table that has had a finished run, and has had none for so many hours. The
        # second keeps its state where it has no data, so a table that never had one is not late.
        **{
            f"late-{schedule}-{part}": f"Skipscan RunsFinished of watched {table}: {rings}"
            for schedule, (table, hours) in LATE_AFTER.items()
            for part, rings in (
                ("none", f"Sum < 1 in {hours} of {hours} x 3600 s, or no data"),
                ("before", "Sum >= 1 in 1 of 1 x 3600 s, or as before"),
            )
        },
    },
    "full": always("full"),
}
"""All that needs a person. Runs of `full` may overlap, so none is skipped; a schedule that pauses is never late."""
SIGNS = {"GreaterThanOrEqualToThreshold": ">=", "GreaterThanThreshold": ">", "LessThanThreshold": "<"}
WITHOUT_DATA = {"notBreaching": "", "breaching": ", or no data", "ignore": ", or as before"}


def said(template: Template, alarm: Mapping[str, Any]) -> str:
    """Return in words when an alarm rings."""
    of = " ".join(template.text(each["Value"]) for each in alarm["Dimensions"])
    periods = alarm["EvaluationPeriods"]
    rings = f"{alarm['Statistic']} {SIGNS[alarm['ComparisonOperator']]} {alarm['Threshold']}"
    within = f"{alarm.get('DatapointsToAlarm', periods)} of {periods} x {alarm['Period']} s"
    missing = WITHOUT_DATA[alarm["TreatMissingData"]]
    return f"{alarm['Namespace']} {alarm['MetricName']} of {of}: {rings} in {within}{missing}"


@pytest.mark.parametrize("environment", ALARMS)
def test_everything_that_needs_a_person_has_an_alarm(templates: Mapping[str, Template], environment: str) -> None:
    template = templates[environment]
    found = {name.removeprefix(f"skipscan-{environment}-"): alarm for name, alarm in alarms(template).items()}
    assert {name: said(template, alarm) for name, alarm in found.items()} == ALARMS[environment]
    assert all(len(alarm["AlarmDescription"]) > 40 for alarm in found.values())


def test_an_alarm_looks_at_the_queue_that_its_name_says(company: Template) -> None:
    found = alarms(company)
    parts = {
        "not-started": "SchedulesDeadLetters",
        "attribute-keeper-failures-Audit": "AttributekeeperAuditFailures",
        "replicator-failures-Audit": "JobsReplicatorAuditFailures",
        "replicator-late-failures-Audit": "JobsReplicatorAuditLatefailures",
        "copy-Audit-waiting": "JobsReplicatorAuditLatelooks",
    }
    for name, part in parts.items():
        [dimension] = found[f"skipscan-company-{name}"]["Dimensions"]
        assert (dimension["Name"], dimension["Value"]["Fn::GetAtt"][0][:-8]) == ("QueueName", part)
    assert found["skipscan-company-copy-Audit-waiting"]["Threshold"] > DELAY_SECONDS, "every late look waits that long"


@pytest.mark.parametrize("schedule", LATE_AFTER)
def test_a_late_table_is_one_alarm_of_two_parts_that_send_nothing(watched: Template, schedule: str) -> None:
    found = alarms(watched, "CompositeAlarm")[f"skipscan-watched-late-{schedule}"]
    assert "has had no finished run for" in found["AlarmDescription"]
    named = [part["Fn::GetAtt"][0] for part in found["AlarmRule"]["Fn::Join"][1] if isinstance(part, dict)]
    parts = [watched.document["Resources"][name]["Properties"] for name in named]
    assert [part["AlarmName"].rpartition("-")[2] for part in parts] == ["none", "before"]
    assert watched.text(found["AlarmRule"]) == '(ALARM("{}") AND ALARM("{}"))'.format(*(["the alarm"] * 2))
    assert not [part for part in parts if {"AlarmActions", "OKActions"} & part.keys()]


@pytest.mark.parametrize("batch_seconds", [240, 600, 780])
def test_throttling_rings_however_long_one_workers_batches_are(watched: Template, batch_seconds: int) -> None:
    """A batch reports its throttled requests when it ends: periods without an end have no data."""
    alarm = alarms(watched)["skipscan-watched-throttled"]
    emitted = {second // alarm["Period"] for second in range(batch_seconds, 4 * 3600, batch_seconds)}
    window = range(24, 24 + alarm["EvaluationPeriods"])
    assert len(emitted.intersection(window)) >= alarm["DatapointsToAlarm"]


def test_alarms_go_to_the_topic_of_the_environment_if_it_has_one(watched: Template, plain: Template) -> None:
    own = [alarm for name, alarm in alarms(watched).items() if "-late-" not in name]
    for alarm in (*own, *alarms(watched, "CompositeAlarm").values()):
        assert alarm["AlarmActions"] == alarm["OKActions"] == [TOPIC]
    assert not [alarm for alarm in plain.every("AWS::CloudWatch::Alarm") if "AlarmActions" in alarm]


def test_synth_says_which_environments_have_alarms_that_tell_nobody(assembly: Path) -> None:
    told = {
        file.name.removeprefix("skipscan-").partition(".")[0]
        for file in assembly.glob("*.json")
        if "alarms tell nobody: set monitoring.topic" in file.read_text()
    }
    assert told == {"plain", "full", "company"}


def test_dashboards_of_one_environment_in_two_regions_have_two_names(watched: Template, full: Template) -> None:
    # https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutDashboard.html
    assert watched.the("AWS::CloudWatch::Dashboard")["DashboardName"] == "skipscan-watched-us-east-1"
    assert full.the("AWS::CloudWatch::Dashboard")["DashboardName"] == "skipscan-full-eu-central-1"
