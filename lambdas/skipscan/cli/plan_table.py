"""A run's plan on a terminal, as a table of ways."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from skipscan.dynamodb.prices import Prices
from skipscan.inputs.quantities import approximate, counted, money, rounded, units
from skipscan.pace.bill import LEFT_OUT
from skipscan.stored.figures import Figure, of_prices

NOT_KNOWN = "not known"


def plan_table(explanation: Mapping[str, Any], labels: str = "keys") -> RenderableType:
    """Return the number of lines, all ways to list them side by side, the choice with its reason, and the warnings.

    `labels`: what the lines are.
    """
    choice, sample = explanation["choice"], explanation["sample"]
    lines = (choice.get("expected") or {}).get("keys") if labels == "items" else explanation["keys"]
    found = about(lines) if lines else NOT_KNOWN
    named = "partition keys" if labels == "keys" else labels
    counts = f"{found} {named.removesuffix('s') if found == '1' else named}"
    prices = Prices.of_any_version(explanation["prices"])
    rows = Table(box=None, header_style="bold", pad_edge=False)
    rows.add_column(f"way to list the {labels}", overflow="fold")
    for heading in ("requests", "read units", "dollars", "minutes"):
        rows.add_column(heading, justify="right", overflow="fold")
    for offer in explanation["strategies"]:
        rows.add_row(
            offer["strategy"],
            at_most(offer["requests"]),
            about(offer["read_units"], approximate),
            _dollar_figure(offer["dollars"]),
            "" if offer["minutes"] is None else f"at most {offer['minutes']:,.1f}",
            style="bold" if offer["strategy"] == choice["strategy"] else "",
        )
    chosen = (
        f"{choice['reason']} Segments: {choice['segments']:,}, workers: {choice['workers']:,}.{_of_units(explanation)}"
    )
    taken = (
        f"Sample: {sample['read_units']:,.1f} read units, seed {sample['seed']}. In brackets: 95 % confidence "
        f"intervals. Dollars: the whole bill but {LEFT_OUT}. Prices: {of_prices(prices)}."
    )
    ways: list[RenderableType] = [rows, ""] if explanation["strategies"] else []
    return Group(
        Text(f"{named}: {NOT_KNOWN}" if found == NOT_KNOWN else counts, style="bold"),
        "",
        *ways,
        Text(chosen),
        *(Text(f"! {warning}") for warning in explanation["warnings"]),
        Text(taken, style="dim"),
    )


def profile_figures(profile: Mapping[str, Any]) -> Iterator[Figure]:
    """Yield the figures of a profile, and what reading it cost."""
    for name in ("items", "keys"):
        if profile[name] is not None:
            yield Figure.in_words(about(profile[name]), "", "count", name)
    yield Figure.in_words(units(profile["read_units"]), "", "units", "read units")
    yield Figure.in_words(money(profile["dollars"]), "", "bill", "dollars")
    read = f"{rounded(profile['segments_read'])} of {counted(profile['segments'], 'segment')}"
    yield Figure.in_words(read, "", "progress", "read")
    for sentence in profile["advice"]:
        yield Figure.in_words(sentence, "", "request", "advice")


def _of_units(explanation: Mapping[str, Any]) -> str:
    """Return a sentence: how many of the chosen way's dollars are for units."""
    chosen = explanation["choice"]["strategy"]
    for offer in explanation["strategies"]:
        whole, units = offer["dollars"]["estimate"], offer["dollars"]["units"]
        if offer["strategy"] == chosen and whole is not None and offer["dollars"].get("high", whole) is not None:
            return f" Of its {money(whole)}, {money(units)} are for units."
    return ""


def _dollar_figure(dollars: Mapping[str, float | None]) -> str:
    """Return the estimate, or its low end if there is no high one: the estimate alone would look cheaper than it is."""
    low, estimate = dollars.get("low"), dollars["estimate"]
    if low is not None and dollars.get("high", 0.0) is None:
        return f">{money(low)}"
    return "" if estimate is None else money(estimate)


def at_most(interval: Mapping[str, float | None]) -> str:
    """Return the upper end alone: chance decides between few long pages and many short ones, so no figure is likely."""
    return about({**interval, "estimate": interval["high"]})


def about(interval: Mapping[str, float | None], form: Callable[[float], str] = rounded) -> str:
    """Return an estimate with its interval, as short as possible: "900", "900 (870 to 940)", "at most 900"."""
    estimate, low, high = (interval[name] for name in ("estimate", "low", "high"))
    least = low or 0.0
    if estimate is None:
        return f"{form(least)} or more"
    if high is None:
        return f"{form(least)} or more" if least else NOT_KNOWN
    if form(least) == form(high):
        return form(estimate)
    if high == estimate:
        return f"at most {form(high)}"
    return f"{form(estimate)} ({form(least)} to {form(high)})"
