"""Cards that show a run or job over time: progress, throttling; and the card that compares estimates and results."""

from collections.abc import Sequence
from dataclasses import dataclass

from skipscan.inputs.quantities import about_percent, counted, duration, enumerated, money, per_second, rounded, units
from skipscan.pace.counts import Counts
from skipscan.report import svg
from skipscan.report.card import TABLE_ROWS, Markup, card, card_table, chart, strips
from skipscan.report.svg import clock, linear
from skipscan.report.timeline import Timeline

TALL, LOW = 150, 84
"""Heights of plots, in pixels."""


@dataclass(frozen=True)
class ExpectedFigure:
    """An estimate and its result; `low` and `high` are the 95 % interval, `None` without one."""

    name: str
    estimate: float
    low: float | None
    high: float | None
    came: float

    @property
    def held(self) -> bool | None:
        """Whether the result is within the interval."""
        return None if self.low is None or self.high is None else self.low <= self.came <= self.high


def progress(
    line: Timeline,
    figure: str,
    labels: str,
    unit: str,
    *,
    expected: float | None = None,
    waited_seconds: float = 0.0,
    notes: Sequence[str] = (),
    done: str = "found",
) -> Markup:
    """Return the cumulative chart of a figure of the timeline, and the chart of units a second, where they have data.

    `figure`: its name. `labels`: what it counts, and `done`: what happened to that. `unit`: the label of the units.
    `expected`: the estimate of the total. `waited_seconds`: from the start to the first batch.
    """
    end = line.end_seconds
    totals, per_unit = line.totals(figure), line.rates("units")
    y = linear(max(totals[-1], expected or 0.0, 1.0), headroom=1.2)
    layers = [svg.area([(0.0, 0.0), *zip(_edges(line)[1:], map(y.at, totals), strict=True)], TALL, "keys")]
    if expected:
        layers.append(svg.across(y.at(expected), TALL, f"estimate {rounded(expected)}", is_left=True))
    # Last, for a label interrupts the lines below it.
    layers.append(svg.label(counted(round(totals[-1]), labels.removesuffix("s")), 1.0, y.at(totals[-1]), TALL))
    by_then, total_found = line.totals("units"), totals[-1]
    consumed = sum(by_then[-1:])
    amounts = [(total_found, labels)] if total_found or not consumed else []
    amounts += [(consumed, unit)] if consumed else []
    a_second = enumerated([f"{per_second(amount / end)} {name}" for amount, name in amounts])
    says = f"{a_second} per second on average, for {duration(end)}."
    if waited_seconds >= 0.05:
        says += f" The first batch began {duration(waited_seconds)} after the start."
    picture = svg.plot(TALL, None if consumed else clock(end), y, f"Total of {labels} over time", *layers)
    speed = f"{unit.capitalize()} per second"
    rows = [
        [_until(line.ends[i], line), rounded(totals[i]), units(round(by_then[i], 1)), per_second(per_unit[i])]
        for i in _every(len(totals))
    ]
    columns = ("after", f"{labels} so far", f"{unit} so far", f"{unit} per second")
    return card(
        "progress",
        "How it went",
        says,
        *([chart(f"{labels.capitalize()} {done}", "keys", picture)] if total_found or not consumed else ()),
        *([rates(line, "units", speed, f"{speed} over time", "units")] if consumed else ()),
        notes=notes,
        table=card_table(f"{labels.capitalize()} and {unit} over time", columns, rows),
        is_broad=True,
    )


def throttling_card(counts: Counts, line: Timeline) -> Markup:
    """Return the refused requests of every second, in addition to requests that were answered."""
    refused, calls = counts.throttles, counts.requests + counts.throttles
    says = (
        f"{rounded(refused)} of {counted(calls, 'request')} were throttled ({about_percent(refused / calls)}) and "
        "retried. A throttled request consumes nothing."
    )
    rows = [
        [_until(end, line), rounded(throttles)]
        for end, throttles in zip(line.ends, line.figures["throttles"], strict=True)
        if throttles >= 0.5
    ]
    return card(
        "throttling",
        "Throttled requests",
        says,
        rates(line, "throttles", "Throttled requests per second", "Throttled requests over time", "units", least=1.0),
        table=card_table("Throttled requests over time", ("until", "throttled"), rows) if rows else None,
    )


def rates(line: Timeline, figure: str, title: str, says: str, colour: str, *, least: float = 0.0) -> Markup:
    """Return the chart of a figure a second. `says`: what it shows, for who hears it. `least`: of its axis."""
    values = line.rates(figure)
    y = linear(max(*values, least), 3)
    steps = svg.steps(_edges(line), [y.at(value) for value in values], LOW, colour)
    return chart(title, colour, svg.plot(LOW, clock(line.end_seconds), y, says, steps))


def _edges(line: Timeline) -> list[float]:
    """Return the ends of the stretches with 0 before them, as parts of the whole time."""
    return [0.0, *(end / line.end_seconds for end in line.ends)]


def _until(end: float, line: Timeline) -> str:
    """Return when a stretch ended, precisely enough that two stretches differ."""
    return f"{end:.2f} s" if line.end_seconds < 10 else duration(end)


def _every(rows: int) -> range:
    """Return which rows a table of a picture has, the last one among them."""
    each = max(1, -(-rows // TABLE_ROWS))
    return range((rows - 1) % each, rows, each)


def estimates(rows: Sequence[ExpectedFigure]) -> Markup:
    """Return each estimate with its interval, beside the result."""
    held = [row.name for row in rows if row.held]
    missed = [row.name for row in rows if row.held is False]
    says = f"Within the 95 % confidence interval: {enumerated(held) or 'none'}."
    notes = ["Dot: estimate. Strip: 95 % confidence interval. Line: actual."]
    if missed:
        says += f" Outside: {enumerated(missed)}."
    elif not held:
        says, notes = "The plan of this work has no confidence intervals.", ["Dot: estimate. Line: actual."]
    most = min(10.0, max(1.5, *(end / row.came for row in rows for end in (row.estimate, row.high) if end))) * 1.05

    def strip(row: ExpectedFigure) -> Sequence[str]:
        ends = (row.estimate if end is None else end for end in (row.low, row.estimate, row.high))
        low, ratio, high = (min(end / row.came, most) / most for end in ends)
        return row.name, svg.interval(low, ratio, high, 1 / most, "units"), *_shown(row, row.estimate, row.came)

    table = strips(
        "Estimate and actual",
        ("", "estimate / actual", "estimate", "actual"),
        map(strip, rows),
    )
    figures = [_figures(row) for row in rows]
    columns = ("figure", "estimate", "95 % interval", "actual", "inside")
    return card(
        "estimate",
        "Was the estimate right?",
        says,
        table,
        notes=notes,
        table=card_table("Estimate and actual, with intervals", columns, figures, (4,)),
    )


INSIDE = {True: "yes", False: "no", None: "no interval"}


def _figures(row: ExpectedFigure) -> list[str]:
    ends = () if row.low is None or row.high is None else (row.low, row.high)
    estimate, came, *interval = _shown(row, row.estimate, row.came, *ends)
    return [row.name, estimate, " to ".join(interval) or "none", came, INSIDE[row.held]]


def _shown(row: ExpectedFigure, *values: float) -> list[str]:
    """Return amounts in the form of their row; dollars with as many decimals as the smallest of them needs."""
    if row.name == "dollars":
        return [money(value, *values) for value in values]
    return [units(round(value, 1)) for value in values]
