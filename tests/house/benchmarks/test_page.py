"""docs/benchmarks.md and the chart of README.md show the figures that are kept."""

import re

import pytest

from benchmarks.page import IMAGES, PAGE, QUESTIONS, THEMES, bars, chart, kept, page

pytestmark = pytest.mark.engine

KEPT = kept()


def test_the_page_shows_the_figures_that_are_kept() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(KEPT), "draw it again: python -m benchmarks --draw"
    assert KEPT.keys() == QUESTIONS.keys()


@pytest.mark.parametrize("theme", THEMES)
def test_the_chart_is_drawn_from_them(theme: str) -> None:
    drawn = chart(KEPT["cost"], THEMES[theme])
    shown = (IMAGES / f"cost-{theme}.svg").read_text(encoding="utf-8")
    assert shown == drawn, "draw it again: python -m benchmarks --draw"
    widths = [float(width) for width in re.findall(r'<rect [^>]*width="([\d.]+)"', drawn)]
    full, _, ours = (value for _, value, _ in bars(KEPT["cost"]["figures"])["The whole bill"])
    assert widths[2] / widths[0] == pytest.approx(ours / full, abs=0.01)
