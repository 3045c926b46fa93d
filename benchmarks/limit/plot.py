"""Draw the cost of each way on each shape, compared with the clairvoyant's."""

from collections.abc import Sequence
from math import exp, log
from pathlib import Path

from benchmarks.limit.figures import Row
from benchmarks.limit.shapes import CORE

WAYS = {"full_scan": ("full scan", "s", "#0072b2"), "blog": ("Limit=1", "D", "#d55e00")}
WAYS |= {"best_fixed": ("best fixed Limit in hindsight", "|", "#777777"), "ours": ("Skipscan", "o", "#009e73")}
"""Colours that colour-blind people can distinguish, on white and on black. Markers show the same."""


def plot(rows: Sequence[Row], path: Path) -> None:
    """Write the picture as SVG: geometric means over the seeds, cost in units of the clairvoyant one's."""
    import matplotlib as mpl  # noqa: PLC0415  # takes a second of CPU
    from matplotlib.figure import Figure  # noqa: PLC0415

    compared = [row for row in rows if row.counted == "cost" and row.collections == 20_000 and row.group == CORE]
    shapes = list(dict.fromkeys(row.shape for row in compared))
    mpl.rcParams["svg.hashsalt"] = "skipscan"
    figure = Figure(figsize=(9, 8.5), layout="constrained")
    axes = figure.add_subplot()
    for way, (label, marker, colour) in WAYS.items():
        ratios = [_mean(way, [row for row in compared if row.shape == shape]) for shape in shapes]
        size = 120 if marker == "|" else 38
        axes.scatter(ratios, range(len(shapes)), s=size, marker=marker, color=colour, label=label, zorder=3)
    axes.set_xscale("log")
    axes.set_xlim(0.95, 2000)
    axes.set_xticks([1, 2, 5, 10, 100, 1000], ["1", "2", "5", "10", "100", "1,000"])
    axes.set_yticks(range(len(shapes)), shapes)
    axes.invert_yaxis()
    axes.grid(axis="x", color="#888888", alpha=0.3)
    [request] = {row.request_units for row in compared}
    axes.set_xlabel(f"cost (read units, and {request} for a request), divided by the clairvoyant's")
    axes.legend(loc="upper right", framealpha=0.9)
    figure.savefig(path, metadata={"Date": None}, facecolor="white")


def _mean(way: str, rows: Sequence[Row]) -> float:
    """Return the geometric mean of a way's cost, divided by the clairvoyant's."""
    return exp(sum(log(row.cost(way) / row.cost("clairvoyant")) for row in rows) / len(rows))
