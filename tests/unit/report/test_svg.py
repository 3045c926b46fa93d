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
