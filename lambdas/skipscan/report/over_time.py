"""Cards that show a run or job over time: progress, Limit, throttling."""

from skipscan.inputs.quantities import counted, duration, enumerated, rounded, units
from skipscan.report import svg
from skipscan.report.card import TABLE_ROWS, CardTable, Markup, card, chart
from skipscan.report.report import ProgressChart, Throttled
from skipscan.report.svg import clock, linear, logarithmic, short_number
from skipscan.report.timeline import Stretch, Timeline

TALL, LOW = 150, 84
"""Heights of plots, in pixels."""


def progress(of: ProgressChart) -> Markup:
    """Return the cumulative chart and the chart of each second, where they have data."""
    line, end = of.timeline, of.timeline.end_seconds
    totals, rates, ends = line.totals(of.counted), line.rates(of.units), edges(line)
    x, y = clock(end), linear(max(totals[-1], of.expected or 0.0, 1.0), 4, headroom=1.2)
    total = svg.area([(0.0, 0.0), *zip(ends[1:], map(y.at, totals), strict=True)], TALL, "keys")
    layers = [total]
    if of.expected:
        layers.append(svg.across(y.at(of.expected), TALL, f"estimate {rounded(of.expected)}", is_left=True))
    # Last, for a label interrupts the lines below it.
    layers.append(svg.label(f"{rounded(totals[-1])} {of.noun}", 1.0, y.at(totals[-1]), TALL))
    rate = linear(max(rates), 3)
    consumed, counted = sum(line.totals(of.units)[-1:]), totals[-1]
    amounts = [(counted, of.noun)] if counted or not consumed else []
    amounts += [(consumed, of.unit)] if consumed else []
    a_second = enumerated([f"{rounded(amount / end)} {name}" for amount, name in amounts])
    says = f"{a_second} per second on average, for {duration(end)}."
    if of.waited_seconds >= 0.05:
        says += f" The first batch began {duration(of.waited_seconds)} after the start."
    picture = svg.plot(TALL, None if consumed else x, y, f"Total of {of.noun} over time. {says}", *layers)
    units_says = f"{of.unit} per second over time; at most {rounded(max(rates))}."
    below = svg.plot(LOW, x, rate, units_says, svg.steps(ends, [rate.at(value) for value in rates], LOW, "units"))
    by_then = line.totals(of.units)
    rows = [
        [_until(line.stretches[i], line), rounded(totals[i]), units(round(by_then[i], 1)), rounded(rates[i])]
        for i in _every(len(totals))
    ]
    columns = ("after", f"{of.noun} so far", f"{of.unit} so far", f"{of.unit} per second")
    return card(
        "progress",
        "How it went",
        says,
        *([chart(f"{of.noun.capitalize()} {of.done}", "keys", picture)] if counted or not consumed else ()),
        *([chart(f"{of.unit.capitalize()} per second", "units", below)] if consumed else ()),
        notes=of.notes,
        table=CardTable(f"{of.noun.capitalize()} and {of.unit} over time", columns, rows),
        is_broad=True,
    )


def limits(line: Timeline) -> Markup:
    """Return the typical Limit over time, and the range of most pages' Limits."""
    points = [(_middle(stretch) / line.end_seconds, stretch.limits) for stretch in line.stretches if stretch.limits]
    first, last = points[0][1][1], points[-1][1][1]
    way = "stayed near" if max(first, last) < 1.25 * min(first, last) else f"went from {rounded(first)} to"
    says = f"The median Limit {way} {rounded(last)} items. It adapts to the item collections that pages show."
    y = logarithmic(min(limits[0] for _, limits in points), max(limits[2] for _, limits in points))
    low, half, high = ([(at, y.at(limits[i])) for at, limits in points] for i in range(3))
    layers = [svg.band(low, high, TALL, "keys"), svg.polyline(half, TALL, "keys")]
    layers.append(svg.label(f"median {short_number(round(last))}", points[-1][0], half[-1][1], TALL))
    picture = svg.plot(TALL, clock(line.end_seconds), y, f"A line over time, with a band around it. {says}", *layers)
    limited = [stretch for stretch in line.stretches if stretch.limits]
    rows = [
        [_until(limited[i], line), *(rounded(limit) for limit in limited[i].limits or ())] for i in _every(len(limited))
    ]
    return card(
        "limits",
        "How long the pages were",
        says,
        chart("Limit: items that a page may evaluate", "keys", picture),
        notes=["Line: median over pages. Band: 10th to 90th percentile."],
        table=CardTable("Limit over time", ("until", "10th percentile", "median", "90th percentile"), rows),
    )


def throttling_card(of: Throttled, line: Timeline) -> Markup:
    """Return the refused requests of every second."""
    asked = of.requests + of.refused
    says = (
        f"{rounded(of.refused)} of {counted(asked, 'request')} were throttled ({of.refused / asked:.2%}) and retried. "
        "A throttled request consumes nothing."
    )
    rates = line.rates("throttles")
    y = linear(max(*rates, 0.0, 1.0), 3)
    steps = svg.steps(edges(line), [y.at(value) for value in rates], LOW, "units")
    picture = svg.plot(LOW, clock(line.end_seconds), y, f"Throttled requests over time. {says}", steps)
    rows = [
        [_until(stretch, line), rounded(stretch.figures["throttles"])]
        for stretch in line.stretches
        if stretch.figures["throttles"] >= 0.5
    ]
    return card(
        "throttling",
        "Throttled requests",
        says,
        chart("Throttled requests per second", "units", picture),
        table=CardTable("Throttled requests over time", ("until", "throttled"), rows) if rows else None,
    )


def edges(line: Timeline) -> list[float]:
    """Return the ends of the stretches with 0 before them, as parts of the whole time."""
    return [0.0, *(stretch.end_seconds / line.end_seconds for stretch in line.stretches)]


def _until(stretch: Stretch, line: Timeline) -> str:
    """Return when a stretch ended, precisely enough that two stretches differ."""
    return f"{stretch.end_seconds:.2f} s" if line.end_seconds < 10 else duration(stretch.end_seconds)


def _middle(stretch: Stretch) -> float:
    return (stretch.begin_seconds + stretch.end_seconds) / 2


def _every(rows: int) -> range:
    """Return which rows a table of a picture has, the last one among them."""
    each = max(1, -(-rows // TABLE_ROWS))
    return range((rows - 1) % each, rows, each)
