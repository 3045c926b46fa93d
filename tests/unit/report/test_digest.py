"""Batches add up to what was in them, however many there are, in memory that does not grow with their number."""

import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skipscan.listing.kind import LISTING
from skipscan.pace.bill import Services
from skipscan.report.batch_record import BatchRecord, Others, RecordedVisit
from skipscan.report.digest import MOST_BARS, Digesting, WorkerGathering
from skipscan.report.listing import listing
from skipscan.report.page import html_page
from skipscan.report.record import read_work
from skipscan.report.segment_spread import EXACT, SegmentGathering
from skipscan.report.timeline import STRETCHES, Gathering
from skipscan.scan.progress import ScanCounts
from tests.unit.report.large_run import BATCHES, LargeRun

pytestmark = pytest.mark.slow

STARTED = datetime(2026, 11, 2, 3, 0, tzinfo=UTC)
seconds = st.floats(0.001, 1e6)


@settings(max_examples=40)
@given(st.lists(st.tuples(seconds, seconds, st.integers(0, 10**6)), min_size=1, max_size=30))
def test_a_timeline_keeps_every_figure_and_has_no_gap(pieces: list[tuple[float, float, int]]) -> None:
    gathering = Gathering(("keys",))
    for begin, length, keys in pieces:
        gathering.add(begin, length, {"keys": [keys]})
    line = gathering.timeline()
    assert sum(stretch.figures["keys"] for stretch in line.stretches) == pytest.approx(sum(keys for *_, keys in pieces))
    assert 1 <= len(line.stretches) <= STRETCHES
    assert line.stretches[0].begin_seconds == 0
    assert all(before.end_seconds == after.begin_seconds for before, after in pairwise(line.stretches))
    assert all(stretch.seconds > 0 for stretch in line.stretches)
    first, last = min(begin for begin, *_ in pieces), max(begin + length for begin, length, _ in pieces)
    assert line.end_seconds == pytest.approx(last - first)


def test_a_worker_s_times_count_from_the_first_batch_of_all() -> None:
    gathering = WorkerGathering()
    gathering.add(110.0, 2.0, {"keys": 7})
    gathering.add(100.0, 5.0, {"keys": 9})
    worker = gathering.worker(3, 90.0)
    assert (worker.worker, worker.figures, worker.batches, worker.busy_seconds) == (3, {"keys": 9}, 2, 7.0)
    assert worker.spans == ((10.0, 15.0), (20.0, 22.0))


def test_segments_beyond_the_most_expensive_are_grouped_and_still_counted() -> None:
    random, gathering = Random(3), SegmentGathering()
    units = [random.paretovariate(1.2) for _ in range(100 * (EXACT // 20))]
    for begin in range(0, len(units) - 99, 100):
        visits = [RecordedVisit(i, 2, 1, units[i], 0.1, True) for i in range(begin, begin + 100)]
        gathering.add(begin // 1000, visits, Others())
    spread = gathering.spread(MOST_BARS)
    assert spread is not None
    assert spread.segments == len(units)
    assert len(spread.bars) == MOST_BARS
    assert [walked.units for walked in spread.named[:EXACT]] == sorted(units, reverse=True)[:EXACT]
    assert sum(bar.segments * bar.units for bar in spread.bars) == pytest.approx(sum(units))
    assert sum(bar.segments * bar.settled for bar in spread.bars) == pytest.approx(2 * len(units))
    assert all(before.units >= after.units - 1e-9 for before, after in pairwise(spread.bars))


def test_a_segment_that_two_batches_walked_is_one() -> None:
    gathering = SegmentGathering()
    gathering.add(0, [RecordedVisit(7, 3, 2, 1.5, 0.2, False)], Others())
    gathering.add(0, [RecordedVisit(7, 4, 1, 0.5, 0.1, True)], Others(10, 20, 5.0))
    spread = gathering.spread(MOST_BARS)
    assert spread is not None
    [walked] = spread.named
    assert (walked.settled, walked.requests, walked.units, walked.ended) == (7, 3, 2.0, True)
    assert (spread.segments, len(spread.bars)) == (11, 11)


RUNNING = {"keys": range(40, 280, 40), "requests": range(12, 84, 12), "units": [0.0] * 6, "throttles": [0] * 6}


def _batches(number: int) -> Iterator[BatchRecord]:
    random = Random(1)
    for batch in range(number):
        visits = tuple(RecordedVisit(256 * batch + i, 10, 3, random.random(), 1.0, True) for i in range(256))
        began = STARTED + timedelta(seconds=240 * (batch % 20))
        counts = ScanCounts(keys=2400 * (batch % 20 + 1))
        yield BatchRecord(
            batch // 20, batch % 20, counts, Services(), began, 240.0, 40.0, RUNNING, visits, Others(), {3: 9}, {5: 2}
        )


@pytest.mark.long
def test_memory_does_not_grow_with_batches() -> None:
    """Eighty batches with 20,480 segments take hardly more than half as many."""

    def most_bytes(number: int) -> int:
        tracemalloc.start()
        digesting = Digesting(STARTED, "keys")
        for batch in _batches(number):
            digesting.add(batch)
        digesting.digest()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak

    half, whole = most_bytes(40), most_bytes(80)
    assert whole < 1.2 * half < 8e6


def test_the_largest_run_is_a_page_of_less_than_a_megabyte() -> None:
    """1,000 workers, a million segments and 50,000 parts, of which 25 workers are read in full."""
    record = read_work(LISTING, LargeRun(), most_checkpoints=BATCHES // 40)
    html = html_page(listing(record), STARTED)
    assert record.batches_committed == BATCHES == 50_000
    assert len(html.encode()) < 400_000
    for said in (
        "Drawn from 25 of 1,000 workers",
        "50,000 parts, 150.0 GB in total",
        "The first 200 are shown; manifest.json lists all",
        "workers that ended last",
        "Each bar is the mean of about",
    ):
        assert said in html


def test_work_began_with_its_first_batch() -> None:
    digesting, began = Digesting(STARTED, "keys"), STARTED + timedelta(seconds=90)
    assert digesting.digest().began is None
    batch = BatchRecord(0, 0, ScanCounts(), Services(), began, 240.0, 40.0, RUNNING, (), Others(), {}, {})
    digesting.add(batch)
    assert (digesting.digest().began, digesting.digest().finished) == (began, began + timedelta(seconds=240))
