"""The elements of a page, for tests of what all pages keep."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from skipscan.report.card import EMPTY, MOST_COLUMNS

SHAPES = {
    "svg": {"width", "height"},
    "line": {"x1", "x2", "y1", "y2", "class"},
    "rect": {"width", "height", "class"},
    "circle": {"cx", "cy", "r", "class"},
    "path": {"d", "class"},
    "text": {"x", "y"},
}
"""Without these attributes a browser draws nothing, draws it in a corner, or in black."""

COLOURS = {"keys", "units", "other"}

BARE = frozenset({"complete", "first", "plot", "tick"})
"""Classes without a rule of their own in the style sheet: they name what the style sheet leaves as it is."""


@dataclass
class Element:
    """`attributes`: without a value, an empty text. `content`: texts and elements within, in the order of the page."""

    name: str
    attributes: dict[str, str]
    content: list["str | Element"] = field(default_factory=list)

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())

    @property
    def children(self) -> list["Element"]:
        return [each for each in self.content if isinstance(each, Element)]

    @property
    def text(self) -> str:
        """Its own text, without that of the elements in it."""
        return "".join(each for each in self.content if isinstance(each, str))

    @property
    def spoken(self) -> str:
        """All text within, as it is read aloud."""
        words = " ".join(each if isinstance(each, str) else each.spoken for each in self.content)
        return re.sub(r" +([:.,] )", r"\1", " ".join(words.split()))

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
        self.open[-1].content.append(element)
        if tag not in EMPTY:
            self.open.append(element)

    def handle_data(self, data: str) -> None:
        self.open[-1].content.append(data)

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


def answer(html: str) -> str:
    """Return the sentence that a page answers."""
    return next(each.spoken for each in parsed(html).all("h2") if "answer" in each.classes)


def figures_on(html: str) -> dict[str, str]:
    """Return the figures of the page by their headings: those at its top with their notes, and the facts."""
    lists = [each for each in parsed(html).all("dl") if each.classes & {"figures", "facts"}]
    rows = [[each.spoken for each in row.children] for found in lists for row in found.children]
    return dict(rows)


def links(html: str) -> dict[str, str]:
    """Return what the page links to elsewhere."""
    return {each.spoken: each.attributes["href"] for nav in parsed(html).all("nav") for each in nav.all("a")}


def aloud(markup: str) -> list[str]:
    """Return what is read aloud, in order: a line for each heading, paragraph, row, figure, and picture in words."""
    return list(filter(None, _lines(parsed(markup))))


def _lines(within: Element) -> Iterator[str]:
    for each in within.children:
        if each.name == "svg":
            yield f"({label})" if (label := each.attributes.get("aria-label")) else ""
        elif each.name in {"h1", "h2", "h3", "p", "summary", "caption", "a"}:
            yield each.spoken
        elif each.name == "tr":
            yield " | ".join(cell.spoken for cell in each.children)
        elif [child.name for child in each.children][:2] == ["dt", "dd"]:
            yield ": ".join(child.spoken for child in each.children)
        else:
            yield from _lines(each)


def tracks(markup: str) -> list[str]:
    """Return what each strip of a table draws: its shapes with their places across, in the order of the page."""
    found = []
    for strip in parsed(markup).all("svg"):
        if "track" in strip.classes:
            places = (
                (
                    each.attributes["class"],
                    *(each.attributes[at] for at in ("x", "width", "x1", "cx") if at in each.attributes),
                )
                for each in strip.children
            )
            found.append(", ".join(map(" ".join, places)))
    return found


UNITS = {"s": 1, "min": 60, "h": 3600, "d": 86_400, "k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


def amount(label: str) -> float:
    """Return the number that a tick's label states, in seconds for a time."""
    number, unit = re.fullmatch(r"([\d.,]+(?:e-\d+)?) ?([a-zA-Z]*)", label).groups()  # type: ignore[union-attr]
    return float(number.replace(",", "")) * UNITS.get(unit, 1)


