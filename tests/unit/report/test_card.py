"""A card: a heading that names it, its summary, its pictures, its notes, and the figures as a folded table."""

import pytest

from skipscan.report.card import CardTable, Strip, card, chart, strips, tag
from tests.unit.report.elements import Element, faults, parsed


def only(markup: str) -> Element:
    [element] = parsed(markup).children
    return element


def said(element: Element) -> list[tuple[str, str]]:
    return [(each.name, each.text) for each in element.all() if each.text]


TABLE = CardTable("Sizes", ("name", "bytes", "kind"), [("a", "1", "S"), ("b", "2", "N")], words=(2,))


def test_a_table_has_a_row_for_each_name_and_figures_to_the_right() -> None:
    frame = only(TABLE.markup())
    assert frame.attributes == {"class": "scroll", "tabindex": "0", "role": "region", "aria-label": "Sizes"}
    [table] = frame.children
    assert table.attributes == {}
    cells = [[(each.name, each.text, each.attributes) for each in row.children] for row in table.all("tr")]
    figure = {"class": "figure"}
    assert cells == [
        [
            ("th", "name", {"scope": "col"}),
            ("th", "bytes", {"scope": "col", **figure}),
            ("th", "kind", {"scope": "col"}),
        ],
        [("th", "a", {"scope": "row"}), ("td", "1", figure), ("td", "S", {})],
        [("th", "b", {"scope": "row"}), ("td", "2", figure), ("td", "N", {})],
    ]
    assert [each.name for each in table.children] == ["caption", "thead", "tbody"]
    wrapping = CardTable("Sizes", ("name", "bytes"), [("a", "1 to 2")], wraps=True)
    assert next(parsed(wrapping.markup()).all("table")).attributes == {"class": "wraps"}


def test_rows_of_strips_are_a_table_whose_caption_is_heard_alone() -> None:
    frame = only(strips("Workers", ("", "at work", "keys"), [Strip("worker 0", tag("b", "strip"), ("5",))]))
    assert frame.attributes["class"] == "scroll"
    (table,) = frame.children
    assert table.attributes == {"class": "strips"}
    assert [(each.text, each.attributes) for each in table.all("caption")] == [("Workers", {"class": "unseen"})]
    cells = [[(each.name, each.text, each.attributes) for each in row.children] for row in table.all("tr")]
    assert cells == [
        [
            ("th", "", {"scope": "col"}),
            ("th", "at work", {"scope": "col", "class": "strip"}),
            ("th", "keys", {"scope": "col", "class": "figure"}),
        ],
        [("th", "worker 0", {"scope": "row"}), ("td", "", {"class": "strip"}), ("td", "5", {"class": "figure"})],
    ]
    assert [each.text for each in table.all("b")] == ["strip"]


@pytest.mark.parametrize("is_broad", [False, True])
def test_a_card_is_named_by_its_heading_and_folds_its_table(is_broad: bool) -> None:
    cell = only(
        card("sizes", "How large", "Small.", tag("b", "picture"), notes=["One."], table=TABLE, is_broad=is_broad)
    )
    assert cell.attributes == {"class": "cell broad" if is_broad else "cell"}
    [section] = cell.children
    assert section.attributes == {"class": "card", "id": "sizes", "aria-labelledby": "sizes-title"}
    heading, summary, picture, note, folded = section.children
    assert (heading.name, heading.text, heading.attributes) == ("h2", "How large", {"id": "sizes-title"})
    assert (summary.text, summary.attributes, picture.text) == ("Small.", {"class": "summary"}, "picture")
    assert (note.text, note.attributes) == ("One.", {"class": "note"})
    assert [each.name for each in folded.children] == ["summary", "div"]
    assert said(folded)[:2] == [("summary", "The figures as a table"), ("span", ": How large")]
    assert next(folded.all("span")).attributes == {"class": "unseen"}
    assert [each.name for each in only(card("sizes", "How large", "Small.")).children[0].children] == ["h2", "p"]


def test_a_picture_has_a_title_with_its_colour() -> None:
    title, picture = only(chart("Keys", "keys", tag("b"))).children
    assert (title.text, title.attributes, picture.attributes) == ("Keys", {"class": "chart"}, {"class": "picture"})
    assert [each.attributes for each in title.all("span")] == [{"class": "swatch keys", "aria-hidden": "true"}]
    assert list(parsed(chart("Keys", None, tag("b"))).all("span")) == []


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
