"""`skipscan.start` and `skipscan.open_run`: a deployed run from Python, over the same environment as the commands."""

from decimal import Decimal
from typing import Any

import boto3
import pytest

import skipscan
from skipscan.errors import BatchError, InputError, NotFoundError
from skipscan.library import api, finished
from tests.fakes.handlers.execution import BUCKET
from tests.refusal import refused
from tests.unit.cli.place import CUSTOMERS, Place

assert skipscan.start is api.start  # loaded before a test puts another session into boto3


@pytest.mark.waits("skipscan.library.finished:StartedRun.wait")
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
    assert place.document("items") == {"table": "Orders", "take": take, "since": "7", "format": "csv"}
    skipscan.start("Orders", env="dev", name="counts", count="all")
    assert place.document("counts") == {"table": "Orders", "take": {"count": {}}}
    with refused(InputError, "take.count.up_to", 0):
        skipscan.start("Orders", env="dev", name="none", count=0)


def test_a_finished_run_is_opened_by_its_address(place: Place) -> None:
    run = place.finished()
    root = f"s3://{BUCKET}/skipscan/Orders/runs/{run}"
    for address in (root, f"{root}/", f"{root}/manifest.json"):
        assert sorted(skipscan.open_run(address)) == CUSTOMERS
    other = f"{root}-other/"
    with refused(NotFoundError, "address", other, rule="manifest.json"):
        skipscan.open_run(other)


def test_a_run_that_fails_says_where_to_look(place: Place) -> None:
    run = skipscan.start("Orders", env="dev", name="failing")
    place.work_a_batch("failing")
    place.end("failing", "TableError", "the table is gone")
    with refused(BatchError, "run", "failing", rule="unfinished", way="`skipscan status Orders failing --env dev`"):
        run.wait()


def test_a_wait_is_bounded(place: Place) -> None:
    with pytest.raises(TimeoutError, match=r"run slow is starting after 0\.\d+ s: call wait again"):
        skipscan.start("Orders", env="dev", name="slow").wait(seconds=0)


def test_a_mistake_starts_nothing(place: Place) -> None:
    with refused(InputError, "segments", 0, rule="1 to 1000000"):
        skipscan.start("Orders", env="dev", segments=0)
    with refused(InputError, "the execution's name", "no/name", rule="another folder"):
        skipscan.start("Orders", env="dev", name="no/name")
    with refused(NotFoundError, "env", "prod", rule="there is no stack skipscan-prod"):
        skipscan.start("Orders", env="prod")
    assert place.running() == []


def test_a_session_decides_account_and_region(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    session: Any = boto3.Session()
    monkeypatch.setattr(boto3, "Session", lambda **_: pytest.fail("another session was made"))
    run = skipscan.start("Orders", env="dev", name="mine", session=session)
    assert run.name in place.running()
