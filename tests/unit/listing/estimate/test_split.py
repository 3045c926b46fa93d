"""Workers enough for a run of minutes, segments enough for its walks, and neither where they would cost more."""

import pytest

from skipscan.listing.estimate.cost import split, worker_seconds, worker_turns


def divided(units: float, segments: int | None = None, workers: int | None = None, **more: float) -> tuple[int, int]:
    rate = more.get("rate")
    return split(segments, workers, units=units, requests=2 * units, rate=rate)


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        (0.5, (1, 1)),
        (50, (10, 1)),
        (500, (20, 1)),
        (5_000, (64, 1)),
        (50_000, (500, 1)),
        (1_000_000, (10_000, 11)),
        (10**9, (1_000_000, 30)),  # as many workers as a fresh table on demand serves
    ],
)
def test_a_run_is_split_up_by_what_it_takes(units: float, expected: tuple[int, int]) -> None:
    assert divided(units) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"), [(0, 1), (15, 1), (16, 2), (75, 2), (76, 3), (315, 3), (316, 4), (2475, 12)]
)
def test_turns_are_short_at_first(seconds: float, expected: int) -> None:
    assert worker_turns(seconds) == expected


@pytest.mark.parametrize("units", [0.5, 3, 40, 700, 10**5, 10**8])
def test_the_ends_of_segments_never_cost_much(units: float) -> None:
    segments, workers = divided(units)
    assert 0.5 * segments <= max(0.5, units / 10)
    assert workers <= segments


def test_the_ends_of_a_large_run_cost_half_a_percent() -> None:
    segments, _ = divided(10**6)
    assert 0.5 * segments == 0.005 * 10**6


def test_a_full_scan_is_split_by_its_requests() -> None:
    """Its pages are of 1 MB: by its read units it would have a segment for each page."""
    segments, _ = split(None, None, units=122_500_000, requests=954_000, rate=40_000)
    assert segments == 4_770


def test_a_rate_needs_no_more_workers_than_it_feeds() -> None:
    assert divided(10**6, rate=500)[1] == 1


def test_given_values_are_kept() -> None:
    assert divided(10**6, segments=7) == (7, 7)
    assert divided(10**6, workers=3)[1] == 3
    assert divided(10, segments=500, workers=100) == (500, 100)
    assert divided(10, workers=50) == (50, 50)


def test_a_worker_takes_longer_for_more() -> None:
    assert worker_seconds(1000, 2000) < worker_seconds(1000, 3000) < worker_seconds(10**6, 3000)
