"""A document of figures as a sheet that a person reads: a line for each, whatever the document is of."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table


def sheet(document: Mapping[str, Any]) -> RenderableType:
    """Return the document with its names in words; a list has a line for each that differs."""
    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim", no_wrap=True)
    rows.add_column(overflow="fold")
    for name, value in document.items():
        lines = _lines(value) if value is not None else ["none" if name.startswith("max_") else "not known"]
        for number, text in enumerate(lines):
            rows.add_row("" if number else name.replace("_", " "), text)
    return rows


def _lines(value: object) -> Iterator[str]:
    if value and isinstance(value, Mapping) and all(isinstance(one, Mapping) for one in value.values()):
        yield from (f"{name}: {_text(one)}" for name, one in value.items())
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield from dict.fromkeys(map(_text, value)) if value else ("none",)
    else:
        yield _text(value)


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, float):
        return f"{value:,.6f}".rstrip("0").rstrip(".")
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Mapping):
        if all(isinstance(one, str | int | float) or one is None for one in value.values()):
            return ", ".join(f"{name} {_text(one)}" for name, one in value.items()) or "none"
        return json.dumps(value, ensure_ascii=False)
    return str(value)
