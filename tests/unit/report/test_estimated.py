"""An estimate is drawn where it lies beside the result."""

import re

import pytest

from skipscan.report.over_time import estimates
from skipscan.report.report import ExpectedFigure


def places(*figures: ExpectedFigure) -> list[tuple[float, float, float, float]]:
    """Return where each strip begins, how wide it is, and where its dot and its mark are, in percent."""
    strip = re.compile(r'x="([\d.]+)%".*?width="([\d.]+)%".*?x1="([\d.]+)%".*?cx="([\d.]+)%"')
    found = strip.findall(str(estimates(figures)))
    return [(float(low), float(width), float(dot), float(mark)) for low, width, mark, dot in found]


@pytest.mark.parametrize("scale", [1, 1000])
def test_the_strip_has_its_place_on_a_line_whose_mark_is_the_result(scale: int) -> None:
    [(low, width, dot, mark)] = places(ExpectedFigure("keys", 50 * scale, 40 * scale, 60 * scale, 100 * scale))
    assert (low / mark, width / mark, dot / mark) == pytest.approx((0.4, 0.2, 0.5), abs=0.01)


def test_an_estimate_that_was_far_too_high_ends_at_the_edge() -> None:
    [(_, _, dot, mark)] = places(ExpectedFigure("keys", 10**6, None, None, 1))
    assert dot == 100
    assert mark == pytest.approx(100 / 10.5, abs=0.1)


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(40, 60, "none. Outside: keys."), (40, 160, "interval: keys."), (None, None, "has no confidence intervals")],
)
def test_the_summary_says_what_was_within(low: float | None, high: float | None, said: str) -> None:
    assert said in str(estimates([ExpectedFigure("keys", 50, low, high, 100)]))
