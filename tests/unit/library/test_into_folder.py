"""A listing into a folder: the same parts and manifest as on S3, and the same command continues it."""

import errno
import json
import os
import re
import shlex
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count, repeat
from pathlib import Path
from time import sleep
from typing import Any
from unittest.mock import patch

import click
import pytest
from botocore.exceptions import ClientError

from skipscan.aws import lean
from skipscan.errors import (
    OMITTED,
    BatchError,
    BudgetError,
    DeniedError,
    InputError,
    NotFoundError,
    SkipscanError,
    StateError,
    TableError,
)
from skipscan.folder.files import locked
from skipscan.library import into_folder
from skipscan.listing.kind import LISTING
from skipscan.report.record import read_work
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.faulty import faulty
from tests.refusal import failed, refused
from tests.unit.cli.command import invoke
from tests.unit.folder.local_listing import CUSTOMERS, Client, few_pages, listing
from tests.unit.report.local import local


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(into_folder, "RETRY_SECONDS", ())
    # tests/unit/folder/storage/test_storage.py sees that it is called.
    monkeypatch.setattr(os, "fsync", lambda file: None)
    with few_pages():
        yield


@pytest.fixture
def orders_folder(tmp_path: Path) -> Path:
    return tmp_path / "orders"


def keys(folder: Path) -> Counter[str]:
    """Return the keys of all parts that the manifest names."""
    manifest = json.loads((folder / "manifest.json").read_text())
    lines = [line for part in manifest["parts"] for line in (folder / part["name"]).read_text().splitlines()]
    return Counter(json.loads(line)["customer"] for line in lines)


def is_whole(folder: Path) -> bool:
    return keys(folder) == Counter(CUSTOMERS)


def test_parts_checkpoints_and_a_manifest_are_those_of_a_run_on_s3(orders_folder: Path) -> None:
    manifest = listing(orders_folder).run()
    assert manifest
    assert is_whole(orders_folder)
    assert (manifest["keys"], manifest["complete"], manifest["workers"]) == (len(CUSTOMERS), True, 1)
    names = {path.relative_to(orders_folder).as_posix() for path in orders_folder.rglob("*") if path.is_file()}
    seen = {name for name in names if not name.startswith(".skipscan/")}
    assert {"plan.json", "manifest.json", "keys/worker-0000/part-00001.jsonl"} < seen
    assert {name.partition("/")[0] for name in seen} == {"plan.json", "manifest.json", "keys", "checkpoints"}


def test_nothing_but_units_is_billed_here(orders_folder: Path) -> None:
    manifest = listing(orders_folder).run()
    assert manifest
    assert manifest["dollars"]["total"] == manifest["dollars"]["units"] > 0
    assert set(manifest["services"].values()) == {0}


def test_a_finished_folder_is_refused_unless_its_keys_are_to_be_kept(orders_folder: Path) -> None:
    first = listing(orders_folder)
    manifest, client = first.run(), Client()
    rule = f"finished: {len(CUSTOMERS):,} keys, as of [0-9-]{{10}} .* UTC"
    with refused(InputError, "folder", str(orders_folder), "finished finished", rule=rule):
        listing(orders_folder, client).run()
    kept = replace(listing(orders_folder, client), finished="keep")
    assert kept.run() == manifest
    assert (client.scans, first.has_listed, kept.has_listed) == (0, True, False)
    with refused(InputError, "finished", "keeep", rule="refuse or keep or again"):
        replace(listing(orders_folder), finished="keeep").run()


def test_a_finished_folder_is_listed_again(orders_folder: Path) -> None:
    first = listing(orders_folder).run()
    copy = orders_folder / "mine"
    shutil.copytree(orders_folder / "checkpoints", copy / "checkpoints")
    (copy / "manifest.json").write_text("mine")
    second = replace(listing(orders_folder), finished="again").run()
    assert first
    assert second
    assert second["run"] != first["run"]
    assert is_whole(orders_folder)
    assert ((copy / "manifest.json").read_text(), bool(list((copy / "checkpoints").rglob("*.json")))) == ("mine", True)
    # Only `again` removes anything.
    (orders_folder / "plan.json").unlink()
    with refused(InputError, "folder", str(orders_folder), rule="other files"):
        listing(orders_folder).run()


def test_a_folder_is_listed_again_with_its_first_input(orders_folder: Path) -> None:
    listing(orders_folder).run()
    way = "^use a new folder"
    with refused(InputError, "folder", str(orders_folder), rule="has no index", way=way, index="by-status"):
        replace(listing(orders_folder, index="by-status"), finished="again").run()


