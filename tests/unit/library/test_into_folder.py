"""A listing into a folder: the same parts and manifest as on S3, and the same command continues it."""

import errno
import json
import os
import re
import shlex
import shutil
import signal
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import count, repeat
from pathlib import Path
from time import sleep
from typing import Any
from unittest.mock import patch

import pytest

from skipscan.cli.into_folder import stoppable
from skipscan.errors import (
    BatchError,
    BudgetError,
    DeniedError,
    InputError,
    StateError,
    TableError,
)
from skipscan.library import into_folder
from skipscan.library.folder_run import unfinished_in
from tests.fakes.faulty import faulty
from tests.refusal import refused
from tests.unit.folder.local_listing import CUSTOMERS, ORDERS, Client, listing

pytestmark = pytest.mark.usefixtures("quick_folder")


def keys(folder: Path) -> Counter[str]:
    """Return the keys of all parts that the manifest names."""
    manifest = json.loads((folder / "manifest.json").read_text())
    lines = [line for part in manifest["parts"] for line in (folder / part["name"]).read_text().splitlines()]
    return Counter(json.loads(line)["customer"] for line in lines)


def is_whole(folder: Path) -> bool:
    return keys(folder) == Counter(CUSTOMERS)


def test_a_finished_folder_is_listed_again(orders_folder: Path) -> None:
    first = listing(orders_folder).run()
    copy = orders_folder / "mine"
    shutil.copytree(orders_folder / "checkpoints", copy / "checkpoints")
    (copy / "manifest.json").write_text("mine")
    with refused(InputError, "finished", "keeep", rule="refuse or keep or again"):
        replace(listing(orders_folder), finished="keeep").run()
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


class KilledError(Exception):
    """The process ends in the middle of a page."""


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


def resuming(folder: Path) -> str:
    """Return the pattern of the command that resumes, as a shell takes it."""
    return re.escape(f"`skipscan resume {shlex.quote(f'{folder}/')}`")


def unreachable(requests: int) -> Any:
    """Return a table that cannot be reached for so many requests."""
    return faulty(Client(), {"scan": repeat("ExpiredTokenException", requests)})


def test_a_failed_batch_is_repeated_but_not_one_that_is_denied(
    orders_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(into_folder, "RETRY_SECONDS", (0.0,))
    denied: Any = faulty(Client(), {"scan": ["AccessDeniedException"]})
    with pytest.raises(DeniedError):
        listing(orders_folder, denied).run()
    client, pages = Client(), count()

    def fail_once() -> None:
        if next(pages) == 3:
            raise KilledError

    client.on_scan = fail_once
    listing(orders_folder, client).run()
    assert is_whole(orders_folder)


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
    with stoppable(stopped):
        assert stopped.run() is None
    assert signal.getsignal(number) is before
    assert sum(path.stat().st_size for path in (orders_folder / "keys").rglob("*.jsonl")) > 0
    listing(orders_folder, client).run()
    assert is_whole(orders_folder)


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


def test_a_process_that_ended_before_its_plan_leaves_a_folder_that_can_be_used(orders_folder: Path) -> None:
    given: dict[str, Any] = {"only": CUSTOMERS[3].encode(), "segments": None}
    with patch.object(into_folder, "costly_queries", side_effect=KilledError), suppress(KilledError):
        listing(orders_folder, **given).run()
    assert [path.suffix for path in (orders_folder / "only").iterdir()] == [".jsonl"]
    listing(orders_folder, **given).run()
    assert keys(orders_folder) == Counter(CUSTOMERS[3:4])


def test_a_recreated_table_is_refused(orders_folder: Path) -> None:
    with pytest.raises(BatchError):
        listing(orders_folder, unreachable(1)).run()
    anew = Client()
    anew.engine.add(replace(ORDERS, id="another"))
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


def test_a_copy_of_an_environments_run_is_neither_continued_nor_resumed(orders_folder: Path) -> None:
    """Its plan has no input of a command."""
    with pytest.raises(BudgetError):
        listing(orders_folder, max_read_units=20).run()
    plan = orders_folder / "plan.json"
    document = json.loads(plan.read_text())
    del document["asked"]
    plan.write_text(json.dumps(document))
    for go_on in (lambda: unfinished_in(orders_folder, {}), lambda: listing(orders_folder).run()):
        with refused(InputError, "folder", str(orders_folder), rule="a run of a deployed environment"):
            go_on()


PLAN, MANIFEST = r"plan\.json is not the plan", r"manifest\.json is not the manifest"


@pytest.mark.parametrize(
    ("name", "change", "rule"),
    [*(("manifest", change, MANIFEST) for change in ("", "[]", "null", '"keys"')), ("plan", "null", PLAN)],
)
def test_a_damaged_document_is_refused_and_left_as_it_is(
    orders_folder: Path, name: str, change: str, rule: str
) -> None:
    """`change`: what the document is then, or the member that it lacks."""
    listing(orders_folder).run()
    document = orders_folder / f"{name}.json"
    damaged = document.read_text().replace(change, '"kept"') if '"' in change else change
    document.write_text(damaged)
    if name == "plan":
        (orders_folder / "manifest.json").unlink()
    for go_on in (lambda: unfinished_in(orders_folder, {}), lambda: listing(orders_folder).run()):
        with refused(InputError, "folder", str(orders_folder), rule=rule):
            go_on()
    assert document.read_text() == damaged


def test_a_plan_that_lacks_a_member_is_named_by_it(orders_folder: Path) -> None:
    listing(orders_folder).run()
    (orders_folder / "manifest.json").unlink()
    plan = orders_folder / "plan.json"
    document = json.loads(plan.read_text())
    plan.write_text(json.dumps({**document, "plan": {}}))
    with pytest.raises(StateError, match=r"the plan of run .* cannot be read .*: plan\.source is missing"):
        unfinished_in(orders_folder, {})
    plan.write_text(json.dumps({**document, "asked": "x"}))
    with refused(InputError, "folder", str(orders_folder), rule=PLAN):
        unfinished_in(orders_folder, {})
