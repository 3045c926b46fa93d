"""Batches add up to what was in them, however many there are, in memory that does not grow with their number."""

from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.report.digest import MOST_BARS, MOST_SPANS, Digesting, Worker
from skipscan.report.listing import listing
from skipscan.report.segment_spread import EXACT, SegmentGathering, length_spread
from skipscan.report.timeline import Gathering
from tests.unit.report.made_up_run import read_run

pytestmark = pytest.mark.slow

STARTED = datetime(2026, 11, 2, 3, 0, tzinfo=UTC)


def test_a_segment_that_two_batches_walked_is_one() -> None:
    gathering = SegmentGathering()
    gathering.add(0, [[7, 3, 2, 1.5, 0.0, 0.2, False]], [0, 0, 0, 0.0])
    gathering.add(0, [[7, 4, 1, 0.5, 0.3, 0.4, True]], [10, 20, 9, 5.0])
    spread = gathering.spread(MOST_BARS)
    assert spread is not None
    [walked] = spread.named
    assert (walked.done, walked.requests, walked.units, walked.ended) == (7, 3, 2.0, True)
    assert (spread.segments, len(spread.bars)) == (11, 11)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 50), st.floats(0, 1e4)), min_size=1, max_size=30),
    st.lists(st.tuples(st.integers(1, 20), st.integers(0, 50), st.floats(0, 1e4)), max_size=3),
    st.integers(1, 12),
)
def test_bars_hold_all_segments_with_what_they_took_the_most_expensive_first(
    visits: list[tuple[int, int, float]], others: list[tuple[int, int, float]], most: int
) -> None:
    gathering = SegmentGathering()
    for segment, done, units in visits:
        gathering.add(0, [[segment, done, 1, units, 0.0, 0.2, False]], [0, 0, 0, 0.0])
    for count, done, units in others:
        gathering.add(0, [], [count, done, 3, units])
    spread = gathering.spread(most)
    assert spread is not None
    segments = len({segment for segment, _, _ in visits}) + sum(count for count, _, _ in others)
    total = [sum(one[place] for one in (*visits, *others)) for place in (1, 2)]
    bars = spread.bars
    assert (spread.segments, len(bars)) == (segments, min(segments, most))
    assert sum(bar.segments for bar in bars) == pytest.approx(segments)
    assert {round(bar.segments, 6) for bar in bars} == {round(segments / len(bars), 6)}
    assert spread.per_bar == segments / len(bars)
    assert spread.mean_units == pytest.approx(total[1] / segments)
    assert sum(bar.segments * bar.units for bar in bars) == pytest.approx(total[1], abs=1e-6)
    assert sum(bar.segments * bar.done for bar in bars) == pytest.approx(total[0], abs=1e-6)
    assert all(one.units >= other.units - 1e-6 for one, other in pairwise(bars))


@pytest.mark.parametrize(("seconds", "slowest"), [((0.2, 0.9, 0.5), 1), ((0.0, 0.0, 0.0), 2)])
def test_the_slowest_segment_is_the_most_expensive_where_no_time_is_known(seconds: list[float], slowest: int) -> None:
    gathering = SegmentGathering()
    for segment, took in enumerate(seconds):
        gathering.add(0, [[segment, 1, 1, float(segment), 0.0, took, True]], [0, 0, 0, 0.0])
    spread = gathering.spread(MOST_BARS)
    assert spread is not None
    assert spread.slowest.segment == slowest


def test_the_cheapest_segments_are_grouped_and_the_most_expensive_keep_their_names() -> None:
    gathering = SegmentGathering()
    for segment in range(2 * EXACT + 1):
        gathering.add(segment % 2, [[segment, 1, 1, float(segment), 0.0, 1.0, segment > 1]], [0, 0, 0, 0.0])
    spread = gathering.spread(MOST_BARS)
    assert spread is not None
    walking = 0  # of the worker of the last batch; no other worker's batches follow
    assert {walked.segment for walked in spread.named} == {walking, *range(EXACT + 1, 2 * EXACT + 1)}
    assert spread.segments == 2 * EXACT + 1


def test_lengths_add_up_and_a_checkpoint_without_a_profile_of_its_batch_is_left_out() -> None:
    digesting = Digesting(STARTED, "keys")
    for profile in ({}, {"profile": {"began": STARTED.isoformat()}}):
        digesting.add(0, {"counts": {"keys": 9}, **profile})
    assert digesting.digest().batches == 0
    batch: dict[str, Any] = {"began": STARTED.isoformat(), "seconds": 1.0, "slot_seconds": 1.0}
    batch |= {"slots": [[0, 0, 0, 0]], "visits": [], "other_visits": [0, 0, 0, 0.0]}
    for lengths in ({"whole": {"3": 2}, "cut": {"9": 1}, "most_units": 4.5}, {"whole": {"3": 1}}):
        digesting.add(0, {"counts": {"keys": 9}, "profile": {**batch, "lengths": lengths}})
    assert digesting.digest().lengths == length_spread({3: 3}, {9: 1}, 4.5)


def test_of_many_batches_of_a_worker_those_with_the_shortest_pause_between_are_one_stretch() -> None:
    worker = Worker(0)
    for number in range(MOST_SPANS + 1):
        worker.add(10.0 * number, 9.5 if number == 5 else 1.0, {})
    assert (len(worker.spans), worker.spans[5], worker.end_seconds) == (MOST_SPANS, (50.0, 61.0), 10.0 * MOST_SPANS + 1)


def test_some_workers_of_a_crowded_run_are_drawn_and_all_are_counted(crowded: Path) -> None:
    whole = read_run(crowded)
    record = read_run(crowded, most_checkpoints=whole.batches_committed - 1)
    assert (record.workers_seen, record.workers_committed) == (15, 30)
    assert record.digest.requests < whole.digest.requests < whole.counts.requests
    for seen, shown in ((whole, whole.digest.requests), (record, record.counts.requests)):
        assert seen.timeline.totals("requests")[-1] == pytest.approx(shown)
        assert seen.digest.segments
        assert len(seen.digest.segments.bars) == MOST_BARS
    html = listing(record)
    assert len(html.encode()) < 400_000
    for said in (
        "Drawn from 15 of 30 workers",
        "The first 200 are shown; manifest.json lists all",
        "Each bar is the mean of about",
    ):
        assert said in html


def test_what_grows_evenly_is_spread_over_its_time_and_counted_once() -> None:
    gathering = Gathering(("keys",))
    gathering.add(0.0, 4.0, {"keys": [100, 300]})
    totals = gathering.timeline().totals("keys")
    assert [totals[len(totals) // 2 - 1], totals[-1]] == pytest.approx([100, 300], abs=2)


def test_what_took_no_time_counts_at_its_moment() -> None:
    gathering = Gathering(("keys",))
    gathering.add(10.0, 0.0, {"keys": [7]})
    gathering.add(10.0, 80.0, {"keys": [0]})
    totals = gathering.timeline().totals("keys")
    assert totals[0] == totals[-1] == 7
