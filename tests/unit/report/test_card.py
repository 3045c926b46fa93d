"""A card: a heading that names it, its summary, its pictures, its notes, and the figures as a folded table."""

import pytest

from skipscan.report.card import Child, Markup, chart, joined, tag, text
from tests.unit.report.faults import faults


def picture(shape: Markup, **more: str) -> Markup:
    return tag("svg", shape, width="1", height=10, aria_hidden="true", **more)


@pytest.mark.parametrize(
    ("markup", "fault"),
    [
        (tag("p", class_="unheard-of"), "has no style"),
        (tag("section", tag("h2", "A", id="a"), aria_labelledby="b"), "without its heading"),
        (tag("div", class_="scroll", role="region"), "cannot be scrolled"),
        (picture(tag("line", x1="0", x2="1", y1="0", class_="mark")), "y2"),
        (picture(tag("rect", y=9, height=2, width=1, class_="mark")), "outside"),
        (tag("svg", width="1", height=1, role="img"), "without words"),
        (tag("table", tag("tr", tag("th", "a"))), "without scope"),
        (joined(tag("p", id="a"), tag("p", id="a")), "two have the id a"),
        (tag("a", "A", href="#a"), "leads nowhere"),
        (picture(tag("path", d="M0,0L1100,5", class_="mark")), "the width"),
        (chart("A", "keys", picture(tag("path", d="M0,0", class_="units"))), "legend"),
        (picture(tag("line", x1=0, x2=1, y1=1, y2=1, class_="grid")), "label"),
        (
            tag(
                "svg",
                tag("rect", y=1, height=2, width=1, class_="mark"),
                class_="track",
                width="1",
                height=10,
                aria_hidden="true",
            ),
            "middle",
        ),
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
    [found] = faults(
        f"<style>.scroll, .mark, .figure, .grid, .track, .swatch, .keys, .units, .chart, .picture {{}}</style>{markup}"
    )
    assert fault in found


@pytest.mark.parametrize(
    ("value", "escaped"),
    [
        ("<b>&\"'", "&lt;b&gt;&amp;&quot;&#x27;"),
        ("a\x00\ud800\ufffeb", "a\ufffd\ufffd\ufffdb"),
        ("a\x85\u202eb\u2066\u200f\u061c\ufeff", "a\ufffd\ufffdb" + 4 * "\ufffd"),
        ("\xad\u180e\u3164\uffa0\ufff9\U000e0041", 6 * "\ufffd"),
        *(
            (name, name)
            for name in (
                "\u06af\u0644\u200c\u0647",
                "\U0001f469\u200d\U0001f4bb",
                "\u2764\ufe0f",
                "\u845b\U000e0100",
                "\u05e9\u05dd",
            )
        ),
        ("two\nlines\t", "two\nlines\t"),
        (Markup("<b>"), "<b>"),
        (None, ""),
        (1.5, "1.5"),
        (2.0, "2"),
        (0.126, "0.13"),
        (100, "100"),
    ],
)
def test_a_value_is_text_unless_it_is_markup(value: Child, escaped: str) -> None:
    assert text(value) == escaped
