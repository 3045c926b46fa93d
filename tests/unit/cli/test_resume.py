"""`stop` and `resume` of runs."""

import json

import pytest

from skipscan.errors import InputError, NotFoundError
from tests.unit.cli.place import Place

pytestmark = pytest.mark.slow


def test_stop_and_resume(place: Place) -> None:
    run = place.start("--segments", "6", "--workers", "2", "--max-read-units-per-second", "70")
    place.work_a_batch(run)
    refused = place.skipscan("resume", "Orders")
    refused.check_refused(NotFoundError, "run", run, rule="running", way="skipscan runs Orders --env dev")
    stopped = place.skipscan("stop", "Orders")
    assert (stopped.status, stopped.stdout) == (0, f"{run}\n")
    assert f"skipscan resume Orders {run} --env dev" in stopped.stderr
    assert place.sfn.describe_execution(executionArn=place.arn(run))["status"] == "ABORTED"

    resumed = place.skipscan("resume", "Orders", "--max-read-units", "90", "--json")
    printed = json.loads(resumed.stdout)
    assert (printed["run"], printed["state"]) == (run, "running")
    execution = printed["execution"]["name"]
    assert execution.startswith(f"{run}-resumed-")
    rate, budget = {"max_read_units_per_second": 70.0}, {"max_read_units": 90.0}
    assert place.document(execution) == {"table": "Orders", "resume": run, **rate, **budget}
    # Both names lead to the run, and the resuming execution is the one that is shown.
    for name in (run, execution):
        printed = json.loads(place.skipscan("status", "Orders", name, "--json").stdout)
        assert (printed["run"], printed["state"], printed["execution"]["name"]) == (run, "running", execution)
    place.end(execution)
    again = json.loads(place.skipscan("resume", "Orders", "--json").stdout)["execution"]["name"]
    assert place.document(again) == {"table": "Orders", "resume": run, **rate, **budget}
    place.work(again)
    place.end(again)
    assert json.loads(place.skipscan("runs", "Orders", "--json").stdout)[0]["keys"] == 12
    done = place.skipscan("resume", "Orders", run)
    done.check_refused(NotFoundError, "run", run, rule="finished", way="skipscan runs Orders")


def test_a_run_is_resumed_without_a_word_about_recovery(place: Place) -> None:
    run = place.start("--segments", "6", "--workers", "2")
    place.work_a_batch(run)
    place.end(run)
    done = place.skipscan("resume", "Orders", "--without-recovery")
    done.check_refused(InputError, "without_recovery", True, "without_recovery", rule=run)


def test_a_run_that_its_budget_ended_is_not_resumed_with_the_same(place: Place) -> None:
    run = place.start("--max-dollars", "0.0004", "--max-read-units-per-second", "9")
    place.work_a_batch(run)
    place.end(run, "BudgetError", "used up")
    for more in ((), ("--max-read-units", "5000")):
        place.skipscan("resume", "Orders", *more).check_refused(InputError, "max_dollars", 0.0004, way="larger")
    resumed = json.loads(place.skipscan("resume", "Orders", "--max-dollars", "1", "--json").stdout)["execution"]["name"]
    rate = {"max_read_units_per_second": 9.0}
    assert place.document(resumed) == {"table": "Orders", "resume": run, "max_dollars": 1.0, **rate}


def test_a_budget_that_is_used_up_already_resumes_nothing(place: Place) -> None:
    run = place.start("--segments", "6", "--workers", "2")
    place.work_a_batch(run)
    place.end(run)
    consumed = json.loads(place.skipscan("status", "Orders", "--json").stdout)["read_units"]
    assert consumed >= 0.5
    before = place.running()
    done = place.skipscan("resume", "Orders", "--max-read-units", str(consumed))
    done.check_refused(InputError, "max_read_units", consumed, rule=f'"{run}" .* {consumed:,.1f} ')
    assert place.running() == before
    resumed = place.skipscan("resume", "Orders", "--max-read-units", str(consumed + 0.5))
    assert resumed.status == 0
    assert "15 minutes" in resumed.stderr, "the functions of the first execution have no budget"


def test_stop_asks_which_where_several_run(place: Place) -> None:
    runs = sorted([place.start(), place.start()])
    done = place.skipscan("stop", "Orders")
    way = f"--kind: run {runs[0]}, run {runs[1]}"
    done.check_refused(NotFoundError, 'table "Orders"', rule=r"\b2\b.* dev", way=way)
    printed = json.loads(place.skipscan("stop", "Orders", runs[1], "--json").stdout)
    assert printed == {"table": "Orders", "kind": "run", "run": runs[1], "stopped": [runs[1]]}