class KilledError(Exception):
    """The process ends in the middle of a page."""


def kill_after(client: Client, scans: int) -> None:
    def die() -> None:
        if client.scans > scans:
            raise KilledError

    client.on_scan = die


@pytest.mark.parametrize("at", [0, 1, 5, 1000])
def test_a_listing_that_is_killed_before_it_begins_again_is_of_now(
    orders_folder: Path, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever of the first listing is left, the same command never continues it: its keys are old."""
    first, remove, removed = listing(orders_folder).run(), Path.unlink, count()

    def unlink(path: Path, *, missing_ok: bool = False) -> None:
        if path.parent.name != ".skipscan" and next(removed) == at:
            raise KilledError
        remove(path, missing_ok=missing_ok)

    with monkeypatch.context() as during, suppress(KilledError, BatchError):
        during.setattr(Path, "unlink", unlink)
        replace(listing(orders_folder, unreachable(1000)), finished="again").run()
    assert not (orders_folder / "plan.json").exists() or at == 1000
    second = listing(orders_folder).run()
    assert first
    assert second
    assert second["run"] != first["run"]
    assert is_whole(orders_folder)


def test_what_was_committed_is_not_read_again(orders_folder: Path) -> None:
    undisturbed = listing(orders_folder.with_name("undisturbed")).run()
    client = Client()
    kill_after(client, 10)
    with pytest.raises(BatchError):
        listing(orders_folder, client).run()
    assert not (orders_folder / "manifest.json").exists()
    parts = {path: path.read_bytes() for path in (orders_folder / "keys").rglob("*.jsonl")}
    assert parts
    client.on_scan = lambda: None
    manifest = listing(orders_folder, client).run()
    assert is_whole(orders_folder)
    assert all(path.read_bytes() == body for path, body in parts.items())
    assert manifest
    assert undisturbed
    # Each batch has the pages under way at its end; one that was lost is read again.
    assert client.scans <= undisturbed["requests"] + 1 + 3 + 1


def resuming(folder: Path) -> str:
    """Return the pattern of the command that resumes, as a shell takes it."""
    return re.escape(f"`skipscan resume {shlex.quote(f'{folder}/')}`")


def test_a_killed_listing_continues_from_every_request(orders_folder: Path) -> None:
    client = Client()
    for scans in range(0, 60, 4):
        kill_after(client, scans)
        try:
            listing(orders_folder, client).run()
        except BatchError:
            continue
        break
    client.on_scan = lambda: None
    replace(listing(orders_folder, client), finished="keep").run()
    assert is_whole(orders_folder)


def unreachable(requests: int) -> Any:
    """Return a table that cannot be reached for so many requests."""
    return faulty(Client(), {"scan": repeat("ExpiredTokenException", requests)})


def test_a_batch_that_fails_is_tried_again_later(orders_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    monkeypatch.setattr(into_folder, "RETRY_SECONDS", (1.0, 5.0))
    listing(orders_folder, unreachable(2)).run()
    assert is_whole(orders_folder)
    assert slept == [1.0, 5.0]
    with failed(BatchError, "Scan with ExpiredTokenException"):
        listing(orders_folder.with_name("unreachable"), unreachable(1000)).run()


def test_a_description_that_fails_for_a_moment_ends_no_listing(
    orders_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    client, looks = Client(), count()

    def describe_table(**asked: Any) -> Any:
        if next(looks) % 2 == 0:
            raise unavailable("DescribeTable")
        return client.engine.describe_table(**asked)

    monkeypatch.setattr(client, "describe_table", describe_table)
    assert listing(orders_folder, client).run()
    assert next(looks) >= 4, "at the beginning and at the end"
    assert is_whole(orders_folder)


def unavailable(operation: str) -> ClientError:
    answer: Any = {"Error": {"Code": "InternalServerError"}, "ResponseMetadata": {"HTTPStatusCode": 500}}
    return ClientError(answer, operation)


@pytest.mark.posix
@pytest.mark.usefixtures("signals_end")
@pytest.mark.parametrize(("name", "times"), [("SIGINT", 1), ("SIGTERM", 2), ("SIGHUP", 2)])
def test_what_ends_a_listing_keeps_what_was_found(orders_folder: Path, name: str, times: int) -> None:
    """A closed terminal sends its signal twice, and so may `timeout`."""
    client, number = Client(), getattr(signal, name)
    stopped = listing(orders_folder, client)
    pages, interrupts = count(1), count()

    def interrupt() -> None:
        if next(pages) < 5:
            return
        if next(interrupts) == 0:
            for _ in range(times):
                signal.raise_signal(number)
                sleep(0.02)  # Python would take two at once for one
        while not stopped.is_stopped:  # otherwise the rest could be listed before the signal arrives
            sleep(0.001)

    client.on_scan = interrupt
    before = signal.getsignal(number)
    with stopped.stoppable():
        assert stopped.run() is None
    assert signal.getsignal(number) is before
    assert sum(path.stat().st_size for path in (orders_folder / "keys").rglob("*.jsonl")) > 0
    listing(orders_folder, client).run()
    assert is_whole(orders_folder)


@pytest.mark.parametrize(
    ("take", "prefix"),
    [({"first": "all"}, None), ({"first": ["payload"], "last": ["placed"]}, None), ({"last": "all"}, "1")],
    ids=str,
)
def test_items_are_taken_into_the_folder_also_when_it_continues(
    orders_folder: Path, take: dict[str, Any], prefix: str | None
) -> None:
    client = Client(TableDefinition("Orders", KeySchema.of(("customer", "S"), ("placed", "S"))), kind="S")
    kill_after(client, 4)
    with pytest.raises(BatchError):
        listing(orders_folder, client, take=take, prefix=prefix).run()
    client.on_scan = lambda: None
    with refused(InputError, "folder", str(orders_folder), rule=f"has {'prefix' if prefix else 'take'} "):
        listing(orders_folder, client).run()
    manifest = listing(orders_folder, client, take=take, prefix=prefix).run()
    assert manifest
    assert is_whole(orders_folder)
    lines = [
        json.loads(line)
        for part in manifest["parts"]
        for line in (orders_folder / part["name"]).read_text().splitlines()
    ]
    for member, placed in {"first": "0", "last": "2"}.items():
        if member in take:
            assert {line[member]["placed"] for line in lines} == {prefix or placed}


def test_a_budget_stops_it_cleanly_and_a_larger_budget_continues_it(orders_folder: Path) -> None:
    way, held = resuming(orders_folder), {"max_read_units": 4}
    with refused(BudgetError, "the budget", OMITTED, "max_read_units", rule="max_read_units 4; ", way=way, **held):
        listing(orders_folder, max_read_units=4).run()
    unfinished = json.loads((orders_folder / "unfinished.json").read_text())
    assert 0 < unfinished["read_units"] <= 4.5
    with pytest.raises(BudgetError):
        listing(orders_folder, max_read_units=4).run()
    again = json.loads((orders_folder / "unfinished.json").read_text())
    assert again["read_units"] == unfinished["read_units"]
    listing(orders_folder, max_read_units=400).run()
    assert is_whole(orders_folder)


def test_lost_attempts_count_against_the_budget(orders_folder: Path) -> None:
    client = Client()
    for scans in range(1, 40):
        kill_after(client, scans)
        try:
            listing(orders_folder, client, max_read_units=6).run()
        except (BatchError, BudgetError):
            continue
    assert 0.5 * client.scans <= 6 + 0.5 * 40  # what was refused read nothing
    unfinished = json.loads((orders_folder / "unfinished.json").read_text())
    assert unfinished["read_units"] <= 6.5


def test_dollars_are_those_of_units_alone(orders_folder: Path) -> None:
    provisioned = Client()
    describe = provisioned.describe_table

    def described(**asked: Any) -> Any:
        answer = describe(**asked)
        answer["Table"] |= {"BillingModeSummary": {}, "ProvisionedThroughput": {"ReadCapacityUnits": 40}}
        return answer

    provisioned.describe_table = described  # type: ignore[method-assign]
    with refused(InputError, "max_dollars", 1, "max_dollars max_read_units", rule="capacity is provisioned"):
        listing(orders_folder, provisioned, max_dollars=1).run()
    assert not (orders_folder / "plan.json").exists()
    assert listing(orders_folder, max_dollars=0.0001).run()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"segments": 5}, "segments 4"),
        ({"consistent_read": True}, "consistent_read false"),
        ({"format": "dynamodb-jsonl"}, 'format "jsonl"'),
        ({"table": "Others"}, 'table "Orders"'),
        ({"strategy": "page"}, 'strategy "auto"'),
        ({"index": "by-status"}, "no index"),
    ],
)
def test_a_folder_continues_with_its_first_input(orders_folder: Path, asked: dict[str, Any], said: str) -> None:
    listing(orders_folder).run()
    (orders_folder / "manifest.json").unlink()
    command = resuming(orders_folder)
    with refused(InputError, "folder", str(orders_folder), rule=f"has {said}$", way=command, **asked):
        listing(orders_folder, **asked).run()


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


@pytest.mark.parametrize(
    ("arguments", "error", "held", "way"),
    [
        (("./nowhere",), NotFoundError, ("nowhere",), "skipscan keys TABLE --folder nowhere"),
        (("./orders", "--output", "x"), InputError, ("a folder",), "--output .*skipscan download ./orders"),
        (("./orders", "--without-recovery"), InputError, ("without_recovery", True, "without_recovery"), ""),
        (("./orders", "--max-write-units", "5"), InputError, ('"max_write_units"',), ".*"),
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
    invoke("keys", "Orders", "--finished", "keep").check_refused(
        InputError, "--finished", "keep", rule="folder", way="--folder"
    )


def test_resume_of_a_table_needs_an_environment(at_orders: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    invoke("resume", "Orders", "--region", "us-east-1").check_misused(click.UsageError, "--env")


def test_a_recreated_table_is_refused(orders_folder: Path) -> None:
    client = Client()
    kill_after(client, 8)
    with pytest.raises(BatchError):
        listing(orders_folder, client).run()
    anew = Client(TableDefinition("Orders", KeySchema.of(("customer", "S"), ("placed", "N"))))
    describe = anew.describe_table

    def described(**asked: Any) -> Any:
        answer = describe(**asked)
        answer["Table"]["TableId"] = "another"
        return answer

    anew.describe_table = described  # type: ignore[method-assign]
    name = json.loads((orders_folder / "plan.json").read_text())["name"]
    with refused(TableError, f'resume is "{name}"; that run', rule="table/Orders .*now another"):
        listing(orders_folder, anew).run()


def test_another_version_s_work_is_refused(orders_folder: Path) -> None:
    listing(orders_folder).run()
    plan = json.loads((orders_folder / "plan.json").read_text())
    (orders_folder / "plan.json").write_text(json.dumps({**plan, "form": 1}))
    with refused(StateError, "the plan of run", rule="has form 1, and this version of Skipscan reads form"):
        listing(orders_folder).run()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("notes.txt", "mine", "other files"),
        ("plan.json", "mine", "plan.json"),
        ("plan.json", "[]", "plan.json"),
    ],
)
def test_a_folder_of_something_else_is_refused(orders_folder: Path, name: str, text: str, said: str) -> None:
    orders_folder.mkdir()
    (orders_folder / name).write_text(text)
    with refused(InputError, "folder", str(orders_folder), rule=said):
        listing(orders_folder).run()
    assert (orders_folder / name).read_text() == text


def test_a_run_copied_from_s3_is_refused(orders_folder: Path) -> None:
    listing(orders_folder).run()
    plan = json.loads((orders_folder / "plan.json").read_text())
    del plan["asked"]
    (orders_folder / "plan.json").write_text(json.dumps(plan))
    with refused(InputError, "folder", str(orders_folder), rule="of a deployed environment"):
        listing(orders_folder).run()


def test_a_locked_folder_is_refused(orders_folder: Path) -> None:
    said = rf"process {os.getpid()}\b"
    with (
        locked(orders_folder, orders_folder / ".skipscan"),
        refused(DeniedError, str(orders_folder), rule=said, way="wait"),
    ):
        listing(orders_folder).run()
    listing(orders_folder).run()
    assert is_whole(orders_folder)


def test_a_folder_without_rights_is_refused(orders_folder: Path) -> None:
    refusal = OSError(errno.EACCES, "")
    with patch("os.mkdir", side_effect=refusal), refused(DeniedError, str(orders_folder), way="permissions"):
        listing(orders_folder).run()


def test_a_full_disk_ends_it_with_a_message_and_more_room_continues_it(orders_folder: Path) -> None:
    real, synced = os.fsync, count()

    def sync(file: int) -> None:
        if next(synced) > 40:
            raise OSError(errno.ENOSPC, "")
        real(file)

    with (
        patch("os.fsync", sync),
        refused(DeniedError, str(orders_folder), rule="full", way=f"room.*{resuming(orders_folder)}"),
    ):
        listing(orders_folder).run()
    assert any(path.stat().st_size for path in (orders_folder / "keys").rglob("*.jsonl"))
    listing(orders_folder).run()
    assert is_whole(orders_folder)


def test_a_report_reads_the_folder(orders_folder: Path) -> None:
    manifest = listing(orders_folder).run()
    record = read_work(LISTING, local(orders_folder))
    assert manifest
    assert (record.is_complete, record.counts.keys, record.services.transitions) == (True, len(CUSTOMERS), 0)
    assert local(orders_folder).attempt("keys/worker-0000/part-00000.jsonl")


@pytest.mark.parametrize("more", [(), ("--folder", "orders"), ("--folder", "orders", "--max-read-units", "0.5")])
def test_that_boto3_made_the_requests_is_reported_once_in_every_form(
    more: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dynamodb(*_: Any, notify: Any, **__: Any) -> Client:
        notify("it failed", False)
        notify("it failed", False)
        return Client()

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lean, "lean_dynamodb", dynamodb)
    done = invoke("keys", "Orders", "--region", "us-east-1", "--endpoint-url", "http://localhost:1", *more)
    assert done.status == (3 if "--max-read-units" in more else 0), done.stderr
    assert done.stderr.count("skipscan: boto3 made all requests: it failed\n") == 1


@pytest.mark.parametrize("more", [(), ("--folder", "orders"), ("--format", "csv", "--folder", "orders")])
def test_an_attribute_that_no_item_has_is_named_at_the_end(at_orders: Client, more: tuple[str, ...]) -> None:
    connection = ("--region", "us-east-1", "--endpoint-url", "http://localhost:1")
    done = invoke("keys", "Orders", "--last", "total,payload", *connection, *more)
    assert (done.status, "skipscan: no item had `total`: check the names" in done.stderr) == (0, True), done.stderr
    if more:
        assert "no item had `total`" in invoke("download", "./orders").stderr


def test_a_copy_of_an_environments_run_is_neither_continued_nor_resumed(orders_folder: Path) -> None:
    """Its plan has no input of a command."""
    with pytest.raises(BudgetError):
        listing(orders_folder, max_read_units=20).run()
    plan = orders_folder / "plan.json"
    document = json.loads(plan.read_text())
    del document["asked"]
    plan.write_text(json.dumps(document))
    for go_on in (lambda: into_folder.unfinished_in(orders_folder, {}), lambda: listing(orders_folder).run()):
        with refused(InputError, "folder", str(orders_folder), rule="a run of a deployed environment"):
            go_on()


@pytest.mark.parametrize("text", ["", "[]", "null", "cut", "without keys"])
def test_a_damaged_manifest_is_refused_and_left_as_it_is(orders_folder: Path, text: str) -> None:
    listing(orders_folder).run()
    manifest = orders_folder / "manifest.json"
    whole = manifest.read_text()
    damaged = {"cut": whole[:100], "without keys": whole.replace('"keys"', '"kept"')}.get(text, text)
    manifest.write_text(damaged)
    for go_on in (lambda: into_folder.unfinished_in(orders_folder, {}), lambda: listing(orders_folder).run()):
        with refused(InputError, "folder", str(orders_folder), rule=r"manifest\.json is not the manifest"):
            go_on()
    assert manifest.read_text() == damaged


@pytest.mark.parametrize("changes", [None, {"plan": {}}, {"asked": "x"}])
def test_a_damaged_plan_is_refused_and_left_as_it_is(orders_folder: Path, changes: dict[str, Any] | None) -> None:
    listing(orders_folder).run()
    (orders_folder / "manifest.json").unlink()
    plan = orders_folder / "plan.json"
    damaged = "null" if changes is None else json.dumps({**json.loads(plan.read_text()), **changes})
    plan.write_text(damaged)
    for go_on in (lambda: into_folder.unfinished_in(orders_folder, {}), lambda: listing(orders_folder).run()):
        with (
            pytest.raises(StateError, match=r"the plan of run .* cannot be read .*: plan\.source is missing")
            if changes == {"plan": {}}
            else refused(InputError, "folder", str(orders_folder), rule=r"plan\.json is not the plan")
        ):
            go_on()
    assert plan.read_text() == damaged


def test_a_name_that_the_disk_does_not_take_is_refused_in_words(orders_folder: Path) -> None:
    folder = orders_folder / ("x" * 300)
    with refused(DeniedError, str(folder), rule=os.strerror(errno.ENAMETOOLONG), way="disk"):
        listing(folder).run()
