"""The commands over the life of a run: what they print, what they ask for, and how they end."""

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete

from skipscan.aws import answer, deployment
from skipscan.aws.bucket import Bucket
from skipscan.cli.main import skipscan
from skipscan.keys import convert as download
from skipscan.loop.storage import Storage
from tests.handlers.execution import BUCKET
from tests.runs.conftest import Place

CUSTOMERS = sorted(f"c{number}" for number in range(12))


def test_run_prints_the_name_of_the_run_and_hands_on_what_was_asked(place: Place) -> None:
    run = place.start("--segments", "6", "--workers", "2", "--max-dollars", "3", "--consistent-read")
    asked = {"table": "Orders", "segments": 6, "workers": 2, "max_dollars": 3.0, "consistent_read": True}
    assert place.document(run) == {**asked, "strategy": "auto", "optimize": "balanced"}


def test_a_run_may_be_named_once(place: Place) -> None:
    assert place.start("--name", "monday") == "monday"
    again = place.skipscan("run", "Orders", "--name", "monday", "--segments", "3")
    assert (again.status, "an execution with this name exists: use another name" in again.stderr) == (2, True)


MISTAKES: list[tuple[list[str], int, str]] = [
    (["run", "Orders", "--segments", "0"], 2, "--segments is 0; DynamoDB allows 1 to 1000000: raise it"),
    (["run", "Orders", "--max-read-units", "0"], 2, "--max-read-units is 0.0; it must be a number, at least 0.5"),
    (["run", "a b"], 2, 'table is "a b"; it must be a table\'s name'),
    (["run", "Orders", "--name", "a/b"], 2, 'name is "a/b"; it must be 1 to 80 letters'),
    (["run", "Orders", "--name", ".."], 2, 'name is ".."; it must be'),
    (["run", "Orders", "--output", "/nowhere/keys.txt"], 2, "'/nowhere' is not a writable folder"),
    (["status", "a/b"], 2, "it must be a table's name"),
    (["status", "Orders", "a/b"], 2, "it becomes the name of a folder on S3 and would lead to another folder"),
    (
        ["resume", "Orders", "a\tb"],
        2,
        'name is "a\\tb"; it becomes the name of a folder on S3 and would lead to another folder',
    ),
    (["status", "Orders"], 1, 'table "Orders" has no run in dev: start one with `skipscan run Orders --env dev`'),
    (["status", "Orders", "nobody"], 1, 'name is "nobody"; table "Orders" has no run or job with this name in dev'),
    (
        ["status", "Orders", "nobody", "--kind", "run"],
        1,
        'run is "nobody"; table "Orders" has no run with this name in dev',
    ),
    (["status", "Orders", "--kind", "act"], 1, 'it does not enable act for any table: add "writing"'),
    (["download", "Orders"], 1, 'table "Orders" has no finished run in dev'),
    (["report", "Orders"], 1, 'table "Orders" has no run in dev with results'),
    (["report", "Orders", "nobody"], 1, 'name is "nobody"; table "Orders" has no run or job with this name in dev'),
    (["report", "a/b"], 2, "has no plan.json"),
    (["diff", "Orders"], 1, 'table "Orders" has no finished run in dev'),
    (["stop", "Orders"], 1, 'table "Orders" has nothing running in dev'),
    (["stop", "Orders", "nobody"], 1, 'name is "nobody"; it is not running in dev'),
    (["resume", "Orders"], 1, 'table "Orders" has no run in dev'),
]


def test_a_mistake_is_one_message_and_nothing_is_started(place: Place) -> None:
    for arguments, status, message in MISTAKES:
        done = place.skipscan(*arguments)
        assert (done.status, done.stdout) == (status, ""), arguments
        assert message in done.stderr
        assert "Traceback" not in done.stderr
    assert place.sfn.list_executions(stateMachineArn=place.machine)["executions"] == []


