"""What `report`, `download` and `diff` make of the results of runs."""

import json
import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from skipscan.errors import InputError, NotFoundError
from skipscan.library.deployed import Deployed
from skipscan.loop.work import FORM
from tests.fakes.handlers.execution import BUCKET
from tests.refusal import check_refusal
from tests.unit.cli.acts import Acts, document
from tests.unit.cli.place import CUSTOMERS, Place
from tests.unit.cli.test_job import acts, job_machines  # noqa: F401  (fixtures)
from tests.unit.handlers.conftest import acting  # noqa: F401  (a fixture)

pytestmark = pytest.mark.slow


def test_a_manifest_without_a_later_version_s_counts_is_read(place: Place, tmp_path: Path) -> None:
    """What a version did not count is 0: also in the runs before, which a report shows."""
    for run in (place.finished(), place.finished()):
        name = f"skipscan/Orders/runs/{run}/manifest.json"
        manifest = json.loads(place.listing.read(name))
        dollars = {name: manifest["dollars"].pop(name) for name in ("total", "region", "prices", "estimated")}
        left_out = {"items", "requests", "read_units", "throttles", "lookups", "ended", "skips_ignored"}
        kept = {name: value for name, value in manifest.items() if name not in left_out} | {"dollars": dollars}
        place.listing.s3.put_object(Bucket=BUCKET, Key=name, Body=json.dumps(kept).encode())
    page = tmp_path / "page.html"
    assert place.skipscan("report", "Orders", "--output", str(page)).status == 0
    assert "as many as in the run before" in page.read_text()
    for command in ("report", "status"):
        printed = json.loads(place.skipscan(command, "Orders", "--json").stdout)
        assert (printed["keys"], printed["read_units"], printed["throttles"]) == (12, 0, 0)
    assert place.skipscan("diff", "Orders").status == place.skipscan("runs", "Orders").status == 0


@pytest.mark.parametrize("named", [True, False])
def test_results_are_read_after_an_upgrade_that_reads_no_earlier_plan(place: Place, named: bool) -> None:
    runs = [place.finished(), place.finished()]
    place.put("later")
    runs.append(place.finished("--compare", "previous"))
    for run in runs:
        name = f"skipscan/Orders/runs/{run}/plan.json"
        plan = json.loads(place.listing.read(name)) | {"form": FORM - 1, "plan": {"of": "another shape"}}
        place.listing.s3.put_object(Bucket=BUCKET, Key=name, Body=json.dumps(plan).encode())
    assert {*place.skipscan("download", "Orders", *runs[-1:] * named).stdout.split()} == {*CUSTOMERS, "later"}
    assert place.skipscan("diff", "Orders", *runs[1:] * named).stdout == "+ later\n"
    compared = place.finished("--compare", runs[0] if named else "previous")
    plan = json.loads(place.listing.read(f"skipscan/Orders/runs/{compared}/plan.json"))
    assert plan["compare"]["run"] == (runs[0] if named else runs[2])


def test_runs_of_items_are_not_compared_named_or_not(place: Place) -> None:
    runs = [place.finished("--items", "total", "--most", most) for most in ("1", "1", "5")]
    for named in ([], runs[1:], runs[:2]):
        done = place.skipscan("diff", "Orders", *named)
        done.check_refused(
            NotFoundError, f"run {named[0] if named else runs[-1]}", rule="line for each item", way="two"
        )


