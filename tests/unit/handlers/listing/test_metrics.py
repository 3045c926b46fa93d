"""The metrics of the functions: every metric, each batch and each run once, and no key values."""

from collections.abc import Callable
from typing import Any

import pytest

from skipscan.aws.bucket import Bucket
from skipscan.loop.metric import NAMESPACE, Metric
from skipscan.loop.results import Results
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import Machine
from tests.fakes.handlers.metrics import Line, lines, total

KEYS = 40
ORDERS = {"table": "Orders", "segments": 3, "workers": 2}
Told = Callable[[], list[Line]]


@pytest.fixture(autouse=True)
def numbered_orders(dynamodb: FakeDynamoDB) -> None:
    dynamodb.add(
        TableDefinition("Orders", KeySchema.of(("pk", "N"), ("sk", "S"))),
        (
            {"pk": {"N": str(pk)}, "sk": {"S": f"{sk}"}, "body": {"B": bytes(3000)}}
            for pk in range(KEYS)
            for sk in range(3)
        ),
    )


@pytest.fixture
def emitted(capsys: pytest.CaptureFixture[str]) -> Told:
    """The lines with metrics since the last call."""
    return lambda: lines(capsys.readouterr().out)


def test_every_metric_is_emitted_by_its_state_with_its_unit_and_dimensions_and_no_other_is(
    listing: Machine, emitted: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skipscan.listing.planning.LARGE_ITEMS", 1)  # so that a run is planned by a sample
    seen: dict[str, list[Line]] = {state: [] for state in ("Plan", "Scan", "Finish")}

    def run(document: dict[str, Any], name: str, *, reported: bool = True) -> None:
        planned = listing.planned(document, name)
        seen["Plan"] += emitted()
        if "error" in planned:
            return
        reports = [list(listing.turns(planned, worker))[-1]["report"] for worker in planned["workers"]]
        seen["Scan"] += emitted()
        listing.finished(planned, reports if reported else [])
        seen["Finish"] += emitted()

    run({**ORDERS}, "whole")
    run({**ORDERS, "max_read_units": 5}, "stopped")
    run({**ORDERS}, "amiss", reported=False)
    run({"table": "Nowhere"}, "refused")

    for state, its_lines in seen.items():
        said = {(name, unit, tuple(line.dimensions)) for line in its_lines for name, unit in line.units.items()}
        told_by = {"Scan": "Turn"}.get(state, state)
        # Of jobs, and of a run that is skipped: test_overlap.py.
        elsewhere = (Metric.WRITE_UNITS, Metric.RUNS_SKIPPED)
        its_own = [metric for metric in Metric if metric.state == told_by and metric not in elsewhere]
        assert said == {(metric.title, metric.unit, by) for metric in its_own for by in metric.dimensions}
        assert {line.namespace for line in its_lines} == {NAMESPACE}
    assert total(seen["Scan"])["BatchSeconds"] < 60
    sums = total(seen["Finish"])
    assert (sums["RunsFinished"], sums["RunsStopped"], sums["RunsIncomplete"]) == (1, 1, 1)


def test_a_second_attempt_emits_nothing_and_one_whose_answer_was_lost_emits_its_batch(
    listing: Machine, emitted: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = listing.planned(ORDERS)
    results, put = Results, Bucket.put_once

    def answer_lost(self: Any, *args: Any, **headers: Any) -> bool:
        put(self, *args, **headers)
        return False  # what the SDK's second attempt finds

    with monkeypatch.context() as patched:
        patched.setattr(Bucket, "put_once", answer_lost)
        listing.turn(planned, 0, None)
    assert total(emitted())["Keys"] > 0

    looks = iter([None])
    look = results.committed
    with monkeypatch.context() as patched:
        patched.setattr(results, "reached", lambda *worker: None)
        patched.setattr(results, "committed", lambda *place: next(looks, look(*place)))
        listing.turn(planned, 0, None)
    assert emitted() == []
