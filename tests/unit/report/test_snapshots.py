"""Whole pages, as files: `pytest --snapshot-update` writes them again, in a commit that says why they changed."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from skipscan import __version__
from skipscan.profile.circumstances import ExpirySetting
from skipscan.profile.page import profile_page
from skipscan.report.over_time import ExpectedFigure, estimates, throttling_card
from skipscan.report.page import Report, html_page
from skipscan.report.segment_spread import length_spread
from skipscan.report.spread import lengths, segments, trend
from skipscan.scan.progress import ScanCounts
from tests.unit.profile.tables import FOUR, index, read
from tests.unit.report.test_report import CHART, LINE, NOW, REPORT
from tests.unit.report.test_spread import ARE, RUNS, SPREAD, WORKERS
from tests.unit.report.test_work import JOBS, STARTED, drawn_of, of

EVERY_CARD = replace(
    REPORT,
    cards=[
        CHART,
        trend(RUNS, "keys"),
        WORKERS,
        segments(SPREAD, 3, ARE),
        lengths(length_spread({1: 6, 2: 2}, {4: 2})),
        estimates([ExpectedFigure("keys", 50, 40, 160, 100), ExpectedFigure("dollars", 0.5, None, None, 0.6)]),
        throttling_card(ScanCounts(requests=96, throttles=4), LINE),
    ],
)
ENDED: Any = {"finished": (STARTED + timedelta(seconds=80)).isoformat(), "seconds": 80.0}
NOT_FINISHED = replace(REPORT, is_complete=False, status="Stopped", links=(), saving=None, files=None)


def lines(html: str) -> str:
    """Return a page with a line for each element, without its style sheet, which is a file already."""
    bare = re.sub(r"<style>.*?</style>|sha256-[\w+/=]+|" + re.escape(f"Skipscan {__version__}"), "…", html, flags=re.S)
    return re.sub(r"(?<=>)(?=<[a-z])", "\n", bare)


@pytest.mark.parametrize("report", [EVERY_CARD, NOT_FINISHED], ids=["every card", "not finished"])
def test_the_page_of_a_run(report: Report, snapshot: SnapshotAssertion) -> None:
    assert lines(html_page(report, NOW)) == snapshot


@pytest.mark.parametrize("kind", JOBS)
def test_the_page_of_a_job(kind: str, snapshot: SnapshotAssertion) -> None:
    assert lines(job_page(kind)) == snapshot


def test_the_page_of_a_profile(snapshot: SnapshotAssertion) -> None:
    assert lines(page_of_a_profile()) == snapshot


def job_page(kind: str) -> str:
    return html_page(drawn_of(kind, of(kind, **ENDED)), NOW)


def page_of_a_profile() -> str:
    profile, _ = read(FOUR, expiry=ExpirySetting("t", "ENABLED"), GlobalSecondaryIndexes=[index("one"), index("two")])
    return profile_page(profile)