def test_a_dry_run_prints_the_plan_as_plan_does(place: Place) -> None:
    names = iter(["dry", "again"])

    def plan() -> None:
        name, began = next(names), datetime.now(UTC).isoformat()
        place.succeed(name, place.listing.planned(place.document(name), name, began)["explanation"])

    place.monkeypatch.setattr("skipscan.cli.follow.sleep", lambda _: plan())
    done = place.skipscan("run", "Orders", "--name", "dry", "--dry-run")
    assert (done.status, done.stderr) == (0, "")
    assert done.stdout.startswith("12 partition keys\n\nway to list the keys")
    assert "skip scan, Limit=1" in done.stdout
    printed = json.loads(place.skipscan("run", "Orders", "--name", "again", "--dry-run", "--json").stdout)
    assert (printed["keys"]["estimate"], printed["choice"]["strategy"]) == (12, "skip scan")
    assert json.loads(place.skipscan("list", "Orders", "--json").stdout)[0]["state"] == "planned"


def test_a_dry_run_that_is_refused_says_why(place: Place) -> None:
    place.monkeypatch.setattr("skipscan.cli.follow.sleep", lambda _: place.end("dry", "TableError", "no such index"))
    done = place.skipscan("run", "Orders", "--name", "dry", "--dry-run", "--index", "by-size")
    assert (done.status, done.stdout) == (3, "")
    assert "no plan; TableError: no such index" in done.stderr
    followed = place.skipscan("run", "Orders", "--dry-run", "--follow")
    assert (followed.status, "a dry run has nothing to follow" in followed.stderr) == (2, True)


def test_an_environment_that_is_not_there_is_named(place: Place) -> None:
    done = place.skipscan("list", "Orders", "--env", "prod", env=None)
    assert (done.status, "there is no stack skipscan-prod in us-east-1: deploy it" in done.stderr) == (1, True)
    done = place.skipscan("list", "Orders", "--env", "a_b", env=None)
    assert (done.status, 'env is "a_b"; it must be the name of an environment' in done.stderr) == (2, True)
    place.monkeypatch.setenv("SKIPSCAN_ENV", "dev")
    assert place.skipscan("list", "Orders", env=None).status == 0


def test_status_tells_of_a_run_at_every_stage(place: Place) -> None:
    run = place.start("--segments", "4", "--workers", "2")
    assert status(place) == ("starting", 0, 0)
    place.work_a_batch(run)
    state, keys, left = status(place)
    assert (state, keys > 0, 0 < left <= 4) == ("running", True, True)
    said = place.skipscan("status", "Orders", run).stdout
    assert said.startswith(f"Orders  run {run}  running\n")
    assert f"keys {keys}".replace(" ", "") in said.replace(" ", "")
    assert "Figures cover committed batches only." in said
    assert not [line for line in said.splitlines() if line != line.rstrip()]
    place.end(run)
    assert status(place)[0] == "unfinished"
    assert "Stopped (execution ABORTED)" in place.skipscan("status", "Orders").stdout
    place.work(run)
    assert status(place) == ("finished", 12, 0)


def status(place: Place) -> tuple[str, int, int]:
    printed = json.loads(place.skipscan("status", "Orders", "--json").stdout)
    return printed["state"], printed["keys"], printed["segments_left"]


def test_a_run_that_is_refused_at_once_says_so_even_if_it_is_not_followed(place: Place) -> None:
    cause = 'table "Orders" is not there'
    for arguments in ((), ("--json",)):
        name = f"run-{len(arguments)}"
        place.meanwhile(lambda: None, partial(place.end, name, "TableError", cause))
        done = place.skipscan("run", "Orders", "--name", name, *arguments)
        assert (done.status, f"the run is refused; TableError: {cause}" in done.stderr) == (3, True)
        assert (json.loads(done.stdout)["run"] if arguments else done.stdout.strip()) == name


