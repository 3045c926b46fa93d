"""Automatic operation: a schedule that starts runs, and the metrics in the logs."""

import json
from collections.abc import Callable, Iterator
from time import monotonic, sleep
from typing import Any

import pytest

from local.embedded import CONFIG, SESSION
from tests.engines.e2e.conftest import Deployment
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.handlers.metrics import Line, lines, total

pytestmark = pytest.mark.xdist_group("embedded")

WAIT_SECONDS = 600.0
TABLE = "Scheduled"


def until(look: Callable[[], Any]) -> Any:
    """Return what is found as soon as there is anything."""
    deadline = monotonic() + WAIT_SECONDS
    while not (found := look()):
        assert monotonic() < deadline, "nothing came"
        sleep(0.2)
    return found


def emitted(deployment: Deployment, state: str, run: str) -> list[Line]:
    """The metrics of a run in the log of a deployed function."""
    logs = SESSION.client("logs", endpoint_url=deployment.account.endpoint, config=CONFIG)
    events = logs.get_paginator("filter_log_events").paginate(logGroupName=f"/aws/lambda/skipscan-e2e-{state}")
    said = "\n".join(event["message"].strip() for page in events for event in page["events"])
    return [line for line in lines(said) if line.properties.get("run") == run]


def test_a_schedule_fires_and_the_logs_of_deployed_functions_hold_the_metrics_of_its_run(
    deployment: Deployment,
) -> None:
    """The schedule is the deployed one's twin, but for its time and its table."""
    items: Iterator[Item] = ({"pk": {"S": f"p{number % 3}"}, "sk": {"N": f"{number}"}} for number in range(9))
    deployment.load(TableDefinition(TABLE, KeySchema.of(("pk", "S"), ("sk", "N"))), items)
    scheduler, s3 = deployment.account.scheduler, deployment.account.s3
    target = scheduler.get_schedule(Name="skipscan-e2e-nightly")["Target"]
    scheduler.create_schedule(
        Name="skipscan-e2e-once",
        # AWS leaves out what is over already; this engine starts it when it next looks, within ten seconds.
        ScheduleExpression="at(2020-01-01T00:00:00)",
        FlexibleTimeWindow={"Mode": "OFF"},
        Target={**target, "Input": json.dumps({"table": TABLE})},
    )

    def manifests() -> list[str]:
        found = s3.list_objects_v2(Bucket=deployment.outputs["BucketName"], Prefix=f"skipscan/{TABLE}/")
        return [one["Key"] for one in found.get("Contents", []) if one["Key"].endswith("/manifest.json")]

    manifest = json.loads(deployment.read(until(manifests)[0]))
    scheduler.delete_schedule(Name="skipscan-e2e-once")
    assert (manifest["table"], manifest["keys"], manifest["complete"]) == (TABLE, 3, True)
    finished = until(lambda: emitted(deployment, "finish", manifest["run"]))
    assert total(finished)["RunsFinished"] == 1
    batches = emitted(deployment, "scan", manifest["run"])
    assert total(batches)["Keys"] == total(finished)["RunKeys"] == manifest["keys"]
    assert total(batches)["ReadUnits"] == manifest["read_units"]
    assert {line.dimensions["environment"] for line in [*batches, *finished]} == {"e2e"}
