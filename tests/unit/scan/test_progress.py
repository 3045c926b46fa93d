"""A worker's place goes through state unchanged, and says what is left."""

import json
from dataclasses import replace

from skipscan.listing.kind import LISTING
from skipscan.loop.kind import progress_to_json
from skipscan.loop.work import FORM
from skipscan.scan.cursor import Cursor
from skipscan.scan.limit import LimitPolicy
from skipscan.scan.progress import ScanCounts, ScanProgress
from tests.fakes.small_table import reading

PLAN = reading(segments=7, workers=3)
COUNTS = ScanCounts(keys=5, items=9, requests=4, read_units=2.5, skips_ignored=1, throttles=2)
POLICY = LimitPolicy.of(PLAN)
POLICY.observe(9, [0, 3], 1.5)
START_KEY = {attribute.name: {attribute.type: "7"} for attribute in PLAN.source.key}
PROGRESS = ScanProgress(
    1, batch=3, opened=2, cursors=(Cursor(4, START_KEY, reported=True),), counts=COUNTS, limit=POLICY
)


def test_comes_back_as_it_went() -> None:
    document = json.loads(json.dumps(progress_to_json(PROGRESS, PLAN)))
    assert LISTING.progress(document, PLAN) == PROGRESS
    assert list(document) == ["form", "worker", "batch", "opened", "cursors", "limit", "counts", "spending", "done"]
    assert document["form"] == FORM


def test_reports_when_it_is_done_and_not_before() -> None:
    assert "report" not in progress_to_json(PROGRESS, PLAN)
    document = progress_to_json(replace(PROGRESS, cursors=()), PLAN)
    assert (document["done"], document["cursors"]) == (True, [])
    assert document["report"] == {"worker": 1, "parts": 3, **vars(COUNTS)}