def test_a_run_is_left_to_itself_once_its_plan_is_there(place: Place) -> None:
    place.meanwhile(lambda: None, partial(place.work_a_batch, "planned"))
    done = place.skipscan("run", "Orders", "--name", "planned")
    assert (done.status, done.stdout, done.stderr) == (0, "planned\n", "")


def test_a_run_that_was_refused_says_why(place: Place) -> None:
    run = place.start("--index", "by-size")
    refused = place.work(run)
    place.end(run, refused["error"], refused["cause"])
    done = place.skipscan("status", "Orders", run, "--follow")
    assert done.status == 3
    assert "the run is refused; TableError" in done.stderr
    assert "resume" not in done.stderr


@pytest.mark.parametrize("more", [(), ("--follow",), ("--json",), ("--follow", "--json")])
def test_the_status_of_what_was_refused_failed_or_stopped_is_3_with_its_cause(
    place: Place, more: tuple[str, ...]
) -> None:
    refused, stopped = place.start("--index", "by-size"), place.start()
    answer = place.work(refused)
    place.end(refused, answer["error"], answer["cause"])
    place.work_a_batch(stopped)
    place.end(stopped)
    for name, cause in ((refused, "the run is refused; TableError: "), (stopped, "the run is unfinished; Stopped")):
        done = place.skipscan("status", "Orders", name, *more)
        assert (done.status, cause in done.stderr) == (3, True), done.stderr


def test_the_status_of_a_run_whose_worker_failed_says_where_the_worker_s_error_is(place: Place) -> None:
    """Step Functions says of the execution that too many children of its Map failed, and no more."""
    run = place.start()
    place.work_a_batch(run)
    place.end(run, "States.ExceedToleratedFailureThreshold", "The specified tolerated failure threshold was exceeded")
    done = place.skipscan("status", "Orders", run)
    assert (done.status, "a worker failed; the Map Run, linked from the execution, shows" in done.stderr) == (3, True)


def test_the_status_of_what_goes_on_has_ended_or_was_a_dry_run_is_0(place: Place) -> None:
    running, finished, dry = place.start(), place.finished(), place.start("--name", "dry")
    place.work_a_batch(running)
    began = datetime.now(UTC).isoformat()
    explained = place.listing.planned({**place.document(dry), "dry_run": True}, dry, began)["explanation"]
    place.succeed(dry, explained)
    for name in (running, finished, dry):
        done = place.skipscan("status", "Orders", name)
        assert (done.status, done.stderr) == (0, ""), name


def test_following_ends_with_the_run_and_says_each_change_once(place: Place) -> None:
    name = "followed"
    place.meanwhile(lambda: place.work_a_batch(name), lambda: None, lambda: place.complete(name))
    done = place.skipscan("run", "Orders", "--name", name, "--segments", "4", "--follow")
    assert (done.status, done.stdout) == (0, "followed\n")
    states = [line.split("  ")[1] for line in done.stderr.splitlines()]
    assert states == ["starting", "running", "finished"]
    assert not any(customer in done.stderr for customer in CUSTOMERS)


def test_following_as_json_is_an_object_a_line(place: Place) -> None:
    name = "followed"
    place.meanwhile(lambda: place.work_a_batch(name), lambda: place.complete(name))
    done = place.skipscan("run", "Orders", "--name", name, "--follow", "--json")
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["state"] for one in printed] == ["starting", "running", "finished"]
    assert (printed[-1]["keys"], printed[-1]["manifest"]) == (
        12,
        f"s3://{BUCKET}/skipscan/Orders/runs/followed/manifest.json",
    )
    assert done.stderr == ""


