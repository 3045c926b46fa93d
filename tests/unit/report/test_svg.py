"""Where the shapes of a picture lie: in pixels from its top, and in percent from its left."""

from typing import Any

import pytest

from skipscan.report import svg
from skipscan.report.svg import Axis, clock, linear, short_number
from tests.unit.report.elements import Element, parsed, paths


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
    ("number", "first"),
    [(2, "M50.0,80V20.0h400.0V80Z"), (60, "M1.7,80V20.0h13.3V80Z"), (61, "M0.0,80V20.0h16.4V80Z")],
)
def test_bars_have_a_gap_up_to_sixty(number: int, first: str) -> None:
    drawn = paths(parsed(svg.bars([0.75] * number, 80, "keys")))["solid keys"]
    assert drawn.startswith(first)
    assert drawn.count("M") == number


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


def labels(axis: Axis) -> list[str]:
    return [label for _, label in axis.ticks]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (0.5, "0.5"),
        (0.12345, "0.123"),
        (800, "800"),
        (9_999, "9,999"),
        (12_000, "12k"),
        (1.5e6, "1.5M"),
        (4e9, "4B"),
        (2e12, "2T"),
    ],
)
def test_a_number_is_short(value: float, shown: str) -> None:
    assert short_number(value) == shown


@pytest.mark.parametrize(("high", "shown"), [(4, "0 1 2 3 4"), (9.5, "0 2.5 5 7.5 10"), (100, "0 25 50 75 100")])
def test_a_linear_axis_has_round_steps_up_to_its_highest_value(high: float, shown: str) -> None:
    axis = linear(high)
    assert labels(axis) == shown.split()
    assert (axis.low, axis.at(0.0)) == (0.0, 0.0)
    assert axis.high >= high
    assert all(0 <= axis.at(value) <= 1 for value, _ in axis.ticks)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (2.0, ["0", "0.5 s", "1 s", "1.5 s", "2 s"]),
        (100.0, ["0", "20 s", "40 s", "60 s", "80 s", "100 s"]),
        (1200.0, ["0", "5 min", "10 min", "15 min", "20 min"]),
        (86_400.0, ["0", "6 h", "12 h", "18 h", "24 h"]),
        (86_400.0 * 900, ["0", "200 d", "400 d", "600 d", "800 d"]),
    ],
)
def test_time_is_counted_as_people_do(seconds: float, shown: list[str]) -> None:
    assert labels(clock(seconds)) == shown
    assert clock(seconds).high == seconds
