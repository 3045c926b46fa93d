"""HTML and SVG as values: every text and every attribute is escaped, unless it is `Markup` already."""

import re
from collections.abc import Iterable
from html import escape

EMPTY = frozenset({"meta", "link"})
"""HTML elements that have no end tag."""

UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""Characters that HTML or UTF-8 does not allow."""


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
    return Markup(escape(UNPRINTABLE.sub("\ufffd", str(value))))
