"""A matplotlib figure as SVG that goes into a page: its colours are the page's, its text is text, its names its own."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

# Stand-ins: the page's style sheet has the colours, for light and for dark.
INK, MUTED, GRID, KEYS, UNITS, SURFACE = "#010203", "#040506", "#070809", "#0a0b0c", "#0d0e0f", "#101112"
VARIABLES = {INK: "ink", MUTED: "muted", GRID: "grid", KEYS: "keys", UNITS: "units", SURFACE: "surface"}

INCHES = {"broad": 14.4, "wide": 6.9, "narrow": 4.5}
"""Of windows that have room for one, for two beside each other, and for small ones."""

POINTS = 11.5

STEPS = (1, 2, 2.5, 5, 10)

STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.size": POINTS,
    "text.color": INK,
    "axes.edgecolor": GRID,
    "axes.labelcolor": MUTED,
    "axes.titlecolor": INK,
    "axes.titlesize": POINTS,
    "axes.titlelocation": "left",
    "axes.titleweight": "normal",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.major.pad": 6,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "xtick.minor.size": 0,
    "ytick.minor.size": 0,
    "lines.linewidth": 1.8,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}

Draw = Callable[[Figure], None]


def drawn(name: str, draw: Draw, width: str, inches: float) -> str:
    """Return a picture as an SVG element. `name`: unique in the page, as ids are. `inches`: its height."""
    name = f"{name}-{width}"
    with _style(name):
        figure = Figure(figsize=(INCHES[width], inches), layout="constrained")
        draw(figure)
        out = StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _fitted(out.getvalue(), name)


def number(value: float, _place: object = None) -> str:
    """Return a number as an axis shows it: 800, 12k, 1.5M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            unit = 1e3 if letter == "k" else size
            return f"{value / unit:.3g}{letter}"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.3g}"


def plain(axes: Axes, *, grid: str = "y", ticks: int = 4) -> None:
    """Give axes the look that all share: few ticks, short numbers, a grid across one direction."""
    axes.grid(visible=False, which="both")
    axes.grid(visible=True, axis=grid)  # type: ignore[arg-type]  # "x" or "y"
    axis = axes.yaxis if grid == "y" else axes.xaxis
    axis.set_major_locator(MaxNLocator(ticks, steps=STEPS, min_n_ticks=2))
    axis.set_major_formatter(FuncFormatter(number))


@contextmanager
def _style(name: str) -> Iterator[None]:
    # The salt makes the same run the same page, byte by byte.
    with mpl.rc_context({**STYLE, "svg.hashsalt": name}):
        yield


def _fitted(svg: str, name: str) -> str:
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->|<defs>\s*<style[^>]*>.*?</style>\s*</defs>", "", svg, flags=re.S)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r' xmlns(:xlink)?="[^"]*"| version="1.1"', "", svg)
    svg = svg.replace("xlink:href", "href")
    # Ids are a page's, not a picture's. Groups are named for nobody.
    svg = re.sub(r'<g id="[^"]*">', "<g>", svg)
    svg = re.sub(r'\bid="([^"]*)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r'(url\(|href=")#', rf"\1#{name}-", svg)
    svg = re.sub(r"font: ([\d.]+)px [^;\"]*", r"font-size: \1px", svg)
    svg = re.sub(r"\d+\.\d{2,}", lambda match: f"{float(match[0]):.1f}", svg)
    for colour, variable in VARIABLES.items():
        svg = svg.replace(colour, f"var(--{variable})")
    return re.sub(r"\s*\n\s*", "\n", svg).strip()
