"""Every segment belongs to exactly one worker, and no partition is read by all workers at once."""

from hypothesis import given
from hypothesis import strategies as st

from skipscan.scan.plan import choose, segment_at, segments_of_worker

COUNTS = st.integers(1, 3000)


@given(COUNTS, st.integers(1, 50))
def test_every_segment_belongs_to_one_worker(segments: int, workers: int) -> None:
    visited = [
        segment_at(worker + place * workers, segments)
        for worker in range(workers)
        for place in range(segments_of_worker(worker, workers, segments))
    ]
    assert sorted(visited) == list(range(segments))


@given(st.integers(200, 100_000), st.integers(0, 10**6))
def test_segments_walked_at_the_same_time_are_far_apart(segments: int, begin: int) -> None:
    """Any 16 visits in a row fall into at least half of 16 equal stretches of the hash space."""
    together = [segment_at(begin + step, segments) for step in range(16)]
    assert len({segment * 16 // segments for segment in together}) >= 8


def test_numbers_that_are_given_stand() -> None:
    assert choose(7, 3, 10**12) == (7, 3)
    assert choose(None, 3, 0)[1] == 3
    assert choose(1, None, 10**12) == (1, 1)


def test_numbers_follow_the_size_where_it_is_known() -> None:
    assert choose(None, None, 0) == (16, 1)
    assert choose(None, None, 1000) == (1, 1)
    assert choose(None, None, 20 << 20) == (9, 1)  # 5,120 steps, of which the root is 72
    assert choose(None, None, 1 << 30) == (16, 1)
    assert choose(None, None, 10**12) == (3726, 4)
    assert choose(None, None, 10**15)[1] == 16


def test_from_far_away_there_are_more_for_more_walks() -> None:
    assert choose(None, 1, 0, walks=128) == (128, 1)
    assert choose(None, 1, 1000, walks=128) == (1, 1)
    assert choose(None, 1, 20 << 20, walks=128) == (27, 1)
    assert choose(None, 1, 1 << 30, walks=128) == (128, 1)
    assert choose(None, 1, 10**12, walks=128)[0] == choose(None, 1, 10**12)[0]


def test_one_worker_needs_no_more_segments_than_the_size_suggests() -> None:
    """Which is what a run from a terminal has: a segment's end costs a page."""
    for size_bytes in (1000, 20 << 20, 10**12):
        assert choose(None, 1, size_bytes)[0] == choose(None, None, size_bytes)[0]
    assert choose(None, 2, 1000) == (32, 2)
    assert choose(None, 3, 1000) == (48, 3)


def test_a_second_worker_comes_with_the_first_segment_or_unit_that_is_too_many() -> None:
    assert choose(None, None, 1024 << 28) == (1024, 1)
    assert choose(None, None, (1024 << 28) + 1) == (1025, 2)
    assert choose(None, None, 10**13, read_units_per_second=500)[1] == 1
    assert choose(None, None, 10**13, read_units_per_second=501)[1] == 2


def test_a_rate_bounds_the_workers_that_have_something_to_do() -> None:
    assert choose(None, None, 10**13, read_units_per_second=900)[1] == 2
    assert choose(None, 7, 10**13, read_units_per_second=900)[1] == 7


@given(st.none() | COUNTS, st.none() | st.integers(1, 40), st.integers(0, 10**15))
def test_every_worker_has_a_segment(segments: int | None, workers: int | None, size_bytes: int) -> None:
    if segments and workers and workers > segments:
        return
    chosen_segments, chosen_workers = choose(segments, workers, size_bytes)
    assert 1 <= chosen_workers <= chosen_segments <= 1_000_000
