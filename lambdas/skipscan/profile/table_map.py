"""The map of a table: a band for each type of items with a field for each attribute, to scale by bytes."""

from collections.abc import Iterator, Mapping, Sequence

from skipscan.inputs.quantities import about_percent
from skipscan.profile.attributes import Attribute
from skipscan.profile.entity_types import EntityType
from skipscan.report.card import Markup, card, tag
from skipscan.report.svg import percent

HEIGHT, GAP = 300, 2
WORDS_HEIGHT, LETTER_WIDTH, INDENT = 16, 7, 6
"""A field has its name where the whole name has room, in pixels. A browser shows every name beside the pointer."""

PHONE_WIDTH, DESK_WIDTH = 300, 560
"""The width of a map on a small phone, and where the page's style does not hide what is `roomy` (page.css)."""

SHADES = 4
"""The attributes that take the most bytes have a colour each, the same in every band; all others share one."""

OTHERS = "without a common prefix"


def table_map(table: str, types: Sequence[EntityType], attributes: Sequence[Attribute]) -> Markup | None:
    """Return the card of the map, and its text for screen readers."""
    if not attributes:
        return None
    bands = [*_bands(table, types, attributes)]
    says = "; ".join(f"{name} {about_percent(share)} of the bytes" for name, share, _ in bands)
    colours = {one.name: f"shade{number}" for number, one in enumerate(attributes[:SHADES])}
    more = [("all others", REST)] if any(name not in colours for _, _, fields in bands for name, _ in fields) else []
    legend = (
        tag("span", tag("span", class_=f"swatch {colour}", aria_hidden="true"), name)
        for name, colour in (*colours.items(), *more)
    )
    return card(
        "map",
        "What takes the space",
        "Heights: types of items. Widths: their attributes. Drawn to scale by bytes.",
        tag("svg", _drawn(bands, colours), class_="map", width="100%", height=HEIGHT, role="img", aria_label=says),
        tag("p", legend, class_="legend"),
        is_broad=True,
    )


REST = "rest"
"""The colour of an attribute that has none of its own."""

Band = tuple[str, float, list[tuple[str, float]]]


def _bands(table: str, types: Sequence[EntityType], attributes: Sequence[Attribute]) -> Iterator[Band]:
    """Return each type with its share of the bytes, and the shares of its attributes within it."""
    left = 1.0
    for one in types:
        left -= one.bytes.estimate
        yield one.prefix, one.bytes.estimate, _whole(list(one.attributes.items()))
    if not types:
        yield table, left, _whole([(one.name, one.bytes_share.estimate) for one in attributes])
    elif left > 0.005:
        yield OTHERS, left, [(OTHERS, 1.0)]


def _whole(fields: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Return the fields and a field for the rest, so that they fill a band."""
    rest = 1 - sum(share for _, share in fields)
    return [*fields, ("others", rest)] if rest > 0.001 else fields


def _drawn(bands: list[Band], colours: Mapping[str, str]) -> Iterator[Markup]:
    top = 0.0
    for name, share, fields in bands:
        height, left = share * HEIGHT, 0.0
        for number, (attribute, part) in enumerate(fields):
            words = f"{name}: {attribute}" if number == 0 and attribute != name and len(bands) > 1 else attribute
            width = len(words) * LETTER_WIDTH + 2 * INDENT
            has_room = height >= WORDS_HEIGHT and part * DESK_WIDTH >= width
            shown_on = None if part * PHONE_WIDTH >= width else "roomy"
            yield tag(
                "svg",  # it clips the words
                tag("title", words),
                tag(
                    "rect",
                    class_=f"field {colours.get(attribute, REST)}",
                    width="100%",
                    height=max(0.5, height - GAP),
                ),
                tag("text", words, class_=shown_on, x=INDENT, y=min(height / 2 + 4, 18)) if has_room else None,
                x=percent(left),
                y=top,
                width=percent(part),
                height=max(0.5, height - GAP),
            )
            left += part
        top += height
