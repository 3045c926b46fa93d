"""What work cost: its bill beside other ways to do the same, what the bill pays for, and what was saved."""

from collections.abc import Sequence
from dataclasses import dataclass

from skipscan.inputs.quantities import money, multiple, rounded, units
from skipscan.pace.bill import Bill
from skipscan.report import svg
from skipscan.report.card import Markup, card_table, joined, tag
from skipscan.sample.interval import Interval
from skipscan.stored.figures import Figure

TIMES = "\N{MULTIPLICATION SIGN}"


@dataclass(frozen=True)
class ComparedWay:
    """One way to do the work. `units`: of the kind that the page counts. `bill`: its dollars by service.

    `basis`: what units and requests are from. `million`: the bill for a million such keys, `None` without any.
    """

    name: str
    units: Interval
    requests: Interval
    bill: Bill
    basis: str
    million: Bill | None = None


def saving(factor: float, dollars: Sequence[tuple[str, float, float]]) -> Markup:
    """Return the one big number: how many times fewer read units than a full scan would have taken.

    `dollars`: of what, ours, the full scan's: whole bills.
    """
    rows = (
        tag("div", tag("dt", name), tag("dd", tag("b", money(ours, other)), f" instead of {money(other, ours)}"))
        for name, ours, other in dollars
    )
    words = " fewer read units than a full scan, by estimate"
    return tag("div", tag("p", tag("b", f"{multiple(factor)} {TIMES}"), words), tag("dl", rows), class_="saving")


def bill_card(
    name: str, ways: Sequence[ComparedWay], services: Sequence[Figure], notes: Sequence[str], *, is_billed: bool = True
) -> Markup:
    """Return the ways as a table, the work itself first. `name`: of the units. `is_billed`: whether these cost."""
    unit = name.replace("_", " ")
    most = max(way.units.estimate for way in ways) or 1.0
    whole_bills = [way.bill.total for way in ways]
    of_units = [getattr(way.bill, name) for way in ways]
    rows = []
    for way, whole, part in zip(ways, whole_bills, of_units, strict=True):
        within = _ends(way.units)
        colour = "keys" if way is ways[0] else "other"
        drawn = ((unit, way.units.estimate / most), ("dollars", whole / (max(whole_bills) or 1.0)))
        bars = [tag("span", tag("span", label), svg.bar(size, colour), class_="bar") for label, size in drawn]
        rows.append(
            (
                joined(
                    tag("span", way.name, class_="name"),
                    bars if len(ways) > 1 else None,
                    tag("span", way.basis, class_="basis"),
                ),
                joined(units(round(way.units.estimate, 1)), tag("span", within, class_="ends") if within else None),
                rounded(way.requests.estimate),
                money(whole, *whole_bills),
                money(part, *of_units) if is_billed else "not billed",
            )
        )
    columns = ("way", unit, "requests", "dollars", f"of which {unit}")
    split = (
        tag("div", tag("dt", one.title), tag("dd", one.words), tag("dd", one.note, class_="basis")) for one in services
    )
    return tag(
        "section",
        tag("h2", "What it cost", id="bill"),
        card_table(f"{unit.capitalize()}, requests and dollars of each way", columns, rows, kind="ways"),
        tag("h3", f"What the {money(whole_bills[0])} pays for") if services else None,
        tag("dl", split, class_="split") if services else None,
        (tag("p", note, class_="note") for note in notes),
        class_="card",
        aria_labelledby="bill",
    )


def _ends(interval: Interval) -> str:
    """Return the ends of an interval; nothing if it is a point."""
    is_point = round(interval.low, 1) == round(interval.high, 1)
    return "" if is_point else interval.ends(lambda end: units(round(end, 1)))
