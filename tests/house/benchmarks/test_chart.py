"""The chart of the README shows what was measured."""

import re
from pathlib import Path

import pytest

from benchmarks.blog_table import chart
from benchmarks.blog_table.results import Results

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("theme", chart.THEMES)
def test_the_picture_is_drawn_from_the_results(theme: str) -> None:
    drawn = chart.draw(Results.load(), chart.THEMES[theme])
    assert chart.file(theme).read_text(encoding="utf-8") == drawn, "draw it anew: python -m benchmarks.blog_table.chart"


def test_the_words_beside_it_are_its_figures() -> None:
    [described] = re.findall(r'alt="(The blog\'s table[^"]+)"', Path("README.md").read_text())
    results = Results.load()
    for bar in (*chart.dollars(results), *chart.minutes(results)):
        assert f"{bar.label} {bar.shown.replace('min', 'minutes')}" in described.replace("a full", "full")


def test_bars_are_to_scale() -> None:
    drawn = chart.draw(Results.load(), chart.THEMES["light"])
    widths = [float(width) for width in re.findall(r'<rect [^>]*width="([\d.]+)"', drawn)]
    full, ours = (bar.value for bar in chart.dollars(Results.load()))
    assert widths[1] / widths[0] == pytest.approx(ours / full, abs=0.01)
