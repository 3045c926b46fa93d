"""A card: a heading that names it, its summary, its pictures, its notes, and the figures as a folded table."""

import pytest

from skipscan.report.card import tag
from tests.unit.report.elements import faults


@pytest.mark.parametrize(
    ("markup", "fault"),
    [
        (tag("p", class_="unheard-of"), "has no style"),
        (tag("section", tag("h2", "A", id="a"), aria_labelledby="b"), "without its heading"),
        (tag("div", class_="scroll", role="region"), "cannot be scrolled"),
        (tag("svg", tag("line", x1="0", x2="1", y1="0", class_="mark"), width="1", height=1, aria_hidden="true"), "y2"),
        (
            tag("svg", tag("rect", y=9, height=2, width=1, class_="mark"), width="1", height=10, aria_hidden="true"),
            "outside",
        ),
        (tag("svg", width="1", height=1, role="img"), "without words"),
        (tag("table", tag("tr", tag("th", "a"))), "without scope"),
        (
            tag(
                "table",
                tag("tr", tag("th", scope="col"), tag("th", scope="col")),
                tag("tr", tag("th", scope="row"), tag("td", class_="figure")),
            ),
            "below",
        ),
    ],
)
def test_the_check_of_pages_has_teeth(markup: str, fault: str) -> None:
    [found] = faults(f"<style>.scroll, .mark, .figure {{}}</style>{markup}")
    assert fault in found
