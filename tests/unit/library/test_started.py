"""How a package that is missing is installed here."""

import sys
from decimal import Decimal
from typing import Any, cast

import boto3
import pytest

import skipscan
from skipscan.errors import BatchError, BudgetError, InputError, NotFoundError, SkipscanError, TableError
from skipscan.library import api, finished, parquet
from tests.fakes.handlers.execution import BUCKET
from tests.refusal import refused
from tests.unit.cli.place import CUSTOMERS, Place


@pytest.mark.parametrize(
    ("prefix", "has_pip", "has_uv", "command"),
    [
        ("/home/me/.local/share/pipx/venvs/skipscan", False, True, "pipx inject skipscan pyarrow"),
        ("/home/me/orders/.venv", True, True, "{python} -m pip install pyarrow"),
        ("/home/me/.local/share/uv/tools/skipscan", False, True, "uv pip install --python {python} pyarrow"),
        ("/home/me/orders/.venv", False, False, "{python} -m ensurepip && {python} -m pip install pyarrow"),
    ],
)
def test_a_missing_package_is_installed_where_this_program_runs(
    monkeypatch: pytest.MonkeyPatch, prefix: str, has_pip: bool, has_uv: bool, command: str
) -> None:
    monkeypatch.setattr(sys, "prefix", prefix)
    monkeypatch.setattr(sys, "executable", f"{prefix}/bin/python")
    monkeypatch.setattr(parquet, "find_spec", lambda _: object() if has_pip else None)
    monkeypatch.setattr(parquet, "which", lambda _: "/usr/bin/uv" if has_uv else None)
    assert parquet.install("pyarrow") == command.format(python=f"{prefix}/bin/python")


# `skipscan.start` and `skipscan.open_run`: a deployed run from Python, over the same environment as the commands.


assert skipscan.start is api.start  # loaded before a test puts another session into boto3


