"""Alarms and the dashboard: they use only metrics that the functions emit, and every such metric is used."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk.aws_cloudwatch import Alarm

from infra.bundle import ROOT
from infra.cdk_json import read_environments
from infra.dashboard import Dashboard
from skipscan.copy.replica import DELAY_SECONDS
from skipscan.loop.metric import NAMESPACE, Metric
from tests.engines.infra.conftest import TOPIC
from tests.engines.infra.environment import GOOD
from tests.engines.infra.template import Template

pytestmark = pytest.mark.xdist_group("synth")

SEARCH = re.compile(r"""SEARCH\('\{(?P<schema>[^}]*)} MetricName="(?P<name>\w+)" environment="(?P<environment>\w+)"'""")

OPERATE = (ROOT / "docs/operate.md").read_text()

Looked = set[tuple[str, tuple[str, ...]]]
"""A metric's name, and the dimensions by which it is looked at."""


def dashboard(template: Template) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(template.text(template.the("AWS::CloudWatch::Dashboard")["DashboardBody"]))
    return body


def lines(template: Template) -> Iterator[list[Any]]:
    """Every line of every graph, as CloudWatch writes it."""
    for widget in dashboard(template)["widgets"]:
        yield from widget["properties"].get("metrics", [])


def shown(template: Template, environment: str) -> Looked:
    """What the dashboard shows of Skipscan's own metrics, all of them of that environment."""
    found: Looked = set()
    for line in lines(template):
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
    assert shown(watched, "watched") | watched_by_alarms(watched, "watched") == emitted


def test_the_dashboard_shows_every_metric(watched: Template) -> None:
    assert {name for name, _ in shown(watched, "watched")} == {metric.title for metric in Metric}


def alarms(template: Template) -> Mapping[str, dict[str, Any]]:
    return {alarm["AlarmName"]: alarm for alarm in template.every("AWS::CloudWatch::Alarm")}


def test_everything_that_needs_a_person_has_an_alarm(watched: Template, plain: Template) -> None:
    common = ("failed", "throttled", "over-estimate")
    skipped = (f"skipped-{schedule}" for schedule in ("nightly", "weekly", "whenever"))
    followed = ("attribute-keeper-failures-Orders", "keeper-failures-Customers")
    behind = ("keep-Orders-behind", "keeper-Customers-behind")
    own = (*common, "act-failed", "late-nightly", "late-weekly", "not-started", *followed, *behind, *skipped)
    parts = {name for name in alarms(watched) if "-late-" in name}
    assert set(alarms(watched)) - parts | set(composites(watched)) == {f"skipscan-watched-{about}" for about in own}
    assert set(alarms(plain)) == {f"skipscan-plain-{about}" for about in common}


def test_operate_says_what_to_do_about_every_alarm(watched: Template) -> None:
    first_columns = re.findall(r"^\| (`.*?) \|", OPERATE.split("## Alarms")[1].split("## ")[0], re.MULTILINE)
    documented = {name for column in first_columns for name in re.findall("`(.*?)`", column)}
    named = {*alarms(watched), *composites(watched)}
    names = (name.removeprefix("skipscan-watched-") for name in named)
    own = {re.sub("^(late|skipped)-.*", r"\1-<schedule>", name) for name in names}
    own = {re.sub("-failures-.*", "-failures-<table>", name) for name in own}
    own = {re.sub(r"^(keep|keeper)-\w+-behind$", r"\1-<table>-behind", name) for name in own}
    of_copies = {"copy-failed", "replicator-failures-<table>", "replicator-late-failures-<table>"}
    of_copies |= {"copy-<table>-behind", "copy-<table>-waiting"}
    assert own | {"retrofit-failed"} | of_copies == documented


def test_a_follower_that_stands_still_is_an_alarm_long_before_the_stream_drops_a_record(
    watched: Template, templates: Mapping[str, Template]
) -> None:
    copying = alarms(templates["copying"])
    for follower, found in (
        ("skipscan-watched-keep-Orders", alarms(watched)),
        ("skipscan-watched-keeper-Customers", alarms(watched)),
        ("skipscan-copying-copy-Audit", copying),
    ):
        alarm = found[f"{follower}-behind"]
        assert (alarm["Namespace"], alarm["MetricName"], alarm["Statistic"]) == ("AWS/Lambda", "IteratorAge", "Maximum")
        assert alarm["Dimensions"] == [{"Name": "FunctionName", "Value": follower}]
        assert (alarm["ComparisonOperator"], alarm["Threshold"]) == ("GreaterThanThreshold", 3_600_000)  # milliseconds
        assert alarm["DatapointsToAlarm"] * alarm["Period"] <= alarm["EvaluationPeriods"] * alarm["Period"] <= 3600
    waiting = copying["skipscan-copying-copy-Audit-waiting"]
    assert (waiting["Namespace"], waiting["MetricName"]) == ("AWS/SQS", "ApproximateAgeOfOldestMessage")
    assert (waiting["Statistic"], waiting["Threshold"]) == ("Maximum", 3600)
    assert waiting["Threshold"] > DELAY_SECONDS, "every late look waits that long"
    [queue] = [
        name
        for name, each in templates["copying"].document["Resources"].items()
        if each["Type"] == "AWS::SQS::Queue" and "RedrivePolicy" in each["Properties"]
    ]
    [dimension] = waiting["Dimensions"]
    assert dimension == {"Name": "QueueName", "Value": {"Fn::GetAtt": [queue, "QueueName"]}}


def test_a_failed_execution_of_each_machine_is_an_alarm(watched: Template) -> None:
    for machine in ("skipscan-watched", "skipscan-watched-act"):
        alarm = alarms(watched)[f"{machine}-failed"]
        assert (alarm["Namespace"], alarm["MetricName"], alarm["Statistic"]) == (
            "AWS/States",
            "ExecutionsFailed",
            "Sum",
        )
        [dimension] = alarm["Dimensions"]
        assert (dimension["Name"], watched.text(dimension["Value"])) == ("StateMachineArn", machine)
        assert (alarm["Statistic"], alarm["Threshold"], alarm["Period"], alarm["EvaluationPeriods"]) == (
            "Sum",
            1,
            300,
            1,
        )


@pytest.mark.parametrize(("schedule", "table", "hours"), [("nightly", "Orders", 26), ("weekly", "Customers", 168)])
def test_a_table_without_a_finished_run_for_as_long_as_stated_is_late(
    watched: Template, schedule: str, table: str, hours: int
) -> None:
    alarm = alarms(watched)[f"skipscan-watched-late-{schedule}-none"]
    dimensions = {each["Name"]: each["Value"] for each in alarm["Dimensions"]}
    assert (alarm["MetricName"], alarm["Statistic"]) == (Metric.RUNS_FINISHED.title, "Sum")
    assert dimensions == {"environment": "watched", "table": table}
    assert (alarm["ComparisonOperator"], alarm["Threshold"]) == ("LessThanThreshold", 1)
    assert (alarm["Period"], alarm["EvaluationPeriods"]) == (3600, hours)
    assert alarm["TreatMissingData"] == "breaching"


@pytest.mark.parametrize("schedule", ["nightly", "weekly"])
def test_a_table_that_never_had_a_finished_run_is_not_late(watched: Template, schedule: str) -> None:
    """The second part has no data before a first finished run, and keeps its alarm afterwards, even without data."""
    none, before = (alarms(watched)[f"skipscan-watched-late-{schedule}-{part}"] for part in ("none", "before"))
    assert (before["MetricName"], before["Dimensions"]) == (none["MetricName"], none["Dimensions"])
    assert before["TreatMissingData"] == "ignore"
    assert (before["ComparisonOperator"], before["Threshold"]) == ("GreaterThanOrEqualToThreshold", 1)
    assert not {"AlarmActions", "OKActions"} & (none.keys() | before.keys())
    rule = composites(watched)[f"skipscan-watched-late-{schedule}"]["AlarmRule"]
    assert watched.text(rule) == '(ALARM("{}") AND ALARM("{}"))'.format(*(["the alarm"] * 2))


def composites(template: Template) -> Mapping[str, dict[str, Any]]:
    return {alarm["AlarmName"]: alarm for alarm in template.every("AWS::CloudWatch::CompositeAlarm")}


def test_a_missing_metric_triggers_no_other_alarm(watched: Template) -> None:
    others = [alarm for name, alarm in alarms(watched).items() if "-late-" not in name]
    assert {alarm["TreatMissingData"] for alarm in others} == {"notBreaching"}


def test_throttling_is_an_alarm_when_it_lasts(watched: Template) -> None:
    alarm = alarms(watched)["skipscan-watched-throttled"]
    assert (alarm["Statistic"], alarm["Period"], alarm["DatapointsToAlarm"], alarm["Threshold"]) == ("Sum", 300, 3, 1)


@pytest.mark.parametrize("batch_seconds", [240, 600, 780])
def test_throttling_rings_however_long_one_workers_batches_are(watched: Template, batch_seconds: int) -> None:
    """A batch reports its throttled requests when it ends: periods without an end have no data."""
    alarm = alarms(watched)["skipscan-watched-throttled"]
    emitted = {second // alarm["Period"] for second in range(batch_seconds, 4 * 3600, batch_seconds)}
    window = range(24, 24 + alarm["EvaluationPeriods"])
    assert len(emitted.intersection(window)) >= alarm["DatapointsToAlarm"]


def test_two_skipped_runs_within_a_week_are_an_alarm(watched: Template, full: Template) -> None:
    alarm = alarms(watched)["skipscan-watched-skipped-weekly"]
    assert (alarm["MetricName"], alarm["Statistic"]) == (Metric.RUNS_SKIPPED.title, "Sum")
    assert {each["Name"]: each["Value"] for each in alarm["Dimensions"]} == {
        "environment": "watched",
        "table": "Customers",
    }
    assert (alarm["DatapointsToAlarm"], alarm["EvaluationPeriods"] * alarm["Period"]) == (2, 7 * 24 * 3600)
    assert "skipscan-full-skipped-nightly" not in alarms(full), "its runs may overlap"


def test_far_more_read_units_than_estimated_are_an_alarm(watched: Template) -> None:
    alarm = alarms(watched)["skipscan-watched-over-estimate"]
    assert (alarm["MetricName"], alarm["Statistic"]) == ("EstimateRatio", "Maximum")
    assert (alarm["ComparisonOperator"], alarm["Threshold"]) == ("GreaterThanThreshold", 1.5)


def test_a_start_that_failed_for_good_is_an_alarm(watched: Template) -> None:
    alarm = alarms(watched)["skipscan-watched-not-started"]
    assert (alarm["Namespace"], alarm["MetricName"]) == ("AWS/SQS", "ApproximateNumberOfMessagesVisible")
    [dimension] = alarm["Dimensions"]
    assert dimension["Value"]["Fn::GetAtt"][1] == "QueueName"


@pytest.mark.parametrize(
    ("environment", "names"),
    [
        ("watched", {"attribute-keeper-failures-Orders", "keeper-failures-Customers"}),
        ("retrofit", {"attribute-keeper-failures-Audit"}),
        ("copying", {"replicator-failures-Audit", "replicator-late-failures-Audit"}),
        ("plain", set[str]()),
    ],
)
def test_every_queue_of_changes_that_were_given_up_has_an_alarm(
    templates: Mapping[str, Template], environment: str, names: set[str]
) -> None:
    template, prefix = templates[environment], f"skipscan-{environment}-"
    found = {name.removeprefix(prefix): alarm for name, alarm in alarms(template).items() if "-failures-" in name}
    assert found.keys() == names
    outputs = template.document["Outputs"]
    queues = {output["Value"]["Ref"] for name, output in outputs.items() if "Failures" in name}
    watched = {alarm["Dimensions"][0]["Value"]["Fn::GetAtt"][0] for alarm in found.values()}
    assert (watched, len(queues)) == (queues, len(names))
    for alarm in found.values():
        assert (alarm["Namespace"], alarm["MetricName"]) == ("AWS/SQS", "ApproximateNumberOfMessagesVisible")
        assert (alarm["Statistic"], alarm["Threshold"], alarm["EvaluationPeriods"]) == ("Maximum", 1, 1)


def test_alarms_go_to_the_topic_of_the_environment_if_it_has_one(watched: Template, plain: Template) -> None:
    own = [alarm for name, alarm in alarms(watched).items() if "-late-" not in name]
    for alarm in (*own, *composites(watched).values()):
        assert alarm["AlarmActions"] == alarm["OKActions"] == [TOPIC]
    assert not [alarm for alarm in plain.every("AWS::CloudWatch::Alarm") if "AlarmActions" in alarm]


def test_every_alarm_says_what_it_is_about(watched: Template) -> None:
    assert all(len(alarm["AlarmDescription"]) > 40 for alarm in watched.every("AWS::CloudWatch::Alarm"))


def test_the_dashboard_shows_alarms_machines_functions_and_dead_letters(watched: Template) -> None:
    [first, *graphs] = dashboard(watched)["widgets"]
    assert first["type"] == "alarm"
    parts = [name for name in alarms(watched) if "-late-" in name]
    assert len(first["properties"]["alarms"]) == len(alarms(watched)) - len(parts) + len(composites(watched))
    assert all(graph["properties"]["metrics"] for graph in graphs)
    aws = {(line[0], line[1], line[3]) for line in lines(watched) if isinstance(line[0], str) and line[0] != NAMESPACE}
    functions = {function["FunctionName"] for function in watched.every("AWS::Lambda::Function")}
    assert {function for space, _, function in aws if space == "AWS/Lambda"} == functions
    assert {metric for space, metric, _ in aws if space == "AWS/Lambda"} == {"Errors", "Duration"}
    assert {machine for space, _, machine in aws if space == "AWS/States"} == {
        "skipscan-watched",
        "skipscan-watched-act",
    }
    assert len([space for space, _, _ in aws if space == "AWS/SQS"]) == 1


def test_a_dashboard_shows_more_alarms_than_a_widget_may_have() -> None:
    """A hundred: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html.

    CloudWatch refuses a dashboard with more in a widget, and CloudFormation then takes back the whole deployment.
    """
    [environment] = read_environments({"prod": GOOD})
    app = App()
    stack = Stack(app, "skipscan-prod")
    arns = [f"arn:aws:cloudwatch:us-east-1:123456789012:alarm:late-{number}" for number in range(201)]
    watched = [Alarm.from_alarm_arn(stack, arn.rpartition(":")[2], arn) for arn in arns]
    Dashboard(stack, "Made", environment=environment, machines=[], functions=[], dead_letters=None, alarms=watched)
    widgets = dashboard(Template(app.synth().get_stack_by_name("skipscan-prod").template))["widgets"]
    found = [widget["properties"]["alarms"] for widget in widgets if widget["type"] == "alarm"]
    assert [len(alarms) for alarms in found] == [100, 100, 1]
    assert [arn for alarms in found for arn in alarms] == arns


def test_every_line_of_the_dashboard_has_a_statistic_of_cloudwatch(watched: Template) -> None:
    """See https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Statistics-definitions.html."""
    found = re.findall(r'"stat": "(\w+)"|SEARCH\(.*?\', \'(\w+)\'', json.dumps(list(lines(watched))))
    plain, searched = ({name for name in names if name} for names in zip(*found, strict=True))
    assert plain
    assert searched
    assert plain | searched <= {"Sum", "Maximum", "Minimum", "Average", "SampleCount"}


def test_a_row_of_the_dashboard_has_three_graphs_of_one_size(watched: Template) -> None:
    [first, *graphs] = dashboard(watched)["widgets"]
    assert (first["x"], first["y"], first["width"], first["height"]) == (0, 0, 24, 2), (
        "two lines of alarms, then graphs"
    )
    assert {(graph["width"], graph["height"]) for graph in graphs} == {(8, 6)}
    assert [(graph["x"], graph["y"]) for graph in graphs] == [
        *((x, y) for y in (2, 8, 14, 20, 26) for x in (0, 8, 16)),
        *((x, y) for y, places in ((32, (0,)), (38, (0, 8, 16))) for x in places),
    ]
    axis = {"left": {"min": 0, "showUnits": False}}
    assert [graph["properties"]["yAxis"] for graph in graphs] == [axis] * len(graphs)


READS = {"Read units": ["ReadUnits Sum TABLE"]}
READS_AND_WRITES = {"Read and write units": ["ReadUnits Sum TABLE read units", "WriteUnits Sum TABLE write units"]}
LISTINGS = {
    "Runs": [
        "RunsFinished Sum TABLE finished",
        "RunsStopped Sum TABLE stopped by its budget",
        "RunsIncomplete Sum TABLE incomplete",
        "RunsSkipped Sum TABLE skipped",
        "PlansRefused Sum refused",
        "LeanClientUnused Sum workers on boto3 alone",
    ],
    "Keys per second": ["Keys Sum/300 TABLE"],
    "Keys of finished runs": ["RunKeys Maximum TABLE", "EstimatedKeys Maximum TABLE estimated"],
    "Read units of finished runs": ["RunReadUnits Maximum TABLE", "EstimatedReadUnits Maximum TABLE estimated"],
    "Read units, actual to estimated": ["EstimateRatio Maximum TABLE"],
    "Dollars": ["RunDollars Sum TABLE"],
    "Duration of runs, seconds": ["RunSeconds Maximum TABLE"],
    "Duration of batches, seconds": ["BatchSeconds Maximum TABLE"],
    "Pages read": ["Requests Sum TABLE"],
    "Throttled requests": ["ThrottledRequests Sum TABLE"],
    "Batches ended early by an error": ["BatchErrors Sum TABLE"],
}
JOBS = {
    "Jobs": [
        "JobsFinished Sum TABLE finished",
        "JobsStopped Sum TABLE stopped by its budget",
        "JobsIncomplete Sum TABLE incomplete",
    ],
    "Items of finished jobs": [
        "JobWrittenItems Sum TABLE written",
        "JobFailedItems Sum TABLE failed",
        "JobEndedKeys Sum TABLE ended",
    ],
    "Write units and seconds of finished jobs": ["JobWriteUnits Sum TABLE write units", "JobSeconds Sum TABLE seconds"],
}
LAGS = {
    "Lag behind streams, seconds": [
        "KeeperLagSeconds Maximum TABLE markers",
        "AttributeKeeperLagSeconds Maximum TABLE attribute",
        "ReplicatorLagSeconds Maximum TABLE copy",
    ]
}


def graphs(template: Template) -> dict[str, list[str]]:
    """Return the lines of each graph by its title: metric, statistic, label."""
    return {
        widget["properties"]["title"]: [drawn(*line) for line in widget["properties"]["metrics"]]
        for widget in dashboard(template)["widgets"]
        if widget["type"] == "metric"
    }


def drawn(*line: Any) -> str:
    if len(line) > 1:
        return f"{line[1]} {line[-1]['stat']} {line[-1]['label']}"
    [searched] = line
    found = re.search(r"""MetricName="(\w+)" .*', '(\w+)', 300\)( / 300)?$""", searched["expression"])
    assert found is not None
    each = searched["label"].replace("${PROP('Dim.table')}", "TABLE")
    return f"{found[1]} {found[2]}{(found[3] or '').replace(' ', '')} {each}"


def test_each_graph_of_the_dashboard_has_its_lines(watched: Template, plain: Template) -> None:
    acting, reading = graphs(watched), graphs(plain)
    of_machines = acting.pop("Executions that failed")
    for title, line in (("Errors of functions", "Errors Sum"), ("Duration of functions, ms", "Duration Maximum")):
        for template, found in ((watched, acting), (plain, reading)):
            functions = {function["FunctionName"] for function in template.every("AWS::Lambda::Function")}
            assert sorted(found.pop(title)) == sorted(f"{line} {function}" for function in functions)
    assert of_machines == [
        "ExecutionsFailed Sum skipscan-watched",
        "ExecutionsFailed Sum skipscan-watched-act",
        "ApproximateNumberOfMessagesVisible Maximum schedules that could not start",
    ]
    assert acting == {**LISTINGS, **READS_AND_WRITES, **JOBS, **LAGS}
    assert reading.pop("Executions that failed") == ["ExecutionsFailed Sum skipscan-plain"]
    assert reading == {**LISTINGS, **READS}


def test_dashboards_of_one_environment_in_two_regions_have_two_names(watched: Template, full: Template) -> None:
    # https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutDashboard.html
    assert watched.the("AWS::CloudWatch::Dashboard")["DashboardName"] == "skipscan-watched-us-east-1"
    assert full.the("AWS::CloudWatch::Dashboard")["DashboardName"] == "skipscan-full-eu-central-1"


def test_the_dashboard_keeps_the_periods_that_rates_are_divided_by(watched: Template) -> None:
    assert dashboard(watched)["periodOverride"] == "inherit"
    [rate] = [line[0] for line in lines(watched) if isinstance(line[0], dict) and " / " in line[0]["expression"]]
    assert rate["expression"].endswith("'Sum', 300) / 300")


def test_without_monitoring_there_is_neither_dashboard_nor_alarm(kept_stack: Template) -> None:
    kinds = {resource["Type"] for resource in kept_stack.document["Resources"].values()}
    assert not [kind for kind in kinds if "CloudWatch" in kind]