@dataclass
class Chart:
    """What a picture with axes says: places across from 0 to 1, heights in the values of its ticks.

    `marks`: by classes, the places that a shape goes through. `labels`: words at the height of their line or place.
    `top`: the value at the upper edge.
    `times`: ticks across, by their place.
    """

    ticks: dict[float, str]
    times: dict[float, str]
    marks: dict[str, list[tuple[float, float]]]
    labels: dict[str, float]
    top: float


def charts(markup: str) -> list[Chart]:
    """Return the pictures with axes."""
    return [_chart(each) for each in parsed(markup).all("svg") if "plot" in each.classes]


def _chart(plot: Element) -> Chart:
    texts = [each for each in plot.children if each.name == "text"]
    heights = {float(each.attributes["y"]): each.text for each in texts if {"tick", "y"} <= each.classes}
    (low, first), *_, (top, last) = heights.items()

    def value(pixels: float) -> float:
        return (low - pixels) / (low - top) * amount(last)

    assert amount(first) == 0
    frames = {id(path): frame for frame in plot.all("svg") for path in frame.children}
    marks = {
        path.attributes["class"]: [
            (x / float(frames[id(path)].attributes["viewbox"].split()[2]), value(y)) for x, y in _places(path)
        ]
        for path in plot.all("path")
    }
    across = {
        float(each.attributes["x"].removesuffix("%")) / 100: each.text
        for each in texts
        if "tick" in each.classes and "y" not in each.classes
    }
    return Chart(
        {value(pixels): label for pixels, label in heights.items()},
        across,
        marks,
        # Words stand some pixels above their line or place.
        {each.text: value(float(each.attributes["y"]) + 7) for each in texts if "label" in each.classes},
        value(0),
    )


def _places(path: Element) -> Iterator[tuple[float, float]]:
    """Yield the places that a path goes through."""
    x = y = 0.0
    for command, numbers in re.findall(r"([MLVHhZ])([-\d.,]*)", path.attributes["d"]):
        found = [float(each) for each in numbers.split(",") if each]
        match command:
            case "M" | "L":
                x, y = found
            case "V":
                [y] = found
            case "h":
                x += found[0]
        if command != "Z":
            yield x, y


def styled(html: str) -> set[str]:
    """Return the classes that the page's style sheet has rules for."""
    style = "".join(re.findall(r"<style>(.*?)</style>", html, re.DOTALL))
    return set(re.findall(r"\.([a-z][\w-]*)", re.sub(r"\{[^{}]*\}", "{}", style)))


def faults(html: str) -> list[str]:
    """Return what a reader, a screen reader or a phone would miss on the page."""
    page, known = parsed(html), styled(html) | BARE
    ids = [each.attributes["id"] for each in page.all() if "id" in each.attributes]
    return [
        *(f"two have the id {name}" for name in set(ids) if ids.count(name) > 1),
        *(f"class {name} has no style" for each in page.all() for name in each.classes - known),
        *(f"section without its heading: {each.attributes}" for each in page.all("section") if not _is_named(each)),
        *(f"cannot be scrolled by keys: {each.attributes}" for each in page.all("div") if not _scrolls(each)),
        *(fault for each in page.all("svg") for fault in (*_undrawn(each), *_unlabelled(each))),
        *(f"picture without words: {each.attributes}" for each in _pictures(page) if not _has_words(each)),
        *(f"colour without its legend: {each.spoken}" for each in page.all("div") if not _has_legend(each)),
        *(fault for each in page.all("table") for fault in _unaligned(each)),
        *(f"leads nowhere: {each.attributes}" for each in page.all("a") if not _leads(each, ids)),
    ]


def _leads(link: Element, ids: Sequence[str]) -> bool:
    target = link.attributes.get("href", "")
    return target.startswith("https://") or target.removeprefix("#") in ids


