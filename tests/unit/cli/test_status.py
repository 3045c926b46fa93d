"""What `skipscan status` and following print of a run, and how they end."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from skipscan.cli.board import board, plain, status_line
from skipscan.errors import InputError, NotFoundError
from tests.fakes.handlers.execution import BUCKET
from tests.unit.cli.place import Place, exists

pytestmark = pytest.mark.slow


def test_the_status_of_a_run_whose_worker_failed_says_why_and_links_its_execution(place: Place) -> None:
    """Step Functions says of the execution that too many children of its Map failed, and no more."""
    run = place.start()
    place.fail_a_batch(run, "InternalFailure", "the item of customer-7 is odd")
    place.end(run, "States.ExceedToleratedFailureThreshold", "The specified tolerated failure threshold was exceeded")
    done = place.skipscan("status", "Orders", run)
    cause = "worker 0: BatchError: AWS refused Scan with InternalFailure"
    assert (done.status, cause in done.stderr, cause in done.stdout) == (3, True, True)
    link = "https://us-east-1.console.aws.amazon.com/states/home?region=us-east-1#/v2/executions/details/"
    assert f"{link}{place.arn(run)}" in done.stdout
    assert "customer-7" not in done.stdout + done.stderr
    told = json.loads(place.skipscan("status", "Orders", run, "--json").stdout)
    [failure] = told["failures"]
    assert (failure["worker"], failure["error"]) == (0, "BatchError")
    assert told["execution"]["arn"] == place.arn(run)
    assert cause in place.skipscan("runs", "Orders").stdout


def test_a_worker_that_is_retried_shows_how_long_nothing_came_and_why(place: Place) -> None:
    run = place.start("--workers", "2", "--segments", "4")
    place.work_a_batch(run)
    place.fail_a_batch(run, "InternalFailure", worker=1)
    status = place.status_of(run)
    later = replace(status, at=status.at + timedelta(minutes=2, seconds=5))
    assert status.failures, "an attempt failed after the last commit"
    assert "no progress for 2 min" in plain(board(later, None, later.at))
    said = "no progress for 2 min, retrying: worker 1: BatchError: AWS refused Scan with InternalFailure"
    assert said in plain(board(later, None, later.at)).replace("  ", " ")
    assert said in status_line(later, None, later.at)
    assert "no progress" not in plain(board(status, None, status.at))


def test_a_profile_is_shown_with_its_page_and_is_nothing_to_report_resume_or_download(place: Place) -> None:
    finished = place.finished()
    asked = json.dumps({"table": "Orders", "profile": True})
    place.sfn.start_execution(stateMachineArn=place.machine, name="what", input=asked)
    planned = place.listing.planned(place.document("what"), "what", place.began("what"))
    place.succeed("what", planned["explanation"])
    page = f"s3://{BUCKET}/skipscan/Orders/runs/what/profile.html"
    done = place.skipscan("status", "Orders")
    assert (done.status, done.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert [lines[0], *lines[1:3]] == ["Orders run what profiled", "items 36", "keys 12"]
    assert lines[-1] == f"profile {page}"
    told = json.loads(place.skipscan("status", "Orders", "--json").stdout)
    assert (told["state"], told["profile"]["keys"]["estimate"]) == ("profiled", 12)
    [_, first, second] = place.skipscan("runs", "Orders").stdout.splitlines()
    assert first.split()[:3] == ["run", "what", "profiled"]
    assert "36 items, 12 keys, $" in first
    assert second.split()[1:3] == [finished, "finished"]
    assert json.loads(place.skipscan("report", "Orders", "--json").stdout)["run"] == finished
    refused = place.skipscan("report", "Orders", "what")
    refused.check_refused(NotFoundError, "run", "what", rule="profile", way=page)
    for command in ("resume", "download"):
        place.skipscan(command, "Orders", "what").check_refused(NotFoundError, "run", "what", rule="profiled")


def test_the_cause_of_an_error_that_may_quote_keys_is_not_shown(place: Place) -> None:
    run = place.start()
    place.work_a_batch(run)
    place.end(run, "States.Runtime", "the state was {customer-7}")
    done = place.skipscan("status", "Orders", run, "--follow")
    assert (done.status, "States.Runtime" in done.stderr, "customer-7" in done.stdout + done.stderr) == (3, True, False)


def test_a_run_without_an_estimate_is_measured_by_the_run_before(place: Place) -> None:
    place.finished("--segments", "4")
    run = place.start("--segments", "4", "--workers", "1")
    place.work_a_batch(run)
    seen = json.loads(place.skipscan("status", "Orders", "--json").stdout)
    assert (seen["run"], seen["expected"]) == (run, 12)
    assert 0 < seen["part_done"] < 1
    assert re.search(r"expected +12  last time", place.skipscan("status", "Orders").stdout)


def test_a_table_that_is_the_name_of_a_folder_here_gets_the_path(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Orders").mkdir()
    (tmp_path / "Orders" / "plan.json").touch()
    monkeypatch.chdir(tmp_path)
    done = place.skipscan("report", "Orders")
    done.check_refused(NotFoundError, 'table "Orders"', rule="no run")
    missing = "no such table: check the name"
    place.skipscan("status", "xyz").check_refused(NotFoundError, 'table "xyz"', way=missing)
    assert f"has no run or job in dev; there is {missing}" in place.skipscan("runs", "xyz").stderr
    place.skipscan("stop", "Order").check_refused(NotFoundError, 'table "Order"', way="did you mean Orders")
    assert "has no run or job in dev; did you mean Orders?" in place.skipscan("runs", "Order").stderr
    place.skipscan("status", "Order").check_refused(NotFoundError, 'table "Order"', way="did you mean Orders")
    exists("Order")
    place.skipscan("status", "Order").check_refused(NotFoundError, 'table "Order"', way="start one")
    run, way = place.start("--segments", "4"), "name of work over table Orders"
    place.skipscan("status", run).check_refused(NotFoundError, f'table "{run}"', way=way)
    place.skipscan("diff", run, "second").check_refused(NotFoundError, "run", "second", way=way)
    place.skipscan("stop", run).check_refused(NotFoundError, f'table "{run}"', way=way)
    place.start("--name", "Order")
    assert "name of work" not in place.skipscan("runs", "Order").stderr, "there is a table of this name"
    assert "; `skipscan report ./Orders` uses the folder of this name (see" in done.stderr.replace("\n", " ")
    (tmp_path / "orders.json").touch()
    assert "; orders.json is a file here (see" in place.skipscan("report", "orders.json").stderr
    assert "is a file" not in place.skipscan("download", "Order", "--output", "orders.json").stderr


def test_a_list_shows_work_whose_checkpoints_have_expired(place: Place) -> None:
    run = place.start("--segments", "6")
    place.work_a_batch(run)
    place.end(run)
    for name in place.listing.objects("/checkpoints/"):
        place.listing.s3.delete_object(Bucket=BUCKET, Key=name)
    done = place.skipscan("runs", "Orders")
    assert (done.status, run in done.stdout, "unfinished" in done.stdout) == (0, True, True), done.stderr
    place.skipscan("stop", "Orders", run).check_refused(NotFoundError, "name", run, rule="it is not running in dev")


# `stop` and `resume` of runs.


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


def test_a_refusal_is_told_in_options_from_the_history_and_else_in_the_cause_s_fields(place: Place) -> None:
    run, error = place.start("--segments", "4"), InputError("max_dollars", 9, "it is too much", "lower it")
    for refusal, said in (({**error.to_json(), "page": None}, "--max-dollars is 9"), (None, "max_dollars is 9")):
        place.end(run, "InputError", str(error), refusal)
        assert f"InputError: {said}; it is too much" in place.skipscan("status", "Orders", run).stderr


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
    again = place.skipscan("stop", "Orders", runs[1])
    again.check_refused(NotFoundError, "name", runs[1], rule="it is refused, and not running in dev")
    place.skipscan("stop", "Orders", "other").check_refused(NotFoundError, "name", "other", rule="no run or job")
    place.finished("--name", "monday")
    place.skipscan("stop", "Orders", "Monday").check_refused(NotFoundError, "name", "Monday", way="did you mean monday")
