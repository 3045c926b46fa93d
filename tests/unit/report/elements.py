"""The elements of a page, for tests of what all pages keep."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from skipscan.report.card import EMPTY


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
            (x / float(frames[id(path)].attributes["viewbox"].split()[2]), value(y)) for x, y in places(path)
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


def places(path: Element) -> Iterator[tuple[float, float]]:
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
