"""Automatic operation: a schedule that starts runs, monitoring, announcements, and what remains after removal."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from botocore.client import BaseClient

from local.checkout import REGION
from local.embedded import CONFIG, SESSION
from tests.engines.e2e.conftest import Deployment
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.handlers.metrics import Line, lines, total

pytestmark = pytest.mark.xdist_group("embedded")

WAIT_SECONDS = 600.0
TABLE = "Scheduled"


def client(deployment: Deployment, service: str) -> Any:
    made: BaseClient = SESSION.client(service, endpoint_url=deployment.account.endpoint, config=CONFIG)  # type: ignore[call-overload]
    return made


@pytest.fixture(scope="module")
def scheduled(deployment: Deployment) -> dict[str, Any]:
    """The manifest of a run that a schedule started: the deployed one's twin, but for its time and its table."""
    items: Iterator[Item] = ({"pk": {"S": f"p{number % 3}"}, "sk": {"N": f"{number}"}} for number in range(9))
    deployment.load(TableDefinition(TABLE, KeySchema.of(("pk", "S"), ("sk", "N"))), items)
    scheduler = deployment.account.scheduler
    target = scheduler.get_schedule(Name="skipscan-e2e-nightly")["Target"]
    scheduler.create_schedule(
        Name="skipscan-e2e-once",
        # AWS leaves out what is over already; this engine starts it when it next looks, within ten seconds.
        ScheduleExpression="at(2020-01-01T00:00:00)",
        FlexibleTimeWindow={"Mode": "OFF"},
        Target={**target, "Input": json.dumps({"table": TABLE})},
    )
    document: dict[str, Any] = until(partial(manifest, deployment))
    scheduler.delete_schedule(Name="skipscan-e2e-once")
    return document


def until(look: Callable[[], Any]) -> Any:
    """Return what is found as soon as there is anything."""
    deadline = monotonic() + WAIT_SECONDS
    while not (found := look()):
        assert monotonic() < deadline, "nothing came"
        sleep(0.2)
    return found


def manifest(deployment: Deployment) -> dict[str, Any] | None:
    bucket, s3 = deployment.outputs["BucketName"], deployment.account.s3
    names = [
        entry["Key"] for entry in s3.list_objects_v2(Bucket=bucket, Prefix="skipscan/Scheduled/").get("Contents", [])
    ]
    for name in names:
        if name.endswith("/manifest.json"):
            document: dict[str, Any] = json.loads(s3.get_object(Bucket=bucket, Key=name)["Body"].read())
            return document
    return None


def emitted(deployment: Deployment, state: str, run: str) -> list[Line]:
    """The metrics of a run in the log of a deployed function."""
    pages = client(deployment, "logs").get_paginator("filter_log_events")
    events = pages.paginate(logGroupName=f"/aws/lambda/skipscan-e2e-{state}")
    said = "\n".join(event["message"].strip() for page in events for event in page["events"])
    return [line for line in lines(said) if line.properties.get("run") == run]


@pytest.mark.long
def test_a_schedule_fires(scheduled: dict[str, Any]) -> None:
    assert (scheduled["table"], scheduled["keys"], scheduled["complete"]) == (TABLE, 3, True)


def test_the_logs_of_deployed_functions_hold_the_metrics_of_the_run(
    deployment: Deployment, scheduled: dict[str, Any]
) -> None:
    run = scheduled["run"]
    finished = until(lambda: emitted(deployment, "finish", run))
    assert total(finished)["RunsFinished"] == 1
    batches = emitted(deployment, "scan", run)
    assert total(batches)["Keys"] == total(finished)["RunKeys"] == scheduled["keys"]
    assert total(batches)["ReadUnits"] == scheduled["read_units"]
    assert {line.dimensions["environment"] for line in [*batches, *finished]} == {"e2e"}


def left(deployment: Deployment, name: str) -> Iterator[str]:
    """Everything in the account whose name has that in it."""
    for service, operation, kind, attribute in (
        ("logs", "describe_log_groups", "logGroups", "logGroupName"),
        ("cloudwatch", "describe_alarms", "MetricAlarms", "AlarmName"),
        ("cloudwatch", "list_dashboards", "DashboardEntries", "DashboardName"),
        ("lambda", "list_functions", "Functions", "FunctionName"),
        ("stepfunctions", "list_state_machines", "stateMachines", "name"),
        ("scheduler", "list_schedules", "Schedules", "Name"),
        ("iam", "list_roles", "Roles", "RoleName"),
        ("s3", "list_buckets", "Buckets", "Name"),
        ("sqs", "list_queues", "QueueUrls", None),
    ):
        for entry in getattr(client(deployment, service), operation)().get(kind, []):
            found = entry[attribute] if attribute else entry
            if name in found:
                yield f"{kind}: {found}"


@pytest.mark.parametrize(("keep", "stays"), [(True, ["Buckets"]), pytest.param(False, [], marks=pytest.mark.long)])
def test_removal_leaves_nothing_but_the_results_if_they_are_wanted(
    deployment: Deployment, cdk_folder: Path, keep: bool, stays: list[str]
) -> None:
    """A twin of the stack is made and removed; no run ever wrote to it."""
    name, account = f"skipscan-gone-{keep}".lower(), deployment.account
    [template] = cdk_folder.rglob("skipscan-e2e.template.json")
    text = template.read_text().replace("skipscan-e2e", name)
    resources = json.loads(text)["Resources"].values()
    retained = [one["Type"] for one in resources if one.get("DeletionPolicy", "").startswith("Retain")]
    assert set(retained) == {"AWS::Lambda::Version", "AWS::S3::Bucket"}  # versions go with their function
    assert retained.count("AWS::S3::Bucket") == 1
    if not keep:
        text = re.sub('"DeletionPolicy": "Retain[^"]*"', '"DeletionPolicy": "Delete"', text)
    account.s3.create_bucket(Bucket="templates")
    account.s3.put_object(Bucket="templates", Key=name, Body=text.encode())
    url = f"https://s3.{REGION}.amazonaws.com/templates/{name}"
    account.cloudformation.create_stack(StackName=name, TemplateURL=url, Capabilities=["CAPABILITY_IAM"])
    account.cloudformation.get_waiter("stack_create_complete").wait(
        StackName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 600}
    )
    assert len({kind.split(":")[0] for kind in left(deployment, name)}) == 9

    account.cloudformation.delete_stack(StackName=name)
    account.cloudformation.get_waiter("stack_delete_complete").wait(
        StackName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 600}
    )
    assert [kind.split(":")[0] for kind in left(deployment, name)] == stays
