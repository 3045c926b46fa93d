"""How Skipscan stands beside each peer, as one page: a table, and a bar for each row.

A folder of `benchmarks` that has a function `standing(figures)` joins by itself. It takes all figures of
`build/bench.json` and returns its rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib import import_module
from math import log10
from pathlib import Path
from typing import Any, NamedTuple

PAGE = Path("build/bench.html")
WIDTH, MOST = 240, 3.0
"""Pixels of a bar on each side of 1, and the power of ten at which it is full."""


class Standing(NamedTuple):
    """One comparison. `times`: how many times better we are; below 1, the peer is better."""

    peer: str
    figure: str
    ours: float
    theirs: float
    times: float

    @classmethod
    def less(cls, peer: str, figure: str, ours: float, theirs: float) -> "Standing":
        """Compare a figure that is better when smaller: read units, seconds, dollars."""
        return cls(peer, figure, ours, theirs, theirs / ours)

    @classmethod
    def more(cls, peer: str, figure: str, ours: float, theirs: float) -> "Standing":
        """Compare a figure that is better when larger, such as items a second."""
        return cls(peer, figure, ours, theirs, ours / theirs)


def standings(folders: Sequence[str], figures: Mapping[str, Any]) -> dict[str, list[Standing]]:
    """Return the rows of the folders that have any."""
    modules = {folder: import_module(f"benchmarks.{folder}") for folder in folders}
    return {name: list(module.standing(figures)) for name, module in modules.items() if hasattr(module, "standing")}


def page(rows: Mapping[str, Sequence[Standing]]) -> str:
    """Return the page as HTML that loads nothing."""
    return "\n".join(
        (
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Skipscan beside its peers</title>',
            "<style>body{font:15px system-ui;margin:2rem}td,th{padding:.3rem .8rem;text-align:left}"
            "td.n,th.n{text-align:right}tr:hover{background:#8882}</style>",
            "<h1>Skipscan beside its peers</h1>",
            "<p>Measured by <code>make bench</code> on this machine, on emulators, not on AWS. "
            "Green: Skipscan is better. Each tick is a factor of ten.</p>",
            '<table><tr><th>question<th>peer<th>figure<th class="n">Skipscan<th class="n">peer<th class="n">times<th>',
            *(line for folder, own in rows.items() for line in _lines(folder, own)),
            "</table></html>",
        )
    )


def _lines(folder: str, rows: Sequence[Standing]) -> Iterator[str]:
    for row in rows:
        cells = f"<td>{escape(folder)}<td>{escape(row.peer)}<td>{escape(row.figure)}"
        yield (
            f'<tr>{cells}<td class="n">{_number(row.ours)}<td class="n">{_number(row.theirs)}'
            f'<td class="n">{row.times:.2f}<td>{_bar(row)}'
        )


def _bar(row: Standing) -> str:
    power = max(-MOST, min(MOST, log10(row.times)))
    length, colour = abs(power) / MOST * WIDTH, "#1a7f37" if power >= 0 else "#cf222e"
    begin = WIDTH if power >= 0 else WIDTH - length
    places = (WIDTH + tick * WIDTH / MOST for tick in range(-int(MOST), int(MOST) + 1))
    ticks = "".join(f'<path d="M{place:.0f} 0v18" stroke="#8888"/>' for place in places)
    return (
        f'<svg width="{2 * WIDTH}" height="18" role="img" aria-label="{row.times:.2f} times">{ticks}'
        f'<rect x="{begin:.1f}" y="3" width="{max(length, 1):.1f}" height="12" fill="{colour}"/></svg>'
    )


def _number(figure: float) -> str:
    return f"{figure:,.0f}" if abs(figure) >= 100 else f"{figure:,.4g}"
