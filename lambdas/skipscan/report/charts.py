"""The pictures of a run. Each takes what it shows and returns how to draw it; words and tables stand beside it."""

from collections.abc import Callable, Sequence
from math import log10

from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter

from skipscan.report.comparison import Expected
from skipscan.report.picture import INK, KEYS, MUTED, POINTS, STEPS, SURFACE, UNITS, Draw, number, plain
from skipscan.report.record import Visit
from skipscan.report.seen_lengths import SeenLengths
from skipscan.report.timeline import Timeline
from skipscan.report.worker import Worker


def progress(line: Timeline) -> Draw:
    """Keys found by then above the read units of every second."""

    def draw(figure: Figure) -> None:
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
        times, unit, scale = _times(line)
        keys = [0.0, *line.keys_by_then]
        above.fill_between([0.0, *times], keys, color=KEYS, alpha=0.14, linewidth=0)
        above.plot([0.0, *times], keys, color=KEYS)
        above.set_title("Keys found")
        units = [stretch.read_units / line.seconds for stretch in line.stretches]
        edges = [0.0, *times]
        below.stairs(units, edges, fill=True, color=UNITS, alpha=0.22)
        below.stairs(units, edges, color=UNITS, linewidth=1.4)
        below.set_title("Read units per second")
        below.set_xlabel(unit)
        for axes in (above, below):
            plain(axes)
            axes.set_ylim(bottom=0)
            axes.set_xlim(0, line.end_seconds / scale)
        _time_axis(below)

    return draw


def throttling(line: Timeline) -> Draw:
    """Refused requests of every second."""

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        times, unit, scale = _times(line)
        refused = [stretch.throttles / line.seconds for stretch in line.stretches]
        axes.stairs(refused, [0.0, *times], fill=True, color=UNITS)
        axes.set_title("Requests refused per second")
        axes.set_xlabel(unit)
        plain(axes)
        axes.set_ylim(bottom=0)
        axes.set_xlim(0, line.end_seconds / scale)
        _time_axis(axes)

    return draw


def limits(line: Timeline) -> Draw:
    """The typical Limit over time, and the range in which most pages' lie."""

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        times, unit, scale = _times(line)
        half = line.seconds / 2 / scale
        told = [
            (time - half, *stretch.limits)
            for time, stretch in zip(times, line.stretches, strict=True)
            if stretch.limits
        ]
        at = [point[0] for point in told]
        axes.fill_between(at, [p[1] for p in told], [p[3] for p in told], color=KEYS, alpha=0.16, linewidth=0)
        axes.plot(at, [p[2] for p in told], color=KEYS, marker="o" if len(told) < 12 else None, markersize=4)
        axes.set_title("Limit: items a page may evaluate")
        axes.set_xlabel(unit)
        axes.set_xlim(0, line.end_seconds / scale)
        _logarithmic(axes.yaxis, min(p[1] for p in told), max(p[3] for p in told), axes.set_ylim)
        axes.grid(visible=False)
        axes.grid(visible=True, axis="y")
        _time_axis(axes)

    return draw


def lengths(seen: SeenLengths) -> Draw:
    """The share of item collections by length."""

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        shares = [100 * bar.share for bar in seen.bars]
        rows = range(len(shares))
        # What only "or more" is known of is drawn as an outline.
        for row, (bar, share) in enumerate(zip(seen.bars, shares, strict=True)):
            axes.barh(row, share, height=0.72, color="none" if bar.longest is None else KEYS, edgecolor=KEYS)
            label = f"{share:.1f} %"
            axes.annotate(
                label,
                (share, row),
                xytext=(5, 0),
                textcoords="offset points",
                va="center",
                color=MUTED,
                fontsize=POINTS - 1,
            )
        axes.set_yticks(rows, [bar.label for bar in seen.bars])
        axes.set_title("Items in a collection", x=0)
        axes.set_xlabel("share of item collections, %")
        plain(axes, grid="x")
        axes.tick_params(axis="y", labelcolor=INK)
        axes.set_xlim(0, max(shares) * 1.18)
        axes.set_ylim(len(shares) - 0.5, -0.5)

    return draw


