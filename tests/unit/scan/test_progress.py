"""A worker's place goes through state unchanged, and says what is left."""

import json
from dataclasses import replace

import pytest

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


def test_begins_with_nothing_but_the_policy_of_its_plan() -> None:
    assert ScanProgress.start(PLAN, 2) == ScanProgress(2, limit=LimitPolicy.of(PLAN))
    assert ScanProgress.start(replace(PLAN, consistent_read=True), 2).limit.step_units == 1.0


@pytest.mark.parametrize(
    ("worker", "opened", "cursors", "left"),
    [(0, 0, 0, 3), (1, 0, 0, 2), (2, 0, 0, 2), (0, 3, 0, 0), (0, 3, 2, 2), (1, 1, 1, 2), (1, 2, 0, 0)],
)
def test_what_is_left_are_open_segments_and_those_not_begun(worker: int, opened: int, cursors: int, left: int) -> None:
    progress = ScanProgress(worker, opened=opened, cursors=tuple(Cursor(n) for n in range(cursors)))
    assert progress.left(PLAN) == left
    assert progress.done(PLAN) is (left == 0)


@pytest.mark.parametrize(("read_units", "done"), [(1.5, False), (2.0, True), (2.5, True)])
def test_is_done_as_well_when_its_share_of_the_budget_is_used_up(read_units: float, done: bool) -> None:
    plan = replace(PLAN, max_read_units=6.0)
    assert ScanProgress(0, counts=ScanCounts(read_units=read_units)).done(plan) is done


def test_reports_when_it_is_done_and_not_before() -> None:
    assert "report" not in progress_to_json(PROGRESS, PLAN)
    document = progress_to_json(replace(PROGRESS, cursors=()), PLAN)
    assert (document["done"], document["cursors"]) == (True, [])
    assert document["report"] == {"worker": 1, "parts": 3, **vars(COUNTS)}


def test_segments_under_way_are_those_begun_and_not_finished() -> None:
    assert (PROGRESS.under_way, ScanProgress(0).under_way) == (1, 0)
