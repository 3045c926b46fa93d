"""The report of the demo compares the run with its estimate."""

from datetime import UTC, datetime
from pathlib import Path

from local.demo import beside
from skipscan.listing.kind import LISTING
from skipscan.report.listing import listing
from skipscan.report.page import html_page
from skipscan.report.record import read_work
from tests.unit.report.local import local
from tests.unit.report.made_up_run import made_up_run, skewed_table

NOW = datetime(2026, 11, 2, 4, 0, tzinfo=UTC)
INTERVAL = {"estimate": 310.0, "low": 200.0, "high": 450.0}
PLAN = {
    "choice": {"expected": {"keys": INTERVAL, "requests": INTERVAL, "read_units": INTERVAL, "minutes": 0.1}},
    "strategies": [],
}


def test_a_run_too_small_for_a_sample_is_compared_with_what_plan_estimated(tmp_path: Path) -> None:
    made_up_run(tmp_path, skewed_table(300), with_sample=False, batch_seconds=0.2, workers=1, segments=8)
    run = read_work(LISTING, local(tmp_path))
    assert "Was the estimate right?" not in html_page(listing(run), NOW)
    drawn = html_page(listing(beside(run, PLAN)), NOW)
    assert "Was the estimate right?" in drawn
    assert "estimate 310" in drawn
