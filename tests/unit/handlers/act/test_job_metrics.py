"""The metrics of writing jobs at their end: every metric once per job."""

from typing import Any

import pytest

from skipscan.loop.metric import Metric
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.acting import MARKER, Acting
from tests.fakes.handlers.execution import Machine
from tests.fakes.handlers.metrics import lines, total

KEYS = 9


@pytest.fixture(autouse=True)
def table_with_run(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    """A table and a finished run over it, `run-1`."""
    schema = KeySchema.of(("pk", "S"), ("sk", "S"))
    dynamodb.add(TableDefinition("T-1", schema), ({"pk": {"S": f"{pk}"}, "sk": {"S": "a"}} for pk in range(KEYS)))
    assert listing.run({"table": "T-1"})["keys"] == KEYS


def done(acting: Acting, name: str, **document: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A job whose workers are done, and their reports."""
    planned = acting.planned({"table": "T-1", "run": "run-1", "dry_run": False, "put_item": MARKER, **document}, name)
    return planned, [list(acting.turns(planned, worker))[-1]["report"] for worker in planned["workers"]]


def test_every_end_of_a_job_is_reported_once_with_all_its_figures(
    acting: Acting, capsys: pytest.CaptureFixture[str]
) -> None:
    planned, reports = done(acting, "whole", workers=1)
    capsys.readouterr()
    output = acting.finished(planned, reports)
    emitted = lines(capsys.readouterr().out)
    assert total(emitted) == {
        "JobsFinished": 1,
        "JobWrittenItems": KEYS,
        "JobFailedItems": 0,
        "JobEndedKeys": 0,
        "JobWriteUnits": output["write_units"],
        "JobSeconds": output["seconds"],
    }
    [line] = emitted
    assert line.dimensions == {"environment": "unnamed", "table": "T-1"}
    assert line.properties == {"act": "whole"}
    assert acting.finished(planned, reports) == output
    assert lines(capsys.readouterr().out) == []

    acting.finished(*done(acting, "stopped", workers=1, max_write_units=3))
    acting.finished(done(acting, "amiss", workers=1)[0], [])
    emitted += lines(capsys.readouterr().out)
    units = {name: unit for line in emitted for name, unit in line.units.items() if name.startswith("Job")}
    assert units == {metric.title: metric.unit for metric in Metric if metric.state == "Finish of a job"}
    assert (total(emitted)["JobsStopped"], total(emitted)["JobsIncomplete"]) == (1, 1)
