"""The card that compares estimates with the results."""

from collections.abc import Sequence

from skipscan.inputs.quantities import enumerated, money, units
from skipscan.report import svg
from skipscan.report.card import CardTable, Markup, Strip, card, strips
from skipscan.report.report import ExpectedFigure


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
    ratios = [(row, row.estimate / row.came) for row in rows]
    ends = [end / row.came for row in rows for end in (row.low, row.high) if end]
    most = min(10.0, max([1.5, *ends, *(ratio for _, ratio in ratios)])) * 1.05

    def strip(row: ExpectedFigure, ratio: float) -> Strip:
        low, high = (ratio if end is None else end / row.came for end in (row.low, row.high))
        low, ratio, high = (min(place, most) / most for place in (low, ratio, high))
        return Strip(row.name, svg.interval(low, ratio, high, 1 / most, "units"), _shown(row, row.estimate, row.came))

    table = strips(
        "Estimate and actual",
        ("", "estimate / actual", "estimate", "actual"),
        (strip(row, ratio) for row, ratio in ratios),
    )
    figures = [_figures(row) for row in rows]
    columns = ("figure", "estimate", "95 % interval", "actual", "inside")
    return card(
        "estimate",
        "Was the estimate right?",
        says,
        table,
        notes=notes,
        table=CardTable("Estimate and actual, with intervals", columns, figures, (4,)),
    )


def _figures(row: ExpectedFigure) -> list[str]:
    if row.low is None or row.high is None:
        estimate, came = _shown(row, row.estimate, row.came)
        return [row.name, estimate, "none", came, _held(row.held)]
    estimate, low, high, came = _shown(row, row.estimate, row.low, row.high, row.came)
    return [row.name, estimate, f"{low} to {high}", came, _held(row.held)]


def _shown(row: ExpectedFigure, *values: float) -> list[str]:
    """Return amounts in the form of their row; dollars with as many decimals as the smallest of them needs."""
    if row.name == "dollars":
        return [money(value, *values) for value in values]
    return [units(round(value, 1)) for value in values]


def _held(held: bool | None) -> str:
    return {True: "yes", False: "no", None: "no interval"}[held]
