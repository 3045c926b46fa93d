"""A plan on a terminal: of a run as a table of ways, of a job as a sheet with a line for each figure."""

import json
from collections.abc import Iterator, Mapping, Sequence
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


def sheet(document: Mapping[str, Any]) -> RenderableType:
    """Return the document with its names in words; a list has a line for each that differs."""
    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim", no_wrap=True)
    rows.add_column(overflow="fold")
    for name, value in document.items():
        lines = _lines(value) if value is not None else ["none" if name.startswith("max_") else "not known"]
        for number, text in enumerate(lines):
            rows.add_row("" if number else name.replace("_", " "), text)
    return rows


def _lines(value: object) -> Iterator[str]:
    if value and isinstance(value, Mapping) and all(isinstance(one, Mapping) for one in value.values()):
        yield from (f"{name}: {_text(one)}" for name, one in value.items())
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield from dict.fromkeys(map(_text, value)) if value else ("none",)
    else:
        yield _text(value)


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, float):
        return f"{value:,.6f}".rstrip("0").rstrip(".")
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Mapping):
        if all(isinstance(one, str | int | float) or one is None for one in value.values()):
            return ", ".join(f"{name} {_text(one)}" for name, one in value.items()) or "none"
        return json.dumps(value, ensure_ascii=False)
    return str(value)
