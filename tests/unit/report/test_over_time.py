"""The cards of work over time: what is counted, what is consumed a second, and what was throttled."""

import re

import pytest

from skipscan.report.over_time import ExpectedFigure, estimates, progress
from skipscan.report.timeline import Stretch, Timeline

LINE = Timeline(
    (
        Stretch(0, 1, {"keys": 10, "units": 2.0, "throttles": 0}),
        Stretch(1, 3, {"keys": 30, "units": 6.0, "throttles": 4}),
        Stretch(3, 4, {"keys": 0, "units": 2.0, "throttles": 0.2}),
    )
)
CHART = progress(LINE, "keys", "keys", "read units", expected=50.0, waited_seconds=2.5, notes=("a note",))


def places(*figures: ExpectedFigure) -> list[tuple[float, float, float, float]]:
    """Return where each strip begins, how wide it is, and where its dot and its mark are, in percent."""
    strip = re.compile(r'x="([\d.]+)%".*?width="([\d.]+)%".*?x1="([\d.]+)%".*?cx="([\d.]+)%"')
    found = strip.findall(str(estimates(figures)))
    return [(float(low), float(width), float(dot), float(mark)) for low, width, mark, dot in found]


def test_an_estimate_that_was_far_too_high_ends_at_the_edge() -> None:
    [(_, _, dot, mark)] = places(ExpectedFigure("keys", 10**6, None, None, 1))
    assert dot == 100
    assert mark == pytest.approx(100 / 10.5, abs=0.1)