def test_a_followed_run_that_does_not_finish_ends_with_3_and_its_cause(place: Place) -> None:
    run = place.start("--max-read-units", "1", "--workers", "1")
    stopped = place.work(run)
    place.end(run, stopped["error"], stopped["cause"])
    done = place.skipscan("status", "Orders", run, "--follow")
    assert done.status == 3
    ended, resume = done.stderr.splitlines()[-2:]
    assert ended.startswith(
        "skipscan: the run is unfinished; BudgetError: the budget is --max-read-units 1; 1.0 read units"
    )
    assert ended.endswith("segments are left (see docs/errors.md#resume)")
    assert resume == (
        f"skipscan: resume it with a larger --max-read-units: skipscan resume Orders {run} --env dev "
        "--max-read-units ..."
    )


def test_an_execution_with_any_input_at_all_can_be_asked_for(place: Place) -> None:
    place.sfn.start_execution(stateMachineArn=place.machine, name="odd", input="[1]")
    assert place.skipscan("list", "Orders").status == 0
    done = place.skipscan("status", "Orders", "odd")
    assert (done.status, 'table "Orders" has no run or job with this name' in done.stderr) == (1, True)


def test_a_defect_is_told_by_its_place_and_without_its_text(place: Place) -> None:
    def broken(*_: object) -> None:
        raise KeyError("customer 7")

    place.monkeypatch.setattr("skipscan.cli.deployed.Deployed.running", broken)
    done = place.skipscan("list", "Orders")
    assert (done.status, done.stdout, "Traceback" in done.stderr) == (70, "", False)
    assert "this is a defect of skipscan: KeyError in " in done.stderr
    assert "customer 7" not in done.stderr
    place.monkeypatch.setenv("SKIPSCAN_TRACEBACK", "1")
    with pytest.raises(KeyError):
        place.skipscan("list", "Orders")


def test_the_cause_of_an_error_that_may_quote_keys_is_not_shown(place: Place) -> None:
    run = place.start()
    place.work_a_batch(run)
    place.end(run, "States.Runtime", "the state was {c1}")
    done = place.skipscan("status", "Orders", run, "--follow")
    assert (done.status, "States.Runtime" in done.stderr, "c1" in done.stdout + done.stderr) == (3, True, False)


def test_ctrl_c_leaves_the_run_alone_and_says_how_to_come_back(place: Place) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    place.meanwhile(interrupt)
    done = place.skipscan("run", "Orders", "--name", "left", "--follow")
    assert done.status == 130
    assert "the run continues. Follow it: skipscan status Orders left --env dev --follow" in done.stderr
    assert place.sfn.describe_execution(executionArn=place.arn("left"))["status"] == "RUNNING"


def test_looks_grow_rarer_with_the_run(place: Place) -> None:
    run = place.start()
    place.slept.clear()
    clock = iter([0.0, 0.0, 300.0, 30_000.0])
    place.monkeypatch.setattr("skipscan.cli.follow.monotonic", lambda: next(clock))

    def sleep(seconds: float) -> None:
        place.slept.append(seconds)
        if len(place.slept) == 3:
            place.end(run)

    place.monkeypatch.setattr("skipscan.cli.follow.sleep", sleep)
    place.skipscan("status", "Orders", "--follow")
    assert place.slept == [1.0, 5.0, 10.0]


def test_list_shows_every_run_with_its_state_the_newest_first(place: Place) -> None:
    finished = place.finished("--name", "a-finished")
    unfinished = place.start("--name", "c-unfinished")
    place.work_a_batch(unfinished)
    place.end(unfinished)
    place.listing.planned({"table": "Orders", "dry_run": True}, "d-dry", datetime.now(UTC).isoformat())
    running = place.start("--name", "b-running")
    place.work_a_batch(running)
    listed = json.loads(place.skipscan("list", "Orders", "--json").stdout)
    assert [(entry["run"], entry["state"]) for entry in listed] == [
        (running, "running"),
        ("d-dry", "planned"),
        (unfinished, "unfinished"),
        (finished, "finished"),
    ]
    for entry in listed:
        if not entry["dry_run"]:
            known = json.loads(place.skipscan("status", "Orders", entry["run"], "--json").stdout)
            assert (entry["keys"], entry["part_done"]) == (known["keys"], known["part_done"])
    assert (listed[3]["keys"], listed[2]["keys"] > 0, listed[2]["error"]) == (12, True, "Stopped")
    lines = place.skipscan("list", "Orders", "--limit", "2").stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [["kind", "name"], ["run", running], ["run", "d-dry"]]
    assert "planned, dry run" in lines[2]
    assert "has no run or job in dev" in place.skipscan("list", "Others").stderr