def test_output_is_written_when_the_run_is_done(place: Place, tmp_path: Path) -> None:
    place.meanwhile(lambda: place.complete("r"))
    output = tmp_path / "keys.txt"
    done = place.skipscan("run", "Orders", "--name", "r", "--output", str(output))
    assert (done.status, done.stdout) == (0, "r\n")
    assert sorted(output.read_text().split()) == CUSTOMERS
    assert done.stderr.endswith(f"skipscan: 12 keys in {output}\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_leaves_a_way_to_the_keys(place: Place) -> None:
    place.meanwhile(lambda: place.complete("r"))
    done = place.skipscan("run", "Orders", "--name", "r", "--output", "/dev/full")
    assert done.status == 1
    assert "/dev/full: No space left on device" in done.stderr
    assert "skipscan download Orders r --env dev --output FILE" in done.stderr


def test_diff_reports_new_and_vanished_keys(place: Place, tmp_path: Path) -> None:
    old = place.finished("--segments", "3")
    place.put("new1", "new2")
    place.remove("c5")
    new = place.finished("--segments", "7", "--format", "dynamodb-jsonl")
    done = place.skipscan("diff", "Orders")
    assert (done.status, done.stdout) == (0, "- c5\n+ new1\n+ new2\n")
    assert done.stderr == f"skipscan: 2 new and 1 vanished keys between {old} and {new}\n"

    place.skipscan("diff", "Orders", new).check_refused(InputError, "OLD", new, rule="newest", way="older")

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


# The command that keeps the newest items of each collection: it lists the others, and deletes what it listed.


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
    assert "writes 12 deletes, one for each item" in lines
    assert "write units 24; for each write 2 to the table" in lines
    assert "run t listed 12 items beyond the newest 2 of each collection" in done.stderr
    assert "items to delete by collection: 1 in 12 collections" in done.stderr
    command = "skipscan act Orders t --env dev --delete-listed '{\"max_deletes\": 100}'"
    bounds = "--max-write-units-per-second 5.0 --without-recovery"
    said = f"nothing was written. To delete exactly these: {command} {bounds} --name trim-t --for-real --follow"
    assert sorted(done.stderr.splitlines()[-1].split()) == sorted(f"skipscan: preview only, {said}".split())
    assert set(left(place).values()) == {3}


def test_more_items_than_it_may_delete_end_it_before_the_act(place: Place, acts: Acts) -> None:  # noqa: F811
    place.meanwhile(lambda: place.complete("t"))
    done = place.skipscan(*TRIM, "--max-deletes", "3", "--for-real")
    way = """look at them, then skipscan act Orders t .*'{"max_deletes": 12}'"""
    check_refusal(done.error, InputError, "--max-deletes", 3, rule="listed 12 items, and none is deleted", way=way)
    assert set(left(place).values()) == {3}


def test_a_refused_run_ends_it_with_the_refusal(place: Place, acts: Acts) -> None:  # noqa: F811
    place.meanwhile(lambda: place.end("t", "TableError", "the table is gone"))
    done = place.skipscan(*TRIM, "--for-real")
    assert (done.status, "TableError: the table is gone" in done.stderr) == (3, True), done.stderr


def test_for_real_it_keeps_the_newest_items_of_each_collection(place: Place, acts: Acts) -> None:  # noqa: F811
    place.meanwhile(lambda: place.complete("t"), lambda: acts.complete("trim-t"))
    done = place.skipscan(*TRIM, "--for-real", "--follow", "--json")
    assert done.status == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["deleted"] == 12
    assert {item["order"]["N"] for item in place.dynamodb.table("Orders").items()} == {"1", "2"}
    assert set(left(place).values()) == {2}


def test_of_given_keys_it_deletes_alone(place: Place, acts: Acts, tmp_path: Path) -> None:  # noqa: F811
    first, *others = sorted(left(place))
    (tmp_path / "some.txt").write_text(f"{first}\nnobody\n")
    place.meanwhile(lambda: place.complete("t"), lambda: acts.complete("trim-t"))
    done = place.skipscan(*TRIM, "--only", str(tmp_path / "some.txt"), "--for-real", "--follow", "--json")
    assert done.status == 0, done.stderr
    uploaded = f"only/{place.document('t')['only']}"
    assert uploaded.startswith("only/uploads/")
    tags = place.listing.s3.get_object_tagging(Bucket=BUCKET, Key=uploaded)["TagSet"]
    assert tags == [{"Key": "skipscan", "Value": "checkpoint"}]  # it expires
    assert left(place) == {first: 2, **dict.fromkeys(others, 3)}


def test_nothing_is_listed_where_nothing_could_be_deleted(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = place.skipscan(*TRIM)
    refused.check_refused(NotFoundError, "env", "dev", rule="does not enable act")
    monkeypatch.setattr(Deployed, "machine", lambda *_: pytest.fail("asked AWS"))
    refused = place.skipscan(*TRIM, "--prefix", "a", "--since", "b")
    refused.check_refused(InputError, "prefix", "a", "prefix since", rule="one range", since="b")
    place.skipscan(*TRIM, "--follow").check_refused(InputError, "a preview", way="--for-real")
    place.skipscan(*TRIM, "--name", "x" * 70).check_refused(InputError, "name", "x" * 70, way="67")
    assert place.running() == []
