"""What a reader, a screen reader or a phone would miss on a page."""

import re
from collections.abc import Iterator, Sequence

from skipscan.report.card import MOST_COLUMNS
from tests.unit.report.elements import Element, parsed, places

SHAPES = {
    "svg": {"width", "height"},
    "line": {"x1", "x2", "y1", "y2", "class"},
    "rect": {"width", "height", "class"},
    "circle": {"cx", "cy", "r", "class"},
    "path": {"d", "class"},
    "text": {"x", "y"},
}
"""Without these attributes a browser draws nothing, draws it in a corner, or in black."""

HTML = "html head title meta link style body header nav main section div footer h1 h2 h3 p a b span ol li dl dt dd"
TABLES, DRAWINGS = "details summary table caption thead tbody tr th td", "svg line rect circle path text"
KNOWN = {*HTML.split(), *TABLES.split(), *DRAWINGS.split()}
"""Browsers show the content of other elements as plain text, without its meaning or its place."""

COLOURS = {"keys", "units", "other"}

BARE = frozenset({"complete", "first", "plot", "tick"})
"""Classes without a rule of their own in the style sheet: they name what the style sheet leaves as it is."""


def styled(html: str) -> set[str]:
    """Return the classes that the page's style sheet has rules for."""
    style = "".join(re.findall(r"<style>(.*?)</style>", html, re.DOTALL))
    return set(re.findall(r"\.([a-z][\w-]*)", re.sub(r"\{[^{}]*\}", "{}", style)))


def faults(html: str) -> list[str]:
    """Return what a reader, a screen reader or a phone would miss on the page."""
    page, known = parsed(html), styled(html) | BARE
    ids = [each.attributes["id"] for each in page.all() if "id" in each.attributes]
    return [
        *(f"unknown element: {name}" for name in {each.name for each in page.all()} - KNOWN),
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
    if picture.attributes.get("preserveaspectratio", "") != ("none" if "viewbox" in picture.attributes else ""):
        yield f"not stretched to its width: {picture.attributes}"
    if "%" in (height := picture.attributes["height"]):
        return
    for each in (shape for shape in picture.children if shape.name != "text"):  # words may stand below
        place = {name: float(value) for name, value in each.attributes.items() if re.fullmatch(r"-?[\d.]+", value)}
        top = place.get("cy", place.get("y", 0.0)) - place.get("r", 0.0)
        low = place.get("cy", place.get("y", 0.0)) + place.get("r", place.get("height", 0.0))
        drawn = list(places(each)) if each.name == "path" else []
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