def test_a_run_without_an_estimate_is_measured_by_the_run_before(place: Place) -> None:
    place.finished("--segments", "4")
    run = place.start("--segments", "4", "--workers", "1")
    place.work_a_batch(run)
    seen = json.loads(place.skipscan("status", "Orders", "--json").stdout)
    assert (seen["run"], seen["expected"]) == (run, 12)
    assert 0 < seen["part_done"] < 1
    assert "12 last time" in place.skipscan("status", "Orders").stdout


def test_a_first_run_without_an_estimate_shows_no_percentage_that_would_be_wrong(place: Place) -> None:
    run = place.start("--segments", "1", "--workers", "1")  # one segment, which is under way
    place.work_a_batch(run)
    seen = json.loads(place.skipscan("status", "Orders", "--json").stdout)
    assert (seen["run"], seen["keys"] > 0, seen["expected"], seen["part_done"]) == (run, True, None, None)
    said = place.skipscan("status", "Orders").stdout
    assert "total not known yet" in said
    assert "%" not in said


def test_tables_runs_and_jobs_are_completed(place: Place) -> None:
    run = place.finished("--name", "monday")
    place.monkeypatch.setenv("SKIPSCAN_ENV", "dev")

    def completed(*arguments: str) -> list[str]:
        *before, incomplete = arguments
        found = ShellComplete(skipscan, {}, "skipscan", "_SKIPSCAN_COMPLETE").get_completions(before, incomplete)
        return [item.value for item in found]

    assert completed("status", "") == completed("run", "Or") == ["Orders"]
    assert completed("status", "Orders", "") == completed("download", "Orders", "mon") == [run]
    assert completed("status", "Orders", "--kind", "act", "") == []


def test_report_tells_of_the_newest_run_that_has_read_anything(place: Place, tmp_path: Path) -> None:
    finished = place.finished()
    stopped = place.start()
    place.listing.planned({"table": "Orders"}, stopped, datetime.now(UTC).isoformat())
    place.end(stopped)
    printed = json.loads(place.skipscan("report", "Orders", "--json").stdout)
    assert (printed["run"], printed["keys"], printed["complete"]) == (finished, 12, True)
    refused = place.skipscan("report", "Orders", stopped)
    assert (refused.status, "that run is planned, and has no results yet" in refused.stderr) == (1, True)

    running = place.start("--segments", "4")
    place.work_a_batch(running)
    page = tmp_path / "page.html"
    done = place.skipscan("report", "Orders", "--output", str(page))
    assert (done.status, done.stdout, done.stderr) == (0, f"{page}\n", "")
    assert running in page.read_text()
    assert not any(f">{customer}<" in page.read_text() for customer in CUSTOMERS)


def test_download_writes_the_keys_of_the_newest_finished_run(place: Place, tmp_path: Path) -> None:
    place.finished("--segments", "3")
    place.put("c99")
    newest = place.finished("--segments", "8", "--workers", "3", "--format", "dynamodb-jsonl")
    place.start()
    assert sorted(place.skipscan("download", "Orders").stdout.splitlines()) == sorted([*CUSTOMERS, "c99"])
    output = tmp_path / "keys.jsonl"
    done = place.skipscan("download", "Orders", newest, "--output", str(output), "--format", "jsonl")
    assert (done.status, done.stdout, done.stderr) == (0, "", "")
    assert sorted(json.loads(line)["customer"] for line in output.read_text().splitlines()) == sorted(
        [*CUSTOMERS, "c99"]
    )
    stored = b"".join(map(place.listing.read, place.listing.objects(f"/{newest}/keys/")))
    assert place.skipscan("download", "Orders", "--format", "dynamodb-jsonl").stdout.encode() == stored


