"""What `skipscan status` and following print of a run, and how they end."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from skipscan.cli.board import board, plain, status_line
from skipscan.errors import NotFoundError
from tests.fakes.handlers.execution import BUCKET
from tests.unit.cli.place import Place

pytestmark = pytest.mark.slow


def status(place: Place) -> tuple[str, int, int]:
    printed = json.loads(place.skipscan("status", "Orders", "--json").stdout)
    return printed["state"], printed["keys"], printed["segments_left"]


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
    assert "; `skipscan report ./Orders` uses the folder of this name (see" in done.stderr.replace("\n", " ")
