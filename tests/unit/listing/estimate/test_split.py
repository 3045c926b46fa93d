"""Workers enough for a run of minutes, segments enough for its walks, and neither where they would cost more."""

import pytest

from skipscan.listing.estimate.cost import split


def divided(units: float, segments: int | None = None, workers: int | None = None, **more: float) -> tuple[int, int]:
    rate = more.get("rate")
    return split(segments, workers, units=units, requests=2 * units, rate=rate)


@pytest.mark.parametrize("units", [0.5, 3, 40, 700, 10**5, 10**8])
def test_the_ends_of_segments_never_cost_much(units: float) -> None:
    segments, workers = divided(units)
    assert 0.5 * segments <= max(0.5, units / 10)
    assert workers <= segments


def test_given_values_are_kept() -> None:
    assert divided(10**6, segments=7) == (7, 7)
    assert divided(10**6, workers=3)[1] == 3
    assert divided(10, segments=500, workers=100) == (500, 100)
    assert divided(10, workers=50) == (50, 50)