def test_a_part_that_was_changed_is_found_out_and_no_file_is_left(place: Place, tmp_path: Path) -> None:
    run = place.finished("--segments", "4", "--workers", "2")
    output = tmp_path / "keys.txt"
    output.write_text("of yesterday\n")
    part = place.listing.objects(f"/{run}/keys/")[-1]
    place.listing.s3.put_object(Bucket=BUCKET, Key=part, Body=b"")
    for harm in (lambda: None, lambda: place.listing.s3.delete_object(Bucket=BUCKET, Key=part)):
        harm()
        done = place.skipscan("download", "Orders", run, "--output", str(output))
        assert (done.status, "does not have the checksum in the manifest" in done.stderr) == (1, True)
        assert output.read_text() == "of yesterday\n"
        assert os.listdir(tmp_path) == ["keys.txt"]


def test_parts_come_in_order_and_few_at_a_time(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    run = place.finished("--segments", "12", "--workers", "4")
    manifest = json.loads(place.listing.read(place.listing.objects(f"/{run}/manifest")[0]))
    names = [part["name"] for part in manifest["parts"]]
    fetched: list[str] = []
    body = download._body

    def noted(storage: Storage, part: Mapping[str, Any]) -> bytes:
        fetched.append(part["name"])
        return body(storage, part)

    monkeypatch.setattr(download, "_body", noted)
    whole = []
    for number, content in enumerate(download.bodies(Bucket(place.listing.s3, BUCKET), manifest)):  # type: ignore[arg-type]
        whole.append(content)
        assert len(fetched) <= number + download.AHEAD
    assert whole == [place.listing.read(name) for name in names]


def test_only_a_finished_run_can_be_downloaded(place: Place) -> None:
    run = place.start()
    place.work_a_batch(run)
    done = place.skipscan("download", "Orders", run)
    assert (done.status, done.stdout) == (1, "")
    assert "that run is running; only a finished run has all keys: wait for it with" in done.stderr


def test_output_is_written_when_the_run_is_done(place: Place, tmp_path: Path) -> None:
    place.meanwhile(lambda: place.complete("r"))
    output = tmp_path / "keys.txt"
    done = place.skipscan("run", "Orders", "--name", "r", "--output", str(output))
    assert (done.status, done.stdout) == (0, "r\n")
    assert sorted(output.read_text().split()) == CUSTOMERS
    assert done.stderr.endswith(f"skipscan: 12 keys in {output}\n")


def test_diff_tells_what_is_new_and_what_has_vanished(place: Place, tmp_path: Path) -> None:
    old = place.finished("--segments", "3")
    place.put("new1", "new2")
    place.remove("c5")
    new = place.finished("--segments", "7", "--format", "dynamodb-jsonl")
    done = place.skipscan("diff", "Orders")
    assert (done.status, done.stdout) == (0, "- c5\n+ new1\n+ new2\n")
    assert done.stderr == f"skipscan: 2 new and 1 vanished keys between {old} and {new}\n"

    files = [tmp_path / "new", tmp_path / "vanished"]
    options = ["--new-keys", str(files[0]), "--vanished-keys", str(files[1]), "--format", "jsonl", "--json"]
    printed = json.loads(place.skipscan("diff", "Orders", new, old, *options).stdout)
    assert printed == {
        "table": "Orders",
        "old": {"run": new, "keys": 13},
        "new": {"run": old, "keys": 12},
        "new_keys": 1,
        "vanished_keys": 2,
    }
    assert [json.loads(line)["customer"] for line in files[0].read_text().splitlines()] == ["c5"]
    assert [json.loads(line)["customer"] for line in files[1].read_text().splitlines()] == ["new1", "new2"]
    assert sorted(os.listdir(tmp_path)) == ["new", "vanished"]


def test_stop_and_resume(place: Place) -> None:
    run = place.start("--segments", "6", "--workers", "2")
    place.work_a_batch(run)
    refused = place.skipscan("resume", "Orders")
    assert (refused.status, f'run is "{run}"; it is running; only unfinished work' in refused.stderr) == (
        1,
        True,
    )
    stopped = place.skipscan("stop", "Orders")
    assert (stopped.status, stopped.stdout) == (0, f"{run}\n")
    assert f"skipscan resume Orders {run} --env dev" in stopped.stderr
    assert place.sfn.describe_execution(executionArn=place.arn(run))["status"] == "ABORTED"

    resumed = place.skipscan("resume", "Orders", "--max-read-units", "90", "--json")
    printed = json.loads(resumed.stdout)
    assert (printed["run"], printed["state"]) == (run, "running")
    execution = printed["execution"]["name"]
    assert execution.startswith(f"{run}-resumed-")
    assert place.document(execution) == {"table": "Orders", "resume": run, "max_read_units": 90.0}
    # Both names lead to the run, and the resuming execution is the one that is shown.
    for name in (run, execution):
        printed = json.loads(place.skipscan("status", "Orders", name, "--json").stdout)
        assert (printed["run"], printed["state"], printed["execution"]["name"]) == (run, "running", execution)
    place.work(execution)
    place.end(execution)
    assert json.loads(place.skipscan("list", "Orders", "--json").stdout)[0]["keys"] == 12
    done = place.skipscan("resume", "Orders", run)
    assert (done.status, f'run is "{run}"; it is finished; only unfinished work' in done.stderr) == (1, True)


def test_a_dry_run_that_is_stopped_is_nothing_to_resume(place: Place) -> None:
    asked = json.dumps({"table": "Orders", "dry_run": True})
    place.sfn.start_execution(stateMachineArn=place.machine, name="dry", input=asked)
    stopped = place.skipscan("stop", "Orders")
    assert (stopped.status, stopped.stdout) == (0, "dry\n")
    assert stopped.stderr == "skipscan: stopped. A dry run has nothing to resume\n"
    assert place.skipscan("resume", "Orders", "dry").status == 1


def test_a_run_is_resumed_without_a_word_about_recovery(place: Place) -> None:
    run = place.start("--segments", "6", "--workers", "2")
    place.work_a_batch(run)
    place.end(run)
    done = place.skipscan("resume", "Orders", "--without-recovery")
    assert (done.status, f'"{run}" is a run, which does not write: leave' in done.stderr) == (2, True)


def test_stop_asks_which_where_several_run(place: Place) -> None:
    runs = sorted([place.start(), place.start()])
    done = place.skipscan("stop", "Orders")
    assert (done.status, f"choose one by name and --kind: run {runs[0]}, run {runs[1]}" in done.stderr) == (1, True)
    printed = json.loads(place.skipscan("stop", "Orders", runs[1], "--json").stdout)
    assert printed == {"table": "Orders", "kind": "run", "run": runs[1], "stopped": [runs[1]]}


def test_a_run_of_another_table_is_not_mistaken_for_one_of_this(place: Place) -> None:
    run = place.start()
    assert place.skipscan("status", "Others", run).status == 1
    assert place.skipscan("stop", "Others").status == 1


def test_results_are_where_the_stack_puts_them() -> None:
    from infra.results_bucket import PREFIX  # noqa: PLC0415  (takes seconds to import)

    assert deployment.PREFIX == PREFIX


def test_an_answer_of_another_service_is_told_in_words(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(answer.ALWAYS["stepfunctions"], "StartExecution", ("theirs",))
    done = place.skipscan("run", "Orders")
    assert (done.status, done.stdout) == (1, "")
    assert "the answer to StartExecution lacks theirs, so it does not come from stepfunctions" in done.stderr
