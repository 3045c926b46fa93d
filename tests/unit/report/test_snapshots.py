"""Whole pages, as files: `pytest --snapshot-update` writes them again, in a commit that says why they changed."""

import re

from syrupy.assertion import SnapshotAssertion

from skipscan import __version__
from skipscan.profile.circumstances import ExpirySetting
from skipscan.profile.page import profile_page
from tests.unit.profile.tables import FOUR, index, read
from tests.unit.report.test_cards import CARDS
from tests.unit.report.test_work import ENDED, drawn_of, of


def lines(html: str) -> str:
    """Return a page with a line for each element, without its style sheet, which is a file already."""
    bare = re.sub(r"<style>.*?</style>|sha256-[\w+/=]+|" + re.escape(f"Skipscan {__version__}"), "…", html, flags=re.S)
    return re.sub(r"(?<=>)(?=<[a-z])", "\n", bare)


def test_every_card(snapshot: SnapshotAssertion) -> None:
    assert lines("".join(CARDS.values())) == snapshot


def test_the_page_of_a_job(snapshot: SnapshotAssertion) -> None:
    assert lines(job_page("copy")) == snapshot


def test_the_page_of_a_profile(snapshot: SnapshotAssertion) -> None:
    assert lines(page_of_a_profile()) == snapshot


def job_page(kind: str) -> str:
    return drawn_of(kind, of(kind, **ENDED))


def page_of_a_profile() -> str:
    profile, _ = read(FOUR, expiry=ExpirySetting("t", "ENABLED"), GlobalSecondaryIndexes=[index("one"), index("two")])
    return profile_page(profile)
