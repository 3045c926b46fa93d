"""A plan as a table on a terminal."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from skipscan.estimate.explanation import Explanation
from skipscan.estimate.interval import Interval


def comparison(explanation: Explanation) -> RenderableType:
    """Return the keys, every way to list them side by side, the choice and its reason, and what to know before."""
    plan, sample, prices = explanation.plan, explanation.sample, explanation.prices
    rows = Table(box=None, header_style="bold", pad_edge=False)
    rows.add_column("way to list the keys")
    for heading in ("requests", "read units", "dollars", "minutes"):
        rows.add_column(heading, justify="right")
    for offer in explanation.offers:
        rows.add_row(
            offer.strategy,
            _about(offer.requests),
            _about(offer.read_units),
            f"{offer.dollars.estimate:,.4f}",
            "" if offer.minutes is None else f"{offer.minutes:,.1f}",
            style="bold" if offer is explanation.chosen else "",
        )
    chosen = f"{explanation.reason} Segments: {plan.segments:,}, workers: {plan.workers:,}."
    taken = (
        f"Sample: {sample.read_units:,.1f} read units, seed {sample.seed}. Intervals hold the truth 95 times in 100. "
        f"Prices: {prices.region}, {'; '.join(prices.origins)}."
    )
    return Group(
        Text(f"{_about(explanation.estimate.keys)} partition keys", style="bold"),
        "",
        rows,
        "",
        Text(chosen),
        *(Text(f"! {warning}") for warning in explanation.warnings),
        Text(taken, style="dim"),
    )


def _about(interval: Interval) -> str:
    """Return an estimate with its ends, as few words as they need: "900", "900 (870 to 940)", "at most 900"."""
    if interval.low == interval.high or round(interval.low) == round(interval.high):
        return f"{interval.estimate:,.0f}"
    if not interval.is_bounded:
        return f"{interval.estimate:,.0f} ({interval.low:,.0f} or more)"
    if interval.high == interval.estimate:
        return f"at most {interval.high:,.0f}"
    return f"{interval.estimate:,.0f} ({interval.low:,.0f} to {interval.high:,.0f})"