def _is_named(section: Element) -> bool:
    return section.attributes["aria-labelledby"] in {each.attributes.get("id") for each in section.all("h2")}


def _scrolls(div: Element) -> bool:
    wanted = {"tabindex": "0", "role": "region"}
    return "scroll" not in div.classes or wanted.items() <= div.attributes.items()


def _undrawn(picture: Element) -> Iterator[str]:
    """Yield what has no place in a picture, and shapes that reach out of it."""
    for each in (picture, *picture.children):
        if lacking := SHAPES.get(each.name, set()) - each.attributes.keys():
            yield f"{each.name} without {', '.join(sorted(lacking))}: {each.attributes}"
    if "%" in (height := picture.attributes["height"]):
        return
    for each in (shape for shape in picture.children if shape.name != "text"):  # words may stand below
        place = {name: float(value) for name, value in each.attributes.items() if re.fullmatch(r"-?[\d.]+", value)}
        top = place.get("cy", place.get("y", 0.0)) - place.get("r", 0.0)
        low = place.get("cy", place.get("y", 0.0)) + place.get("r", place.get("height", 0.0))
        drawn = list(_places(each)) if each.name == "path" else []
        highest, lowest = (end([*(y for _, y in drawn), 0.0]) for end in (min, max))
        if not 0 <= min(top, place.get("y1", 0.0), highest) <= max(low, place.get("y2", 0.0), lowest) <= float(height):
            yield f"{each.name} outside of {height} pixels: {each.attributes}"
        if "track" in picture.classes and top + low != float(height) and each.name != "line":
            yield f"{each.name} not in the middle of {height} pixels: {each.attributes}"
        begin, wide = (float(each.attributes.get(name, "0").rstrip("%")) for name in ("x", "width"))
        ends = [x / 10 for x, _ in drawn] or [begin, begin + wide]
        if not 0 <= min(ends) <= max(ends) <= 100.31:  # what is too short to be seen has 0.3 %
            yield f"{each.name} outside of the width: {each.attributes}"


def _unlabelled(picture: Element) -> Iterator[str]:
    """Yield the lines of a grid that have no label at their height."""
    labels = {each.attributes["y"] for each in picture.children if each.name == "text" and "y" in each.classes}
    for each in picture.children:
        if "grid" in each.classes and not (each.attributes["y1"] == each.attributes["y2"] in labels):
            yield f"line of a grid without its label: {each.attributes}"


def _has_legend(chart: Element) -> bool:
    """Return whether the swatch above a picture has the colour of what is drawn in the picture."""
    swatches = {name for each in chart.all("span") if "swatch" in each.classes for name in each.classes & COLOURS}
    is_chart = any("picture" in each.classes for each in chart.children)
    return not is_chart or swatches == {name for each in chart.all("path") for name in each.classes & COLOURS}


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
    """Yield the cells that are not aligned as their column's heading is, or not named for screen readers and phones."""
    heading, *rows = (row.children for row in table.all("tr"))
    is_stacked = table.attributes.get("role") == "table"
    if is_stacked != (len(heading) > MOST_COLUMNS and "strips" not in table.classes):
        yield f"not for a phone: {table.attributes}"
    if is_stacked and {row.attributes.get("role") for row in next(table.all("tbody")).children} != {"row"}:
        yield f"rows without their role: {table.attributes}"
    if any(head.attributes.get("scope") != "col" for head in heading):
        yield f"th without scope: {table.attributes}"
    for head, *cells in zip(heading, *rows, strict=True):
        named, wanted = {"scope": "row"}, {"role": "rowheader"}
        if head is not heading[0]:
            named, wanted = {}, {"data-label": head.text, "role": "cell"}
        for cell in cells:
            if cell.classes != head.classes:
                yield f"{cell.classes} below {head.classes}: {cell.attributes}"
            if not (named | (wanted if is_stacked else {})).items() <= cell.attributes.items():
                yield f"{cell.name} without {named | wanted}: {cell.attributes}"
