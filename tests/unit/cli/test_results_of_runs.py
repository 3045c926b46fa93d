"""What `report`, `download` and `diff` make of the results of runs."""

import json
import os
from pathlib import Path

import pytest

from skipscan.errors import NotFoundError
from skipscan.loop.work import FORM
from tests.fakes.handlers.execution import BUCKET
from tests.unit.cli.place import CUSTOMERS, Place

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
