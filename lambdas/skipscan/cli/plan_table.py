"""A plan on a terminal: a run's plan as a table of ways, a job's plan with one line for each figure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from skipscan.dynamodb.prices import Prices
from skipscan.pace.bill import LEFT_OUT
from skipscan.report.words import decimals

NOT_KNOWN = "not known"

UNSET = {
    "max_read_units",
    "max_write_units",
    "max_dollars",
    "max_read_units_per_second",
    "max_write_units_per_second",
    "max_units_per_second",
    "overrun",
}
"""Fields that an input may omit."""

OURS = {name: name.replace("_", " ") for name in ("read_units", "write_units", "read_units_at_most", "unset_because")}
"""Our names among those of tables, indexes and attributes, which are shown unchanged."""


def plan_table(explanation: Mapping[str, Any]) -> RenderableType:
    """Return the keys, all ways to list them side by side, the choice with its reason, and the warnings."""
    choice, sample = explanation["choice"], explanation["sample"]
    prices = Prices.from_json(explanation["prices"])
    rows = Table(box=None, header_style="bold", pad_edge=False)
    rows.add_column("way to list the keys", overflow="fold")
    for heading in ("requests", "read units", "dollars", "minutes"):
        rows.add_column(heading, justify="right", overflow="fold")
    for offer in explanation["strategies"]:
        dollars = offer["dollars"]
        rows.add_row(
            offer["strategy"],
            _about(offer["requests"]),
            _about(offer["read_units"]),
            # Without an upper end, the estimate alone would look cheaper than it can be.
            f">{_dollar_figure(dollars['low'])}" if _is_open(dollars) else _dollar_figure(dollars["estimate"]),
            _figure(offer["minutes"], 1),
            style="bold" if offer["strategy"] == choice["strategy"] else "",
        )
    chosen = (
        f"{choice['reason']} Segments: {choice['segments']:,}, workers: {choice['workers']:,}.{_of_units(explanation)}"
    )
    taken = (
        f"Sample: {sample['read_units']:,.1f} read units, seed {sample['seed']}. In brackets: 95 % confidence "
        f"intervals. Dollars: the whole bill but {LEFT_OUT}. Prices: {prices.region}, {'; '.join(prices.origins)}."
    )
    keys = _about(explanation["keys"])
    ways: list[RenderableType] = [rows, ""] if explanation["strategies"] else []
    return Group(
        Text(f"partition keys: {NOT_KNOWN}" if keys == NOT_KNOWN else f"{keys} partition keys", style="bold"),
        "",
        *ways,
        Text(chosen),
        *(Text(f"! {warning}") for warning in explanation["warnings"]),
        Text(taken, style="dim"),
    )


def _of_units(explanation: Mapping[str, Any]) -> str:
    """Return a sentence about the part of the chosen way's dollars that its units cost."""
    chosen = explanation["choice"]["strategy"]
    for offer in explanation["strategies"]:
        whole, units = offer["dollars"]["estimate"], offer["dollars"]["units"]
        if offer["strategy"] == chosen and whole is not None:
            return f" Of its ${whole:,.6f}, ${units:,.6f} are for read units."
    return ""


def _is_open(dollars: Mapping[str, float | None]) -> bool:
    return dollars.get("high", 0.0) is None and dollars.get("low") is not None


def _dollar_figure(value: float | None, *beside: float) -> str:
    """Return dollars without their sign: to four decimals, or below $0.0001 to as many as a plan has, at most six."""
    small = [one for one in (value, *beside) if one and one < 0.0001]
    return _figure(value, min(6, max([4, *map(decimals, small)])))


def _figure(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:,.{digits}f}"


def _about(interval: Mapping[str, float | None]) -> str:
    """Return an estimate with its interval, as short as possible: "900", "900 (870 to 940)", "at most 900"."""
    estimate, low, high = (interval[name] for name in ("estimate", "low", "high"))
    least = low or 0.0
    if estimate is None:
        return f"{least:,.0f} or more"
    if high is None:
        return f"{least:,.0f} or more" if least else NOT_KNOWN
    if round(least) == round(high):
        return f"{estimate:,.0f}"
    if high == estimate:
        return f"at most {high:,.0f}"
    return f"{estimate:,.0f} ({least:,.0f} to {high:,.0f})"


def sheet(document: Mapping[str, Any]) -> RenderableType:
    """Return the document with its names as words; a list has one line for each distinct member.

    Unset limits have no line. Prices are shown by their dates, dollars by their sum, an advice by its reason.
    """
    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim", overflow="fold")
    rows.add_column(overflow="fold")
    for name, value in document.items():
        if value is None and name in UNSET:
            continue
        lines = [NOT_KNOWN] if value is None else _SAID.get(name, _lines)(value)
        for number, text in enumerate(lines):
            rows.add_row("" if number else name.replace("_", " "), text)
    return rows


def _prices(value: Mapping[str, Any]) -> Iterator[str]:
    prices = Prices.from_json(value)
    yield f"{prices.region}, {'; '.join(prices.origins)}"


def _dollars(value: Mapping[str, float]) -> Iterator[str]:
    total, units = value["total"], value["units"]
    figures = _dollar_figure(total, units), _dollar_figure(units, total)
    yield f"{figures[0]}, of which {figures[1]} for units; without {LEFT_OUT}"


def _advice(value: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not value:
        yield "none"
    for advice in value:
        yield f"{_text(advice['because'])}. --json has the rest" if "because" in advice else _text(advice)


def _lines(value: object) -> Iterator[str]:
    if value and isinstance(value, Mapping) and all(isinstance(one, Mapping) for one in value.values()):
        yield from (f"{name}: {_text(one)}" for name, one in value.items())
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield from dict.fromkeys(map(_text, value)) if value else ("none",)
    else:
        yield _text(value)


_SAID: Mapping[str, Callable[[Any], Iterator[str]]] = {"prices": _prices, "dollars": _dollars, "advice": _advice}


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, float):
        return f"{value:,.6f}".rstrip("0").rstrip(".")
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Mapping):
        return ", ".join(f"{OURS.get(name, name)} {_text(one)}" for name, one in value.items() if one != {}) or "none"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_text, value)) or "none"
    return str(value)