def segments(visits: Sequence[Visit]) -> Draw:
    """Read units and keys of each segment, the dearest first."""

    def draw(figure: Figure) -> None:
        above, below = figure.subplots(2, 1, sharex=True)
        edges = [0.5 + place for place in range(len(visits) + 1)]
        for axes, title, colour, figures in (
            (above, "Read units by segment", UNITS, [visit.read_units for visit in visits]),
            (below, "Keys by segment, in the same order", KEYS, [float(visit.keys) for visit in visits]),
        ):
            if len(visits) <= 40:
                axes.bar(range(1, len(visits) + 1), figures, color=colour, width=0.72)
            else:
                axes.stairs(figures, edges, fill=True, color=colour, alpha=0.5)
            mean = sum(figures) / len(figures)
            axes.axhline(mean, color=INK, linewidth=1, linestyle=(0, (3, 3)))
            axes.set_title(title)
            plain(axes)
            axes.set_xlim(0.3, len(visits) + 0.7)
            axes.set_ylim(0, max(*figures, 1.0) * 1.08)
        below.xaxis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))
        below.xaxis.set_major_formatter(FuncFormatter(lambda place, _: number(round(place)) if place >= 1 else ""))
        below.set_xlabel("segments, the dearest first; dashed: the mean")

    return draw


def workers(shown: Sequence[Worker], end_seconds: float) -> Draw:
    """When each worker was at work, batch by batch."""

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        scale, unit = _scale(end_seconds)
        thick = 0.64
        for row, worker in enumerate(shown):
            spans = [(begin / scale, max(length, end_seconds / 400) / scale) for begin, length in worker.batches]
            axes.broken_barh(spans, (row - thick / 2, thick), facecolor=KEYS, edgecolor=SURFACE, linewidth=0.8)
        axes.set_yticks(range(len(shown)), [f"worker {worker.worker}" for worker in shown])
        axes.tick_params(axis="y", labelcolor=INK)
        axes.set_ylim(len(shown) - 0.4, -0.6)
        axes.set_xlim(0, end_seconds / scale)
        axes.set_xlabel(unit)
        axes.grid(visible=False)
        axes.grid(visible=True, axis="x")
        _time_axis(axes)

    return draw


def expected(rows: Sequence[Expected]) -> Draw:
    """What was expected, in parts of what came."""

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        low = min([0.5, *(row.low for row in rows)])
        high = max([2.0, *(row.high for row in rows)])
        for place, row in enumerate(rows):
            axes.plot([row.low, row.high], [place, place], color=UNITS, linewidth=7, alpha=0.35, solid_capstyle="round")
            axes.plot([row.estimate], [place], "o", color=UNITS, markersize=7)
        axes.axvline(1, color=INK, linewidth=1.2)
        axes.set_xscale("log")
        _logarithmic(axes.xaxis, low, high, axes.set_xlim)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.set_yticks(range(len(rows)), [row.name for row in rows])
        axes.tick_params(axis="y", labelcolor=INK)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlabel("estimate, in parts of what came")
        axes.grid(visible=False)
        axes.grid(visible=True, axis="x")

    return draw


def _times(line: Timeline) -> tuple[list[float], str, float]:
    """Return the stretches' ends, their unit in words, and its seconds."""
    scale, unit = _scale(line.end_seconds)
    return [stretch.end_seconds / scale for stretch in line.stretches], unit, scale


def _scale(end_seconds: float) -> tuple[float, str]:
    for seconds, unit in ((86_400.0, "days"), (3_600.0, "hours"), (60.0, "minutes")):
        if end_seconds > 3 * seconds:
            return seconds, f"{unit} since the first batch began"
    return 1.0, "seconds since the first batch began"


def _time_axis(axes: object) -> None:
    axis = axes.xaxis  # type: ignore[attr-defined]
    axis.set_major_locator(MaxNLocator(6, steps=STEPS, min_n_ticks=2))
    axis.set_major_formatter(FuncFormatter(number))


def _logarithmic(axis: object, low: float, high: float, set_limits: Callable[[float, float], object]) -> None:
    """Set up a logarithmic axis that has whole 1, 2, 5 steps as ticks, and shows at least two of them."""
    axis.axes.set(**{f"{axis.axis_name}scale": "log"})  # type: ignore[attr-defined]
    low, high = low / 1.15, high * 1.15
    ticks = [digit * 10.0**power for power in range(-3, 9) for digit in (1, 2, 5)]
    below = max((tick for tick in ticks if tick <= low), default=low)
    above = min((tick for tick in ticks if tick >= high), default=high)
    if log10(above / below) > 3:
        ticks = [10.0**power for power in range(-3, 9)]
    axis.set_major_locator(FixedLocator([tick for tick in ticks if below <= tick <= above]))  # type: ignore[attr-defined]
    axis.set_major_formatter(FuncFormatter(number))  # type: ignore[attr-defined]
    axis.set_minor_formatter(NullFormatter())  # type: ignore[attr-defined]
    axis.set_minor_locator(FixedLocator([]))  # type: ignore[attr-defined]
    set_limits(min(low, below), max(high, above))
