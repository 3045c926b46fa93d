"""A run's record is read completely, from a bucket or a copy, and missing objects are reported."""

import os
import shutil
from math import ceil
from pathlib import Path

import pytest

from skipscan.errors import InputError
from skipscan.listing.kind import LISTING
from skipscan.report.listing import listing as report_of_listing
from skipscan.report.record import read_work
from skipscan.report.ways import ways
from tests.refusal import refused
from tests.unit.handlers.conftest import dynamodb, listing, s3
from tests.unit.report.local import local
from tests.unit.report.made_up_run import skewed_table

pytestmark = [pytest.mark.xdist_group("report"), pytest.mark.slow]

__all__ = ["dynamodb", "listing", "s3"]


def test_an_attempt_that_did_not_count_is_left_out(throttled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(throttled, folder)
    orphan = next((folder / "checkpoints/worker-0000").iterdir())
    orphan.with_name("batch-00099-0123456789abcdef.json").write_text(orphan.read_text())
    assert read_work(LISTING, local(folder)).digest == read_work(LISTING, local(throttled)).digest


@pytest.mark.parametrize("content", ["", "[]", "{}", '"plan"', '{"run": 1}', "\ud800"])
def test_what_no_run_has_left_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes(content.encode("utf-8", "surrogatepass"))
    with refused(InputError, "the folder", way="folder"):
        read_work(LISTING, local(tmp_path))


def test_without_checkpoints_the_report_has_the_manifest_s_figures(throttled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(throttled, folder, ignore=shutil.ignore_patterns("checkpoints"))
    record = read_work(LISTING, local(folder))
    assert record.digest.batches == 0
    assert record.batches_committed > 0
    assert record.counts.keys == 8_000


def test_a_run_without_an_ending_is_counted_by_its_last_checkpoints(throttled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(throttled, folder, ignore=shutil.ignore_patterns("manifest.json"))
    record = read_work(LISTING, local(folder))
    assert not record.is_complete
    assert record.counts == read_work(LISTING, local(throttled)).counts


def test_a_folder_that_holds_no_run_is_refused(tmp_path: Path) -> None:
    with refused(InputError, "the folder", f"{tmp_path}{os.sep}", rule=r"plan\.json", way="s3://bucket/skipscan/"):
        read_work(LISTING, local(tmp_path))


def test_what_is_estimated_is_near_what_it_would_have_been(throttled: Path) -> None:
    table = skewed_table(8_000)
    record = read_work(LISTING, local(throttled))
    [ours, first_item, full] = ways(record, {})
    assert ours.is_measured
    assert not first_item.is_measured
    assert first_item.requests.estimate == 8_000 + 64
    assert first_item.read_units.estimate == pytest.approx(table.first_steps() / 2 + 32, rel=0.02)
    assert full.read_units.estimate == pytest.approx(table.full_scan(64)[0], rel=0.02)


def test_other_ways_are_billed_with_batches_of_as_many_requests(throttled: Path) -> None:
    """The batches of this run are bounded to half a second; without that, Limit=1 would look cheaper than Skipscan."""
    record = read_work(LISTING, local(throttled))
    transition = record.run.plan.prices.transitions.of(1)
    [ours, first_item, full] = ways(record, {"full scan": (9_784.0, 113)})
    batches = [way.requests.estimate / record.counts.requests * record.batches_committed for way in (first_item, full)]
    for way, least in zip((first_item, full), batches, strict=True):
        other = max(ceil(least), record.run.plan.workers) - record.batches_committed
        assert way.bill.step_functions - ours.bill.step_functions == pytest.approx(2 * other * transition)
    assert first_item.bill.total > ours.bill.total


def test_a_sample_of_workers_keeps_the_totals_and_says_so(throttled: Path) -> None:
    record, sampled = (read_work(LISTING, local(throttled), most) for most in (1_000, 4))
    assert sampled.is_sampled
    assert sampled.workers_seen < sampled.workers_committed == 4
    assert sampled.counts == record.counts
    assert sampled.timeline.totals("requests")[-1] == pytest.approx(record.counts.requests)
    assert sampled.timeline.totals("keys")[-1] == pytest.approx(8_000, rel=0.2)
    drawn, whole = report_of_listing(sampled).progress, report_of_listing(record).progress
    assert drawn is not None
    assert whole is not None
    assert [any("evenly chosen" in note for note in each.notes) for each in (drawn, whole)] == [True, False]
