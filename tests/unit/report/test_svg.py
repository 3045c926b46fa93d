"""Where the shapes of a picture lie: in pixels from its top, and in percent from its left."""

from typing import Any

import pytest

from skipscan.report import svg
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


@pytest.mark.parametrize(("is_left", "side"), [(False, ("last", "100%")), (True, ("first", "0"))])
def test_a_line_across_has_its_label_above(is_left: bool, side: tuple[str, str]) -> None:
    line, text = parsed(svg.across(0.25, 80, "mean 5", is_left=is_left)).children
    assert line.attributes == {"class": "dashed", "x1": "0", "x2": "100%", "y1": "60", "y2": "60"}
    assert (text.text, text.attributes) == ("mean 5", {"class": f"label {side[0]}", "x": side[1], "y": "54"})


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


@pytest.mark.parametrize(
    ("place", "said"), [(0.0, "0%"), (0.5, "50%"), (1.0, "100%"), (1 / 3, "33.33%"), (0.125, "12.5%")]
)
def test_a_place_is_in_percent_with_at_most_two_decimals(place: float, said: str) -> None:
    assert svg.percent(place) == said
