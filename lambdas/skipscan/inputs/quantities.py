"""Quantities as people read them, in the same form on the terminal, in the report and in messages.

Numbers come as plain numbers, durations in seconds, prices in dollars, sizes in bytes. JSON has them unrounded, and its
times from `in_utc`.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal


def rounded(value: float) -> str:
    """Return a number without decimals: 1,234."""
    return f"{value:,.0f}"


def headline(value: float) -> str:
    """Return a number in the form of the report's top: in full below a billion."""
    for step, unit in ((1e12, "trillion"), (1e9, "billion")):
        if value >= step:
            return f"{value / step:.2f} {unit}"
    return units(value)


def units(value: float) -> str:
    """Return read or write units: with one decimal where they are few."""
    return f"{value:,.1f}" if value < 10_000 and not float(value).is_integer() else rounded(value)


def approximate(value: float) -> str:
    """Return an estimate without decimals, and below 10 with one: half a read unit is not nothing."""
    short = round(value, 1)
    return units(short) if short < 10 else rounded(short)


def per_second(rate: float) -> str:
    """Return a rate like `approximate`, and a small one with one significant digit: 0.03."""
    return approximate(rate) if rate >= 0.05 or rate <= 0 else f"{Decimal(f'{rate:.1g}'):f}"


def money(dollars: float, *others: float) -> str:
    """Return dollars with two significant digits, or to the cent; with as many decimals as the `others` need.

    Less than a millionth is "<$0.000001": bills are rounded to it.
    """
    if 0 < dollars < 10**-MOST_DECIMALS:
        return f"<${10**-MOST_DECIMALS:.{MOST_DECIMALS}f}"
    return f"${dollars:,.{max(map(_decimals, (dollars, *others)))}f}"


MOST_DECIMALS = 6


def _decimals(dollars: float) -> int:
    if dollars == 0 or dollars >= 100:
        return 0
    needed = 2
    while dollars < 10 ** (1 - needed) and needed < MOST_DECIMALS:
        needed += 1
    return needed


def duration(seconds: float) -> str:
    """Return a duration in its two largest units: 0.02 s, 8.2 s, 4 min 10 s, 2 h 05 min."""
    if 0 < seconds < 0.095:
        return f"{max(seconds, 0.001):.1g} s"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours:,} h {minutes:02d} min"


_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


def seconds_of(span: str) -> int:
    """Return the seconds of a span of time as people write it: 90s, 30m, 1h, -7d, 2w."""
    return int(span[:-1]) * _SECONDS[span[-1]]


def size(count: float) -> str:
    """Return bytes: 512 B, 3.4 KB, 1.2 TB; in thousands, as DynamoDB and S3 bill them."""
    for step, unit in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "KB")):
        if count >= step:
            return f"{count / step:,.1f} {unit}"
    return f"{count:,.0f} B"


def multiple(factor: float) -> str:
    """Return a factor: 1.3, 16.8, 250."""
    return rounded(factor) if factor >= 20 else f"{factor:.1f}"


def about_percent(part: float) -> str:
    """Return a share for a sentence: 22 %, 3 %, 0.04 %."""
    return f"{100 * part:.0f} %" if part >= 0.1 or not part else f"{100 * part:.1g} %"


def counted(number: float, label: str) -> str:
    """Return a number with what it counts: 1 key, 2 keys, 3 batches, 4 indexes, 0.5 read units."""
    if number == 1:
        return f"1 {label}"
    return f"{units(number)} {label}{'es' if label.endswith(('ch', 's', 'x')) else 's'}"


def bound(field: str, amount: float) -> str:
    """Return an amount in the words of its field, with or without `max_`: 178.5 read units, 5 keys per second, $2."""
    name = field.removeprefix("max_")
    if name == "dollars":
        return money(amount)
    label, _, per = name.replace("_", " ").partition(" per ")
    return f"{counted(amount, label.removesuffix('s'))}{' per second' if per else ''}"


OUTCOMES = {
    "right": "right already",
    "present": "present already",
    "absent": "absent already",
    "ended": "of ended collections",
    "lacking": "lacking a source",
    "contended": "changed by others all the time",
    "gone": "deleted meanwhile",
    "differing": "left to the replicator",
    "unset": "without the attribute",
}
"""The counts of jobs whose names do not say by themselves what became of keys or items, in the words for people."""


def named_counts(named: Mapping[str, int]) -> str:
    """Return counts in words: 3 put, 1,001 present already."""
    return ", ".join(f"{number:,} {OUTCOMES.get(name, name)}" for name, number in named.items())


def enumerated(words: Sequence[str]) -> str:
    """Return words as a sentence has them: one, one and two, one, two and three."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def in_utc(time: datetime) -> str:
    """Return a time in the one form of JSON: ISO 8601, in UTC, to the millisecond, with +00:00."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds")


def stamp(time: str) -> str:
    """Return an ISO 8601 time in UTC for people: 2026-11-02 03:00:07 UTC."""
    date, _, clock = time.partition("T")
    is_utc = clock.endswith(("+00:00", "Z"))
    return f"{date} {clock[:8]} UTC" if is_utc and len(clock) >= 8 else time
