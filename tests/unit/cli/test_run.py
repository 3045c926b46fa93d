"""The commands over the life of a run: their output, their requests, and their exit status."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from skipscan.errors import InputError, NotFoundError, SkipscanError, StateError, TableError
from skipscan.loop.work import FORM
from tests.fakes.handlers.execution import BUCKET
from tests.unit.cli.place import Place
from tests.unit.cli.test_completion import completed

pytestmark = pytest.mark.slow


MISTAKES: list[tuple[list[str], type[SkipscanError], tuple[Any, ...], dict[str, str]]] = [
    (["run", "Orders", "--name", ".."], InputError, ("name", ".."), {"rule": "80"}),
    (["status", "Orders", "a/b"], InputError, ("the execution's name", "a/b"), {"rule": "folder"}),
    (["status", "Orders"], NotFoundError, ('table "Orders"',), {"rule": "dev", "way": "skipscan run Orders --env dev"}),
    (["status", "Orders", "nobody"], NotFoundError, ("name", "nobody"), {"way": "skipscan runs Orders --env dev"}),
    (["status", "Orders", "nobody", "--kind", "run"], NotFoundError, ("run", "nobody"), {"way": "skipscan runs"}),
    (["status", "Orders", "--kind", "act"], NotFoundError, ("env", "dev"), {"way": '"writing": {"Orders": {"act": '}),
    (["download", "Orders"], NotFoundError, ('table "Orders"',), {"rule": "finished", "way": "skipscan run Orders"}),
    (["report", "Orders"], NotFoundError, ('table "Orders"',), {"rule": "results", "way": "skipscan run Orders"}),
    (["report", "Orders", "nobody"], NotFoundError, ("name", "nobody"), {"rule": "Orders", "way": "skipscan runs"}),
    (["diff", "Orders"], NotFoundError, ('table "Orders"',), {"rule": "finished", "way": "skipscan run Orders"}),
    (["stop", "Orders"], NotFoundError, ('table "Orders"',), {"rule": "dev", "way": "skipscan runs Orders"}),
    (["stop", "Orders", "nobody"], NotFoundError, ("name", "nobody"), {"rule": "dev", "way": "skipscan runs Orders"}),
    (["resume", "Orders"], NotFoundError, ('table "Orders"',), {"rule": "dev", "way": "skipscan run Orders"}),
]


@pytest.mark.parametrize(("arguments", "error", "held", "facts"), MISTAKES, ids=lambda it: str(it)[:60])
def test_a_mistake_is_one_message_and_nothing_is_started(
    place: Place, arguments: list[str], error: type[SkipscanError], held: tuple[Any, ...], facts: dict[str, str]
) -> None:
    place.skipscan(*arguments).check_refused(error, *held, **facts)
    assert place.sfn.list_executions(stateMachineArn=place.machine)["executions"] == []


def test_a_dry_run_prints_the_plan_as_plan_does(place: Place) -> None:
    def plan(name: str) -> None:
        place.succeed(name, place.work(name)["explanation"])

    place.meanwhile(partial(plan, "dry"), partial(plan, "again"))
    done = place.skipscan("run", "Orders", "--name", "dry", "--dry-run")
    assert (done.status, done.stderr) == (0, "")
    assert done.stdout.startswith("12 partition keys\n\nway to list the keys")
    assert "skip scan, Limit=1" in done.stdout
    printed = json.loads(place.skipscan("run", "Orders", "--name", "again", "--dry-run", "--json").stdout)
    assert (printed["keys"]["estimate"], printed["choice"]["strategy"]) == (12, "skip scan")
    listed = place.skipscan("runs", "Orders", "--json")
    assert listed.stderr == "", listed
    assert json.loads(listed.stdout)[0]["state"] == "planned"


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_a_table_that_does_not_exist_may_have_been_meant_to_be_another(
    place: Place, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skipscan.library.deployed.near_table", lambda *_: "Orders")
    gone = 'table is "Order"; there is no such table'
    place.meanwhile(lambda: place.end("gone", TableError.__name__, gone))
    done = place.skipscan("run", "Order", "--name", "gone", *options)
    assert (done.status, "did you mean Orders?" in done.stderr) == (3, True), done.stderr


def test_a_dry_run_that_is_refused_says_why(place: Place) -> None:
    place.meanwhile(lambda: place.end("dry", "TableError", "no such index"))
    done = place.skipscan("run", "Orders", "--name", "dry", "--dry-run", "--index", "by-size")
    assert (done.status, done.stdout) == (3, "")
    assert "no plan; TableError: no such index" in done.stderr
    followed = place.skipscan("run", "Orders", "--dry-run", "--follow")
    followed.check_refused(InputError, "a dry run", way="--follow")


COMPARED = {"outcome": "compared", "reason": None, "old": "monday", "new_keys": 1012, "vanished_keys": 3}
OUTCOMES: list[tuple[dict[str, Any], str]] = [
    (COMPARED, "1,012 new keys, 3 vanished since monday"),
    (
        {**COMPARED, "outcome": "first", "old": None, "reason": "no earlier run"},
        "nothing to compare with: no earlier run",
    ),
]


@pytest.mark.parametrize(("diff", "said"), OUTCOMES)
@pytest.mark.parametrize(("earlier", "names"), [("previous", ""), ("monday", "monday tuesday ")])
def test_a_followed_run_says_how_many_keys_are_new(
    place: Place, earlier: str, names: str, diff: dict[str, Any], said: str
) -> None:
    place.finished("--name", "monday")
    place.meanwhile(
        partial(place.work, "tuesday"),
        partial(place.succeed, "tuesday", {"diff": {**diff, "document": "s3://bucket/diff.json"}}),
    )
    done = place.skipscan("run", "Orders", "--name", "tuesday", "--compare", earlier, "--follow")
    assert done.status == 0
    assert f"skipscan: {said}" in done.stderr
    asked = f"skipscan diff Orders {names}--env dev"
    assert (f"{asked} prints" in done.stderr.replace("`", "")) == (diff["outcome"] == "compared")
    assert said in " ".join(place.skipscan("status", "Orders", "tuesday").stdout.split())


def test_warnings_of_the_plan_reach_who_starts_a_run(place: Place) -> None:
    place.meanwhile(lambda: None, partial(place.work_a_batch, "slow"))
    rate = ("--workers", "4", "--segments", "8", "--max-read-units-per-second", "1")
    warning = "! The run uses 1 of the 4 requested workers"
    assert warning in place.skipscan("run", "Orders", "--name", "slow", *rate).stderr
    assert warning in place.skipscan("status", "Orders", "slow").stdout
    place.meanwhile(partial(place.work, "slow"))
    assert place.skipscan("status", "Orders", "slow", "--follow").stderr.count(warning) == 1
    place.meanwhile(lambda: None, partial(place.work, "again"))
    assert place.skipscan("run", "Orders", "--name", "again", *rate, "--follow").stderr.count(warning) == 1


def test_a_defect_is_reported_with_its_location_and_without_its_text(place: Place) -> None:
    def broken(*_: object) -> None:
        raise KeyError("customer 7")

    place.monkeypatch.setattr("skipscan.library.deployed.Deployed.running", broken)
    done = place.skipscan("runs", "Orders")
    assert (done.status, done.stdout, "Traceback" in done.stderr) == (70, "", False)
    assert "defect of skipscan: KeyError in " in done.stderr
    assert "customer 7" not in done.stderr
    place.monkeypatch.setenv("SKIPSCAN_TRACEBACK", "1")
    with pytest.raises(KeyError):
        place.skipscan("runs", "Orders")


@pytest.mark.parametrize("form", [FORM - 1, FORM + 1, None])
def test_list_shows_a_run_of_another_version_as_a_line(place: Place, tmp_path: Path, form: object) -> None:
    readable = place.finished("--name", "a-readable")
    for name in ("monday", "tuesday"):
        started = {"started": "2026-01-31T03:00:00.000+00:00"} if name == "monday" else {}
        plan = json.dumps({"form": form, "plan": "of another shape", **started}).encode()
        place.listing.s3.put_object(Bucket=BUCKET, Key=f"skipscan/Orders/runs/{name}/plan.json", Body=plan)
    listed = json.loads(place.skipscan("runs", "Orders", "--json").stdout)
    assert [(entry["run"], entry["state"]) for entry in listed] == [
        (readable, "finished"),
        ("monday", "unreadable"),
        ("tuesday", "unreadable"),
    ]
    assert (listed[1]["started"][:10], listed[2]["started"]) == ("2026-01-31", None)
    assert {(entry["form"], entry["error"]) for entry in listed[1:]} == {(form, None)}
    lines = place.skipscan("runs", "Orders").stdout
    assert f"another version of Skipscan wrote it: form {form if form else 'unknown'}, not {FORM}" in " ".join(
        lines.split()
    )
    assert [line.split()[1] for line in place.skipscan("runs", "Orders", "--limit", "2").stdout.splitlines()][1:] == [
        readable,
        "monday",
    ]
    for command in ("status", "report", "download"):
        done = place.skipscan(
            command, "Orders", *(["--output", str(tmp_path / "output")] if command != "status" else [])
        )
        assert (done.status, done.stderr) == (0, ""), command
    named = place.skipscan("status", "Orders", "monday")
    named.check_refused(StateError, "the plan of monday", rule=f"form {form or 'unknown'}, .* form {FORM}")


def test_tables_runs_and_jobs_are_completed(place: Place) -> None:
    run = place.finished("--name", "monday")
    place.monkeypatch.setenv("SKIPSCAN_ENV", "dev")

    assert completed("status", "") == completed("run", "Or") == ["Orders"]
    assert completed("status", "Orders", "") == completed("download", "Orders", "mon") == [run]
    assert completed("status", "Orders", "--kind", "act", "") == []
