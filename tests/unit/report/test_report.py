"""What a page makes of figures and cards: each part of it in its place, and nothing of what is empty."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from skipscan.pace.bill import Bill
from skipscan.report import svg
from skipscan.report.bill import ComparedWay, bill_card, saving
from skipscan.report.over_time import ExpectedFigure, estimates, progress
from skipscan.report.page import Report, files, html_page
from skipscan.report.segment_spread import length_spread
from skipscan.report.spread import lengths
from skipscan.report.timeline import Timeline
from skipscan.sample.interval import Interval
from skipscan.stored.figures import Figure
from tests.unit.report.elements import Element, parsed, paths, tables

NOW = datetime(2026, 11, 2, 4, 0, tzinfo=UTC)
HALF, WHOLE = Bill(read_units=0.25, s3=0.25), Bill(read_units=1.0)
OURS = ComparedWay("Skipscan", Interval.exactly(25.0), Interval.exactly(1_000), HALF, "measured")
OTHER = ComparedWay("Full scan", Interval(100.0, 80.0, 140.04), Interval(5.0, 4.0, 6.0), WHOLE, "estimated: a sample")
KNOWN = {"read units": "measured", "S3": "counted"}
SPLIT = [Figure.in_words("$0.25", basis, label=name) for name, basis in KNOWN.items()]
PART = {"name": "s3/keys/worker-0/part-0", "keys": 2_001, "bytes": 30_000, "sha256": "sha"}
REPORT = Report(
    label="run",
    name="nightly",
    subject="Orders",
    is_complete=True,
    status="Complete: all of it",
    answer="2,001 keys.",
    figures=[
        Figure("keys", 2_001, "2,001", "measured", "count"),
        Figure("read_units", 25, "25", "in 1,000 requests", "units"),
        Figure.in_words("Orders", group="work", label="table"),
        Figure.in_words("no limit", group="limits", label="rate"),
    ],
    links=[("Execution", "https://example.com/a"), ("manifest.json", "https://example.com/b")],
    saving=saving(4.0, "measured", [("this run", 0.5, 1.0)]),
    bill=bill_card("read_units", [OURS, OTHER], SPLIT, ["A note."]),
    files=files("keys", [PART], "manifest.json"),
    notices=["Something is missing."],
)


def test_of_many_files_the_first_are_shown() -> None:
    parts = [{"name": f"s3/keys/part-{n}", "keys": n, "bytes": 10, "sha256": "sha"} for n in range(200)]
    [(caption, rows)] = tables(parsed(str(files("keys", [*parts, 7, 8], "manifest.json")))).items()
    assert caption == "202 parts, 2.0 KB in total. The first 200 are shown; manifest.json lists all."
    assert (len(rows), rows[2]) == (201, ["part-1", "1", "10 B", "sha"])
    assert files("keys", [], "manifest.json") is None
    [elsewhere] = tables(parsed(str(files("keys", [{**parts[0], "name": "part"}], "manifest.json")))).values()
    assert elsewhere[1][0] == "part"


# The cards of work over time: what is counted, what is consumed a second, and what was throttled.


LINE = Timeline((1, 3, 4), {"keys": (10, 30, 0), "units": (2.0, 6.0, 2.0), "throttles": (0, 4, 0.2)})
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


# Where the shapes of a picture lie: in pixels from its top, and in percent from its left.


def shapes(markup: str) -> list[tuple[str, dict[str, str]]]:
    """Return the shapes of a picture without those within others."""
    [picture] = parsed(markup).children
    return [(each.name, each.attributes) for each in picture.children]


def only(markup: str) -> Element:
    [element] = parsed(markup).children
    return element


def test_a_step_goes_from_its_edge_to_the_next() -> None:
    assert paths(parsed(svg.steps([0.0, 0.5, 1.0], [0.25, 1.0], 80, "units")))["line units"] == (
        "M0.0,60.0L500.0,60.0L500.0,0.0L1000.0,0.0"
    )


@pytest.mark.parametrize(
    ("x", "anchor"), [(0.0, "first"), (0.019, "first"), (0.02, "middle"), (0.94, "middle"), (0.95, "last")]
)
def test_a_label_begins_where_it_stays_inside(x: float, anchor: str) -> None:
    assert only(svg.label("5 keys", x, 0.5, 80)).attributes == {
        **{"class": f"label {anchor}", "x": svg.percent(x), "y": "32"},
    }


def test_a_track_has_a_piece_of_a_strip_for_each_time() -> None:
    drawn = svg.track([(0.1, 0.3), (0.5, 0.5)], "keys")
    assert only(drawn).attributes == {"class": "track", "width": "100%", "height": "14", "aria-hidden": "true"}
    common: dict[str, Any] = {"class": "solid keys", "y": "2", "height": "10"}
    assert shapes(drawn) == [
        ("rect", {**common, "x": "10%", "width": "20%"}),
        ("rect", {**common, "x": "50%", "width": "0.3%"}),  # a time that is too short to be seen
    ]
    assert shapes(svg.track([(0.0, 1.0)], "keys", hollow=True))[0][1]["class"] == "hollow keys"


# The lengths of groups that were counted: exact to the last, and what the largest of them hold.


@pytest.mark.parametrize(
    ("cut", "said"),
    [
        ({}, ["Counted: 100 item collections.", "The largest tenth of them holds 10% of the items counted."]),
        ({9: 10}, ["10 of them only up to the number asked for", "holds at least 50% of the items counted"]),
    ],
)
def test_the_report_says_how_much_the_largest_hold(cut: dict[int, int], said: list[str]) -> None:
    text = str(lengths(length_spread({1: 100 - sum(cut.values())}, cut)))
    for sentence in said:
        assert sentence in text


def test_a_page_begins_with_what_was_asked_and_says_what_is_not_billed() -> None:
    said = {"level": "depth 2", "taken": "all"}
    asked = [Figure.in_words(words, group="request", label=label) for label, words in said.items()]
    bill = bill_card("read_units", [OURS], [], [], is_billed=False)
    html = html_page(replace(REPORT, figures=[*REPORT.figures, *asked], bill=bill), NOW)
    assert '<p class="asked">Level: depth 2. Taken: all</p>' in html
    assert ("not billed" in html, "pays for" in html, 'class="bar"' in html) == (True, False, False)
    assert 'class="asked"' not in html_page(REPORT, NOW)


@pytest.mark.parametrize(
    ("seconds", "labels"),
    [
        (4.0, ["0", "1 s", "2 s", "3 s", "4 s"]),
        (14 * 3600.0, ["0", "3 h", "6 h", "9 h", "12 h"]),
        (17 * 3600.0, ["0", "4 h", "8 h", "12 h", "16 h"]),
        (11 * 86_400.0, ["0", "5 d", "10 d"]),
    ],
)
def test_a_time_axis_counts_as_people_do(seconds: float, labels: list[str]) -> None:
    assert [label for _, label in svg.clock(seconds).ticks] == labels


@pytest.mark.parametrize(("stretches", "rows"), [(1, 1), (24, 24), (25, 13), (96, 24)])
def test_the_table_of_a_picture_is_short_and_has_its_last_row(stretches: int, rows: int) -> None:
    ends = tuple(range(100, 100 + stretches))
    figures = {name: [1.0] * stretches for name in ("keys", "units")}
    drawn = tables(parsed(progress(Timeline(ends, figures), "keys", "keys", "read units")))
    shown = drawn["Keys and read units over time"]
    assert (len(shown) - 1, shown[-1][1]) == (rows, f"{stretches}")
