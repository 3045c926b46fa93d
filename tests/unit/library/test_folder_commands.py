"""`keys --folder` and `resume ./folder`: how commands begin a listing into a folder, continue it, and refuse to."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from skipscan.aws import lean
from skipscan.errors import InputError, NotFoundError, SkipscanError
from tests.unit.cli.command import invoke
from tests.unit.folder.local_listing import CUSTOMERS, Client
from tests.unit.library.test_into_folder import keys

pytestmark = pytest.mark.usefixtures("quick_folder")


@pytest.fixture
def at_orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    """The table that commands read, from a folder of their own."""
    client = Client()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SKIPSCAN_ENV", raising=False)
    monkeypatch.setattr(lean, "lean_dynamodb", lambda *_, **__: client)
    return client


KEYS = ("keys", "Orders", "--folder", "orders", "--region", "us-east-1", "--endpoint-url", "http://localhost:1")
RESUME = ("resume", "./orders", *KEYS[4:])


def test_resume_continues_the_listing_in_a_folder_with_its_own_options(at_orders: Client, orders_folder: Path) -> None:
    asked = ("--segments", "3", "--format", "dynamodb-jsonl", "--last", "placed", "--since", "1")
    stopped = invoke(*KEYS, *asked, "--max-read-units", "4")
    assert (stopped.status, "`skipscan resume orders/`" in stopped.stderr) == (3, True), stopped.stderr
    assert (invoke(*RESUME, "--max-read-units", "4").status, invoke(*RESUME).status) == (3, 3)  # its budget stays
    done = invoke(*RESUME, "--max-read-units", "400", "--json")
    assert (done.status, json.loads(done.stdout)["keys"]) == (0, len(CUSTOMERS)), done.stderr
    manifest = json.loads((orders_folder / "manifest.json").read_text())
    assert (manifest["segments"], manifest["format"], manifest["take"]) == (3, "dynamodb-jsonl", {"last": ["placed"]})
    finished = invoke(*RESUME)
    finished.check_refused(NotFoundError, "the run in orders", rule=r"\b40 keys", way="skipscan download orders/")


def test_given_keys_are_those_that_the_listing_began_with(at_orders: Client, orders_folder: Path) -> None:
    file, asked = Path("some.txt"), ("--only", "some.txt", "--count")
    file.write_text("\n".join(CUSTOMERS[:9]))
    stopped = invoke(*KEYS, *asked, "--max-read-units", "4")
    assert stopped.status == 3, stopped.stderr
    file.write_text("\n".join(CUSTOMERS[:10]))
    invoke(*KEYS, *asked).check_refused(InputError, "folder", "orders", rule="has another only", way="resume")
    file.unlink()
    done = invoke(*RESUME, "--max-read-units", "400", "--json")
    assert (done.status, json.loads(done.stdout)["keys"]) == (0, 9), done.stderr
    assert keys(orders_folder) == Counter(CUSTOMERS[:9])


@pytest.mark.parametrize(
    ("arguments", "error", "held", "way"),
    [
        (("./nowhere",), NotFoundError, ("nowhere",), "skipscan keys --folder"),
        (("./orders", "--output", "x"), InputError, ("a folder",), "--output .*skipscan download ./orders"),
        (("./orders", "--without-recovery"), InputError, ("without_recovery", True, "without_recovery"), ""),
        (("./orders", "--max-write-units", "5"), InputError, ("max_write_units", 5.0, "max_write_units"), ""),
        (
            ("Orders", "--env", "dev", "--endpoint-url", "http://localhost:1"),
            InputError,
            ("a run of an environment",),
            "--endpoint-url",
        ),
    ],
)
def test_resume_of_a_folder_refuses_what_is_about_other_work(
    at_orders: Client, arguments: tuple[str, ...], error: type[SkipscanError], held: tuple[Any, ...], way: str
) -> None:
    assert invoke(*KEYS, "--max-read-units", "4").status == 3
    invoke("resume", *arguments).check_refused(error, *held, way=way)


def test_a_finished_folder_needs_a_word_to_be_used(at_orders: Client) -> None:
    """The next command of a nightly script, such as `&& load orders`, must not get the keys of yesterday."""
    assert invoke(*KEYS).status == 0
    asked = at_orders.scans
    invoke(*KEYS).check_refused(InputError, "folder", "orders", "finished finished", rule="finished")
    kept = invoke(*KEYS, "--finished", "keep")
    assert (kept.status, at_orders.scans) == (0, asked)
    assert re.search(rf"{len(CUSTOMERS):,} keys in orders, listed [0-9-]{{10}} ", kept.stderr)
    anew = invoke(*KEYS, "--finished", "again")
    assert (anew.status, at_orders.scans > asked, "listed" in anew.stderr) == (0, True, False)


@pytest.mark.parametrize("more", [(), ("--folder", "orders"), ("--format", "csv", "--folder", "orders")])
def test_an_attribute_that_no_item_has_is_named_at_the_end(at_orders: Client, more: tuple[str, ...]) -> None:
    connection = ("--region", "us-east-1", "--endpoint-url", "http://localhost:1")
    done = invoke("keys", "Orders", "--last", "total,payload", *connection, *more)
    assert (done.status, "skipscan: no item had `total`: check the names" in done.stderr) == (0, True), done.stderr
    if more:
        assert "no item had `total`" in invoke("download", "./orders").stderr
