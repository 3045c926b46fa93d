"""A card of the page: a heading, a sentence that sums it up, a picture, and the same figures as a table.

HTML and SVG are values: every text and every attribute is escaped, unless it is `Markup` already.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class CardTable:
    """`rows`: of cells, the first of which names the row. Columns but the first hold figures, except `words`."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: Sequence[int] = ()

    def markup(self) -> Markup:
        """Return the table in a frame of its own, which scrolls where it is too wide."""
        kinds = [None if i == 0 or i in self.words else "figure" for i in range(len(self.columns))]
        head = (tag("th", name, scope="col", class_=kind) for name, kind in zip(self.columns, kinds, strict=True))
        is_wide = len(self.columns) > MOST_COLUMNS
        # The roles stay what they are where the style sheet turns rows into blocks.
        table, row, rowheader, cell = ((is_wide and role) or None for role in ("table", "row", "rowheader", "cell"))
        labels = self.columns if is_wide else [None] * len(kinds)
        rows = (
            tag(
                "tr",
                tag("th", first, scope="row", role=rowheader),
                (
                    tag("td", figure, class_=kind, role=cell, data_label=label)
                    for figure, kind, label in zip(figures, kinds[1:], labels[1:], strict=True)
                ),
                role=row,
            )
            for first, *figures in self.rows
        )
        content = tag("caption", self.caption), tag("thead", tag("tr", head)), tag("tbody", rows)
        return scrolled(self.caption, tag("table", *content, class_="stacked" if is_wide else None, role=table))


def scrolled(caption: str, table: Markup) -> Markup:
    """Return a table in a frame of its own, which scrolls where the table is too wide."""
    return tag("div", table, class_="scroll", tabindex="0", role="region", aria_label=caption)


Strip = tuple[str, Markup, Sequence[str]]
"""A row: a name, a strip, and the figures of the strip."""


def strips(caption: str, columns: Sequence[str], rows: Iterable[Strip]) -> Markup:
    """Return rows of strips as a table. `columns`: of the name, the strip, and each figure."""
    first, second, *others = columns
    head = tag(
        "tr",
        tag("th", first, scope="col"),
        tag("th", second, scope="col", class_="strip"),
        (tag("th", name, scope="col", class_="figure") for name in others),
    )
    body = (
        tag(
            "tr",
            tag("th", name, scope="row"),
            tag("td", track, class_="strip"),
            (tag("td", figure, class_="figure") for figure in figures),
        )
        for name, track, figures in rows
    )
    named = tag("caption", caption, class_="unseen")
    return scrolled(caption, tag("table", named, tag("thead", head), tag("tbody", body), class_="strips"))


def card(
    name: str,
    title: str,
    summary: str,
    *content: Markup,
    notes: Sequence[str] = (),
    table: CardTable | None = None,
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


def _folded(title: str, table: CardTable) -> Markup:
    words = tag("summary", "The figures as a table", tag("span", f": {title}", class_="unseen"))
    return tag("details", words, table.markup())
