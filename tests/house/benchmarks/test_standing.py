"""The page beside the peers: a row for each comparison, whose bar shows who is better and by how much."""

import re
from datetime import date
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import quick_folders
from benchmarks.standing import Kind, Question, Standing, bar, page, questions, verdict
from skipscan.report.page import TIMES
from tests.engines.browser.browser import CHROMIUM, browser

DAY = date(2026, 11, 25)


def standing(times: float) -> Standing:
    return Standing("peer", "seconds", 1.0, times, times, Kind.HERE)


def test_who_is_better_by_less_and_by_more() -> None:
    assert Standing.less(Kind.HERE, "a", "seconds", 2.0, 20.0).times == 10.0
    assert Standing.more(Kind.HERE, "a", "items a second", 2.0, 20.0).times == 0.1
    assert Standing.less(Kind.COUNT, "a", "lost changes", 0, 46).times == inf
    assert Standing.less(Kind.COUNT, "a", "lost changes", 46, 0).times == 0
    assert Standing.less(Kind.COUNT, "a", "lost changes", 0, 0).times == 1


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (122.4, "122{TIMES} better"),
        (17.04, "17{TIMES} better"),
        (1.5, "1.5{TIMES} better"),
        (1.004, "equal"),
        (1.0, "equal"),
        (0.8, "1.2{TIMES} worse"),
        (0.98, "1.02{TIMES} worse"),
        (inf, "better"),
        (0.0, "worse"),
    ],
)
def test_a_verdict_says_who_is_better_without_colour(times: float, said: str) -> None:
    assert verdict(standing(times)) == said.format(TIMES=TIMES)


@pytest.mark.parametrize(
    ("times", "kind", "begin", "width"),
    [
        (10.0, "solid keys", "50%", "16.67%"),
        (0.1, "hollow units", "33.33%", "16.67%"),
        (1e9, "solid keys", "50%", "50%"),
        (inf, "solid keys", "50%", "50%"),
        (0.0, "hollow units", "0%", "50%"),
    ],
)
def test_a_bar_shows_the_factor_and_who_is_better(times: float, kind: str, begin: str, width: str) -> None:
    assert re.findall(r'<rect class="([\w ]+)" x="([\d.]+%)" y="3" width="([\d.]+%)"', bar(standing(times))) == [
        (kind, begin, width)
    ]


def test_equal_figures_have_no_bar() -> None:
    assert "<rect" not in bar(standing(1.0))


def test_the_page_counts_who_is_better_and_loads_nothing() -> None:
    rows = [standing(times) for times in (10.0, 2.0, 1.0, 0.1)]
    rows.append(standing(0.5)._replace(is_bound=True))
    text = page([Question("any", "How <fast>?", "Measured & shown.", rows)], DAY)
    assert re.findall(r'<dt>([^<]*)</dt><dd><span class="value">(\d+)<', text) == [
        ("Skipscan is better", "2"),
        ("equal", "1"),
        ("the peer is better", "1"),
    ]
    assert "How &lt;fast&gt;?" in text
    assert "25 November 2026" in text
    assert not re.search("https?:|<script", text)


def test_every_quick_form_has_its_rows_and_says_what_it_measures() -> None:
    folders = quick_folders()
    assert {"estimate", "profile"}.isdisjoint(folders)
    assert len(folders) == 10
    assert [name for name in folders if not hasattr(import_module(f"benchmarks.{name}"), "standing")] == []
    modules = [import_module(f"benchmarks.{name}") for name in folders]
    assert [module.QUESTION for module in modules if not module.QUESTION.endswith("?")] == []
    assert [module.MEASURED for module in modules if not module.MEASURED.endswith(".")] == []


def test_the_questions_about_listing_come_first() -> None:
    rates = {"act put": {"rate": 2.0}, "BatchWriteItem": {"rate": 4.0}}
    figures: dict[str, Any] = {"writers": rates, "limit": {"28: ours / better static, worst": 2.0}}
    found = questions(["writers", "limit"], figures)
    assert [(question.name, question.rows[0].times) for question in found] == [("limit", 0.5), ("writers", 0.5)]
    assert found[1].text == "How many items a second can one worker write, if the table is never slow?"
    assert found[1].measured.startswith("One worker of each job against a server")


FIGURES: dict[str, dict[str, Any]] = {
    "limit": {
        "limit": {
            "named: ours / best fixed, worst": 9.0,
            "named: ours / best fixed, geometric mean": 1.25,
            "28: ours / clairvoyant, geometric mean": 1.25,
            "28: Limit=1 / ours, requests": 0.8,
        }
    },
    "first_items": {
        "first_items": {
            f"{table}_{number}_{figure}": value
            for table in ("demo", "blog")
            for number in range(3)
            for figure, value in {
                "name": f"full scan {number}",
                "read_units": (5.0, 5.0, 4.0)[number],
                "dollars": 0,
            }.items()
        }
    },
    "retrofit": {
        "retrofit": {
            "ours": {"items_per_second": 4, "write_units": 5, "again": {"write_units": 5}, "writes_lost": 5},
            "naive": {"items_per_second": 5, "write_units": 4, "again": {"write_units": 4}, "writes_lost": 4},
        }
    },
}


@pytest.mark.parametrize(("folder", "rows"), [("limit", 3), ("first_items", 4), ("retrofit", 4)])
def test_rows_are_compared_the_right_way_round(folder: str, rows: int) -> None:
    """The peer is better by a quarter in all of these."""
    [found] = questions([folder], FIGURES[folder])
    assert [round(row.times, 3) for row in found.rows] == [0.8] * rows


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed (apt package chromium)")
@pytest.mark.xdist_group("chromium")
@pytest.mark.parametrize("width", [360, 1400])
def test_the_page_fits_the_window(tmp_path: Path, width: int) -> None:
    path = tmp_path / "bench.html"
    path.write_text(page(questions(FIGURES, {name: FIGURES[name][name] for name in FIGURES}), DAY), encoding="utf-8")
    assert CHROMIUM
    with browser(CHROMIUM) as tab:
        tab.show(path, width=width, dark=True)
        assert tab.value("document.documentElement.scrollWidth") == width
        bars = "[...document.querySelectorAll('.ways .track')].map(bar => bar.getBoundingClientRect().width)"
        assert min(tab.value(bars)) > 200