def test_a_started_run_is_waited_for_and_read(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    run = skipscan.start("Orders", env="dev", name="from-python", segments=3)
    assert place.document("from-python") == {"table": "Orders", "segments": 3}
    monkeypatch.setattr(finished, "sleep", lambda seconds: place.complete("from-python"))
    ended = run.wait()
    assert (ended.name, len(ended), sorted(ended)) == ("from-python", 12, CUSTOMERS)
    assert run.status()["state"] == "finished"


def test_a_run_takes_the_options_of_keys(place: Place) -> None:
    skipscan.start("Orders", env="dev", name="items", items=("status",), since=Decimal(7), format="csv")
    take = {"items": ["status"]}
    assert place.document("items") == {"table": "Orders", "take": take, "since": {"N": "7"}, "format": "csv"}
    run = skipscan.start("Orders", env="dev", name="bytes", since=b"7")
    ended(place, "bytes")
    with pytest.raises(InputError, match="of type N, and it is binary"):
        run.wait()
    skipscan.start("Orders", env="dev", name="counts", count="all")
    assert place.document("counts") == {"table": "Orders", "take": {"count": {}}}
    with refused(InputError, "count", 0):
        skipscan.start("Orders", env="dev", name="none", count=0)


def test_a_run_that_was_stopped_says_where_to_look_and_how_it_goes_on(place: Place) -> None:
    run = skipscan.start("Orders", env="dev", name="stopped")
    place.work_a_batch("stopped")
    place.end("stopped")
    goes_on = "`skipscan status Orders stopped --env dev` .* `skipscan resume Orders stopped --env dev` continues it"
    with refused(BatchError, "run", "stopped", rule="unfinished: Stopped", way=goes_on):
        run.wait()


def test_a_wait_is_for_a_number_of_seconds(place: Place) -> None:
    run = skipscan.start("Orders", env="dev", name="waited")
    with refused(InputError, "secs", way="did you mean seconds"):
        run.wait(**cast("Any", {"secs": 5}))
    with refused(InputError, "seconds", "5", rule="a number"):
        run.wait(cast("Any", "5"))
    with refused(InputError, "env", None, rule="the name of an environment"):
        skipscan.start("Orders", env=cast("Any", None))


def ended(place: Place, execution: str) -> str:
    """Let an execution end as its last state returns, and return its cause."""
    returned = place.work(execution)
    if "error" not in returned:
        place.succeed(execution, returned.get("explanation", returned))
        return ""
    place.end(execution, returned["error"], returned["cause"], returned["refusal"])
    return str(returned["cause"])


def test_a_resumed_run_is_waited_for_by_its_own_name(place: Place) -> None:
    stopped = skipscan.start("Orders", env="dev", name="thrifty", max_read_units=5, segments=2)
    cause = ended(place, "thrifty")
    with pytest.raises(skipscan.SkipscanError, match="resume") as caught:
        stopped.wait()
    assert (type(caught.value), f"{caught.value} (see docs/errors.md#resume)") == (BudgetError, cause)

    resumed = skipscan.start("Orders", env="dev", name="more", resume="thrifty", max_read_units=200)
    assert (resumed.name, resumed.status()["state"]) == ("thrifty", "running")
    ended(place, "more")
    run = resumed.wait()
    assert (run.name, sorted(run)) == ("thrifty", CUSTOMERS)
    assert len(stopped.wait()) == 12


@pytest.mark.parametrize("has_history", [True, False])
@pytest.mark.parametrize(
    ("asked", "error", "says"),
    [({"resume": "nope"}, InputError, 'resume is "nope"; '), ({"index": "by-size"}, TableError, "by-size")],
)
def test_a_refused_run_raises_the_refusal(
    place: Place, asked: dict[str, Any], error: type[SkipscanError], says: str, *, has_history: bool
) -> None:
    run = skipscan.start("Orders", env="dev", name="refused", **asked)
    returned = place.work("refused")
    place.end("refused", returned["error"], returned["cause"], returned["refusal"] if has_history else None)
    with pytest.raises(skipscan.SkipscanError) as caught:
        run.wait()
    assert type(caught.value) is error
    assert says in str(caught.value)
    assert "skipscan resume" not in str(caught.value)


def test_what_is_no_listing_has_a_value_of_its_own(place: Place) -> None:
    dry = skipscan.start("Orders", env="dev", name="dry", dry_run=True)
    ended(place, "dry")
    planned: Any = dry.wait()
    assert planned["choice"]["strategy"] == "skip scan"
    profiled = skipscan.start("Orders", env="dev", name="profiled", profile=True)
    ended(place, "profiled")
    found: Any = profiled.wait()
    assert found["items"]["estimate"] == 36
    skipped = skipscan.start("Orders", env="dev", name="late", overlap="skip")
    place.succeed("late", {"table": "Orders", "run": "late", "skipped": True, "earlier": "nightly"})
    assert skipped.wait() is None
    assert (skipped.status()["state"], skipped.status()["earlier"]) == ("skipped", "nightly")


def test_a_wait_is_bounded(place: Place) -> None:
    with pytest.raises(TimeoutError, match=r"run slow is starting after 0\.\d+ s: call wait again"):
        skipscan.start("Orders", env="dev", name="slow").wait(seconds=0)


def test_a_session_decides_account_and_region(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    session: Any = boto3.Session()
    monkeypatch.setattr(boto3, "Session", lambda **_: pytest.fail("another session was made"))
    run = skipscan.start("Orders", env="dev", name="mine", session=session)
    assert run.name in place.running()


def test_a_finished_run_is_opened_by_its_address(place: Place) -> None:
    run = place.finished()
    root = f"s3://{BUCKET}/skipscan/Orders/runs/{run}"
    for address in (root, f"{root}/", f"{root}/manifest.json"):
        assert sorted(skipscan.open_run(address)) == CUSTOMERS
    other = f"{root}-other/"
    with refused(NotFoundError, "address", other, rule="manifest.json"):
        skipscan.open_run(other)
