"""A card of the page: a heading, a sentence that sums it up, a picture, and the same figures as a table.

HTML and SVG are values: every text and every attribute is escaped, unless it is `Markup` already.
"""

from collections.abc import Iterable, Sequence
from html import escape

from skipscan.inputs.names import visible

EMPTY = frozenset({"meta", "link"})
"""HTML elements that have no end tag."""


class Markup(str):
    """Text that is markup: only `tag`, `joined` and constants of this package make it."""

    __slots__ = ()


Child = str | float | None
"""Text, a number, `Markup`, or nothing."""


def tag(name: str, /, *children: Child | Iterable[Child], **attributes: Child) -> Markup:
    """Return an element. `None` is no child and no attribute; `class_` is class, and `aria_label` is aria-label."""
    stated = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in EMPTY:
        return Markup(f"<{name}{stated}>")
    return Markup(f"<{name}{stated}>{joined(*children)}</{name}>")


def joined(*children: Child | Iterable[Child]) -> Markup:
    """Return several children one after the other."""
    parts: list[str] = []
    for child in children:
        if child is None or isinstance(child, str | int | float):
            parts.append(text(child))
        else:
            parts.extend(map(text, child))
    return Markup("".join(parts))


def text(value: Child) -> Markup:
    """Return a value as escaped text; `Markup` stays what it is."""
    if isinstance(value, Markup):
        return value
    if value is None:
        return Markup()
    if isinstance(value, float):
        return Markup(f"{value:.2f}".rstrip("0").rstrip("."))
    return Markup(escape(visible(str(value))))


TABLE_ROWS = 24
"""The approximate maximum number of rows of a table below a picture."""


MOST_COLUMNS = 4
"""A phone has room for so many; of a table with more, it shows the cells of a row below their labels."""


def card_table(
    caption: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    words: Sequence[int] = (),
    kind: str | None = None,
) -> Markup:
    """Return a table in a frame of its own, which scrolls where it is too wide. The first cell of a row names it.

    `words`: the columns beside the first that hold no figures. `kind`: its class, of a table that is in sight and needs
    no caption there.
    """
    aligned = [None if i == 0 or i in words else "figure" for i in range(len(columns))]
    is_stacked = len(columns) > MOST_COLUMNS and kind != STRIPS
    # The roles stay what they are where the style sheet turns rows into blocks.
    table, row, rowheader, cell = ((is_stacked and role) or None for role in ("table", "row", "rowheader", "cell"))
    labels = columns if is_stacked else [None] * len(columns)
    head = (tag("th", name, scope="col", class_=side) for name, side in zip(columns, aligned, strict=True))
    body = (
        tag(
            "tr",
            tag("th", first, scope="row", role=rowheader),
            (
                tag("td", figure, class_=side, role=cell, data_label=label)
                for figure, side, label in zip(figures, aligned[1:], labels[1:], strict=True)
            ),
            role=row,
        )
        for first, *figures in rows
    )
    content = tag(
        "table",
        tag("caption", caption, class_=kind and "unseen"),
        tag("thead", tag("tr", head)),
        tag("tbody", body),
        class_=kind,
        role=table,
    )
    return tag("div", content, class_="scroll", tabindex="0", role="region", aria_label=caption)


STRIPS = "strips"


def strips(caption: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Markup:
    """Return rows of a name, a strip, and the figures of the strip."""
    return card_table(caption, columns, rows, (1,), STRIPS)


def card(
    name: str,
    title: str,
    summary: str,
    *content: Markup,
    notes: Sequence[str] = (),
    table: Markup | None = None,
    is_broad: bool = False,
) -> Markup:
    """Return a section of the page. `name`: its id. `notes`: what a reader must know to trust it."""
    section = tag(
        "section",
        tag("h2", title, id=f"{name}-title"),
        tag("p", summary, class_="summary"),
        content,
        (tag("p", note, class_="note") for note in notes),
        None if table is None else _folded(title, table),
        class_="card",
        id=name,
        aria_labelledby=f"{name}-title",
    )
    return tag("div", section, class_="cell broad" if is_broad else "cell")


def chart(title: str, colour: str | None, picture: Markup) -> Markup:
    """Return a picture under its title, which a swatch of its colour marks."""
    swatch = None if colour is None else tag("span", class_=f"swatch {colour}", aria_hidden="true")
    return tag("div", tag("p", swatch, title, class_="chart"), tag("div", picture, class_="picture"))


def _folded(title: str, table: Markup) -> Markup:
    words = tag("summary", "The figures as a table", tag("span", f": {title}", class_="unseen"))
    return tag("details", words, table)
