"""The command that keeps the newest items of each collection: it lists the others, and deletes what it listed."""

import json
from collections import Counter
from collections.abc import Mapping

import pytest

from skipscan.errors import InputError, NotFoundError
from skipscan.library.deployed import Deployed
from tests.unit.cli.acts import Acts, document
from tests.unit.cli.place import Place
from tests.unit.cli.test_job import acts, job_machines  # noqa: F401  (fixtures)
from tests.unit.handlers.conftest import acting  # noqa: F401  (a fixture)

pytestmark = pytest.mark.slow

TRIM = ("trim", "Orders", "--keep-last", "2", "--name", "t", "--max-deletes", "100", "--without-recovery")


def left(place: Place) -> Counter[str]:
    return Counter(item["customer"]["S"] for item in place.dynamodb.table("Orders").items())


def test_it_lists_what_it_would_delete_and_says_how_to_delete_exactly_that(
    place: Place,
    job_machines: Mapping[str, str],  # noqa: F811
    acts: Acts,  # noqa: F811
) -> None:
    def preview() -> None:
        place.succeed("trim-t-preview", acts.planned("trim-t-preview")["explanation"])

    place.meanwhile(lambda: place.complete("t"), preview)
    done = place.skipscan(*TRIM, "--since", "0", "--max-write-units-per-second", "5")
    assert done.status == 0, done.stderr
    taken = {"items": "all", "beyond": 2, "order": "descending"}
    assert place.document("t") == {"table": "Orders", "since": "0", "format": "dynamodb-jsonl", "take": taken}
    asked = {"table": "Orders", "run": "t", "delete_listed": {"max_deletes": 100}, "dry_run": True}
    given = {"without_recovery": True, "max_write_units_per_second": 5.0}
    assert document(job_machines["ActStateMachineArn"]) == {**asked, **given}
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "writes 12 deletes, one for each key" in lines
    assert "write units 24; for each write 2 to the table" in lines
    assert "run t listed 12 items beyond the newest 2 of each collection" in done.stderr
    assert "items to delete by collection: 1 in 12 collections" in done.stderr
    command = "skipscan act Orders t --env dev --delete-listed '{\"max_deletes\": 100}'"
    bounds = "--max-write-units-per-second 5.0 --without-recovery"
    said = f"nothing was written. To delete exactly these: {command} {bounds} --name trim-t --for-real --follow"
    assert sorted(done.stderr.splitlines()[-1].split()) == sorted(f"skipscan: preview only, {said}".split())
    assert set(left(place).values()) == {3}


def test_for_real_it_keeps_the_newest_items_of_each_collection(place: Place, acts: Acts) -> None:  # noqa: F811
    place.meanwhile(lambda: place.complete("t"), lambda: acts.complete("trim-t"))
    done = place.skipscan(*TRIM, "--for-real", "--follow", "--json")
    assert done.status == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["deleted"] == 12
    assert {item["order"]["N"] for item in place.dynamodb.table("Orders").items()} == {"1", "2"}
    assert set(left(place).values()) == {2}


def test_nothing_is_listed_where_nothing_could_be_deleted(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = place.skipscan(*TRIM)
    refused.check_refused(NotFoundError, "env", "dev", rule="does not enable act")
    monkeypatch.setattr(Deployed, "machine", lambda *_: pytest.fail("asked AWS"))
    refused = place.skipscan(*TRIM, "--prefix", "a", "--since", "b")
    refused.check_refused(InputError, "prefix", "a", "prefix since", rule="one range", since="b")
    place.skipscan(*TRIM, "--follow").check_refused(InputError, "a preview", way="--for-real")
    place.skipscan(*TRIM, "--name", "x" * 70).check_refused(InputError, "name", "x" * 70, way="67")
    assert place.running() == []
