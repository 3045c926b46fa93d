"""The cards of work over time: what is counted, what is consumed a second, and what was throttled."""

import re
from dataclasses import replace

import pytest

from skipscan.report.over_time import estimates, progress
from skipscan.report.report import ExpectedFigure, ProgressChart
from skipscan.report.timeline import Stretch, Timeline
from tests.unit.report.elements import Element, parsed, summary, tables


def labels(page: Element) -> list[str]:
    return [each.text for each in page.all("text") if "label" in each.classes]


LINE = Timeline(
    (
        Stretch(0, 1, {"keys": 10, "units": 2.0, "throttles": 0}),
        Stretch(1, 3, {"keys": 30, "units": 6.0, "throttles": 4}),
        Stretch(3, 4, {"keys": 0, "units": 2.0, "throttles": 0.2}),
    )
)
CHART = ProgressChart(LINE, "keys", "keys", "units", "read units", 50.0, 2.5, ("a note",))


def test_a_rate_below_a_tenth_has_one_digit() -> None:
    """A run of a table with little capacity may wait a minute for each key."""
    slow = Timeline((Stretch(0, 100, {"keys": 2, "units": 1.0}), Stretch(100, 200, {"keys": 3, "units": 2.5})))
    page = parsed(progress(replace(CHART, timeline=slow, waited_seconds=0.0)))
    assert summary(page).startswith("0.03 keys and 0.02 read units per second on average")
    assert [row[-1] for row in tables(page)["Keys and read units over time"]][1:] == ["0.01", "0.03"]
    says = [each.attributes["aria-label"] for each in page.all("svg") if "plot" in each.classes]
    assert says[-1].endswith("; at most 0.03.")


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


@pytest.mark.parametrize(("seconds", "is_said"), [(0.049, False), (0.05, True)])
def test_a_first_batch_that_began_at_once_is_not_worth_a_sentence(seconds: float, is_said: bool) -> None:
    page = parsed(progress(replace(CHART, waited_seconds=seconds, expected=None)))
    assert ("The first batch began" in summary(page)) is is_said
    assert labels(page) == ["40 keys"]
