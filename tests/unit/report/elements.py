"""The elements of a page, for tests of what all pages keep."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from skipscan.report.card import EMPTY

SHAPES = {
    "svg": {"width", "height"},
    "line": {"x1", "x2", "y1", "y2", "class"},
    "rect": {"width", "height", "class"},
    "circle": {"cx", "cy", "r", "class"},
    "path": {"d", "class"},
    "text": {"x", "y"},
}
"""Without these attributes a browser draws nothing, draws it in a corner, or in black."""

BARE = frozenset({"complete", "first", "plot", "tick"})
"""Classes without a rule of their own in the style sheet: they name what the style sheet leaves as it is."""


@dataclass
class Element:
    """`attributes`: without a value, an empty text. `text`: its own, without that of the elements in it."""

    name: str
    attributes: dict[str, str]
    text: str = ""
    children: list["Element"] = field(default_factory=list)

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())

    def all(self, *names: str) -> Iterator["Element"]:
        """Yield the elements of these names within, in the order of the page."""
        for child in self.children:
            if child.name in names or not names:
                yield child
            yield from child.all(*names)


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in EMPTY:
            self.open.append(element)

    def handle_data(self, data: str) -> None:
        self.open[-1].text += data

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().name == tag


def parsed(html: str) -> Element:
    """Return the page as one element without a name; fail for an element that does not end."""
    parser = _Parser()
    parser.feed(html)
    assert len(parser.open) == 1
    return parser.open[0]


def tables(page: Element) -> dict[str, list[list[str]]]:
    """Return the texts of the cells of each table, by its caption."""
    return {
        next(table.all("caption")).text: [[cell.text for cell in row.children] for row in table.all("tr")]
        for table in page.all("table")
    }


def paths(page: Element) -> dict[str, str]:
    """Return what each path draws, by its classes."""
    return {each.attributes["class"]: each.attributes["d"] for each in page.all("path")}


def summary(page: Element) -> str:
    """Return the sentence that sums up a card."""
    [found] = [each.text for each in page.all("p") if "summary" in each.classes]
    return found


def notes(page: Element) -> list[str]:
    """Return the notes of a card."""
    return [each.text for each in page.all("p") if "note" in each.classes]


def styled(html: str) -> set[str]:
    """Return the classes that the page's style sheet has rules for."""
    style = "".join(re.findall(r"<style>(.*?)</style>", html, re.DOTALL))
    return set(re.findall(r"\.([a-z][\w-]*)", re.sub(r"\{[^{}]*\}", "{}", style)))


def faults(html: str) -> list[str]:
    """Return what a reader, a screen reader or a phone would miss on the page."""
    page, known = parsed(html), styled(html) | BARE
    return [
        *(f"class {name} has no style" for each in page.all() for name in each.classes - known),
        *(f"section without its heading: {each.attributes}" for each in page.all("section") if not _is_named(each)),
        *(f"cannot be scrolled by keys: {each.attributes}" for each in page.all("div") if not _scrolls(each)),
        *(fault for each in page.all("svg") for fault in _undrawn(each)),
        *(f"picture without words: {each.attributes}" for each in _pictures(page) if not _has_words(each)),
        *(fault for each in page.all("table") for fault in _unaligned(each)),
    ]


def _is_named(section: Element) -> bool:
    return section.attributes["aria-labelledby"] in {each.attributes.get("id") for each in section.all("h2")}


def _scrolls(div: Element) -> bool:
    wanted = {"tabindex": "0", "role": "region"}
    return "scroll" not in div.classes or wanted.items() <= div.attributes.items()


def _undrawn(picture: Element) -> Iterator[str]:
    """Yield what has no place in a picture, and shapes above or below it."""
    for each in (picture, *picture.children):
        if lacking := SHAPES.get(each.name, set()) - each.attributes.keys():
            yield f"{each.name} without {', '.join(sorted(lacking))}: {each.attributes}"
    if "%" in (height := picture.attributes["height"]):
        return
    for each in (shape for shape in picture.children if shape.name != "text"):  # words may stand below
        place = {name: float(value) for name, value in each.attributes.items() if re.fullmatch(r"-?[\d.]+", value)}
        top = place.get("cy", place.get("y", 0.0)) - place.get("r", 0.0)
        low = place.get("cy", place.get("y", 0.0)) + place.get("r", place.get("height", 0.0))
        if not 0 <= min(top, place.get("y1", 0.0)) <= max(low, place.get("y2", 0.0)) <= float(height):
            yield f"{each.name} outside of {height} pixels: {each.attributes}"


def _pictures(within: Element) -> Iterator[Element]:
    """Yield the pictures that are in no other."""
    for each in within.children:
        if each.name == "svg":
            yield each
        else:
            yield from _pictures(each)


def _has_words(picture: Element) -> bool:
    stated = picture.attributes
    return stated.get("aria-hidden") == "true" or bool(stated.get("role") == "img" and stated.get("aria-label"))


def _unaligned(table: Element) -> Iterator[str]:
    """Yield the cells that are not aligned as their column's heading is, or not named for screen readers."""
    yield from (f"th without scope: {each.attributes}" for each in table.all("th") if "scope" not in each.attributes)
    heading, *rows = (row.children for row in table.all("tr"))
    for row in rows:
        for head, cell in zip(heading[1:], row[1:], strict=True):
            if head.classes != cell.classes:
                yield f"{cell.classes} below {head.classes}: {cell.attributes}"
