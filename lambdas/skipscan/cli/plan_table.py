"""A plan as a table on a terminal."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from skipscan.dynamodb.prices import Prices
from skipscan.pace.bill import LEFT_OUT


def plan_table(explanation: Mapping[str, Any]) -> RenderableType:
    """Return the keys, every way to list them side by side, the choice and its reason, and what to know before."""
    choice, sample = explanation["choice"], explanation["sample"]
    prices = Prices.from_json(explanation["prices"])
    rows = Table(box=None, header_style="bold", pad_edge=False)
    rows.add_column("way to list the keys")
    for heading in ("requests", "read units", "dollars", "minutes"):
        rows.add_column(heading, justify="right")
    for offer in explanation["strategies"]:
        rows.add_row(
            offer["strategy"],
            _about(offer["requests"]),
            _about(offer["read_units"]),
            _figure(offer["dollars"]["estimate"], 4),
            _figure(offer["minutes"], 1),
            style="bold" if offer["strategy"] == choice["strategy"] else "",
        )
    chosen = f"{choice['reason']} Segments: {choice['segments']:,}, workers: {choice['workers']:,}."
    taken = (
        f"Sample: {sample['read_units']:,.1f} read units, seed {sample['seed']}. In brackets: 95 % confidence "
        f"intervals. Dollars: the whole bill but {LEFT_OUT}. Prices: {prices.region}, {'; '.join(prices.origins)}."
    )
    return Group(
        Text(f"{_about(explanation['keys'])} partition keys", style="bold"),
        "",
        rows,
        "",
        Text(chosen),
        *(Text(f"! {warning}") for warning in explanation["warnings"]),
        Text(taken, style="dim"),
    )


def _figure(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:,.{digits}f}"


def _about(interval: Mapping[str, float | None]) -> str:
    """Return an estimate with its ends, as few words as they need: "900", "900 (870 to 940)", "at most 900"."""
    estimate, low, high = (interval[name] for name in ("estimate", "low", "high"))
    least = low or 0.0
    if estimate is None:
        return f"{least:,.0f} or more"
    if high is None:
        return f"{least:,.0f} or more" if least else "not known"
    if round(least) == round(high):
        return f"{estimate:,.0f}"
    if high == estimate:
        return f"at most {high:,.0f}"
    return f"{estimate:,.0f} ({least:,.0f} to {high:,.0f})"
