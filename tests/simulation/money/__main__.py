"""`python -m tests.simulation.money [budgets] [rates]`: the tables of tests/simulation/money/README.md, in minutes.

Ends with 1 if a bound is broken.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product

from skipscan.errors import InputError
from tests.simulation.money.driver import Consumed, World, drive
from tests.simulation.money.whole_job import Act, Copy, Items, Retrofit
from tests.simulation.money.whole_run import Case

LARGE = 390 * 1024
SIZES = ((50, False), (LARGE, False), (LARGE, True))
SHAPES = tuple(product((True, False), SIZES))
LOST = (0, 3)
WORKERS = (1, 30, 1_000)
Row = tuple[Sequence[str], bool]

BUDGET_HEADINGS = (
    "work | asked | workers asked for | workers | consumed | with 3 of 10 attempts lost | exceeded by | stated"
)
RATE_HEADINGS = (
    "work | a second | workers asked for | workers | worst ten seconds | with 3 of 10 attempts lost | largest request "
    "| 1.05 and that"
)

BUDGETS = ("max_read_units", (0.5, 100.0, 8_000.0, 500_000.0)), ("max_dollars", (0.0004, 0.003))
MANY = 10_000
HUGE, ALL_WORKERS = 4_000_000.0, 1_000
"""Of this budget a thousand workers may each exceed their share by the largest page, and remain within 5 %."""
JOB_BUDGETS = (
    ("max_read_units", (1.0, 200.0)),
    ("max_write_units", (1.0, 400.0, 8_000.0)),
    ("max_dollars", (0.0005, 0.003)),
)
OVER_ITEMS: dict[str, type[Items]] = {"retrofit": Retrofit, "copy": Copy}


def listings(name: str, budget: float, workers: int) -> Iterator[tuple[int, Consumed]]:
    """Run a listing of every shape: with and without a sort key, tiny and large items, and attempts that are lost."""
    for (sort_key, (item_bytes, is_mixed)), lost in product(SHAPES, LOST):
        bound = {name: budget}
        # Tiny pages by the thousand say no more than some, and take minutes.
        if budget <= 100 or (item_bytes > 50 and (budget <= 8_000 or not is_mixed)):
            case = Case(workers=workers, sort_key=sort_key, item_bytes=item_bytes, is_mixed=is_mixed, **bound)  # type: ignore[arg-type]
            yield from driven(case, lost)


def of_items(kind: type[Items], name: str, budget: float, workers: int) -> Iterator[tuple[int, Consumed]]:
    """Run a job over tiny and large items."""
    for (item_bytes, is_mixed), lost in product(SIZES, LOST):
        if item_bytes > 50 or budget <= 400:
            yield from driven(kind(((name, budget),), workers, item_bytes, is_mixed), lost)


def acts(name: str, budget: float, workers: int) -> Iterator[tuple[int, Consumed]]:
    for units, lost in product((1.0, 25.0, 390.0), LOST):
        if units > 1 or budget <= 400:
            yield from driven(Act(((name, budget),), workers, units, keys=3_000), lost)


def driven(world: World, lost: int) -> Iterator[tuple[int, Consumed]]:
    """Run work for an hour at most, unless Plan refuses the budget as too small."""
    with suppress(InputError):
        yield lost, drive(world, lost=lost, seconds=3600)


def of_budget(kind: str, name: str, budget: float, ran: Sequence[tuple[int, Consumed]], workers: int) -> Row:
    unit = name.removeprefix("max_")
    whole = [vars(one.amounts)[unit] for lost, one in ran if not lost]
    lost = [vars(one.amounts)[unit] for is_lost, one in ran if is_lost]
    # The maximum cost of a write follows from the table's items, so each shape has its own bound.
    over = [(vars(one.amounts)[unit] - budget, one.stated[unit]) for _, one in ran]
    worst, stated = max(over, key=lambda pair: pair[0] - pair[1])
    most = max(one.plan.workers for _, one in ran)
    row = [kind, f"`{name}` {budget:,g}", f"{workers:,}", f"{most:,}", _spread(whole), _spread(lost)]
    return [*row, f"{max(worst, 0):,.4g}", f"{stated:,.7g}"], worst <= stated


def of_rate(kind: str, unit: str, rate: float, ran: Sequence[tuple[int, Consumed]], workers: int) -> Row:
    def nearest(of: Sequence[Consumed]) -> Consumed:
        return max(of, key=lambda one: one.worst_ten_seconds(unit) - one.largest(unit))

    worst, lost = nearest([one for lost, one in ran if not lost]), nearest([one for lost, one in ran if lost])
    ten, page = worst.worst_ten_seconds(unit), worst.largest(unit)
    most = max(one.plan.workers for _, one in ran)
    row = [kind, f"{rate:,g} {unit.replace('_', ' ')}", f"{workers:,}", f"{most:,}", f"{ten:,.1f}"]
    row += [f"{lost.worst_ten_seconds(unit):,.1f}", f"{page:,.1f}", f"{10.5 * rate + page:,.1f}"]
    return row, all(one.worst_ten_seconds(unit) <= 10.5 * rate + one.largest(unit) for _, one in ran)


def _spread(amounts: Sequence[float]) -> str:
    return " to ".join(f"{end:,.0f}" if end >= MANY else f"{end:,.4g}" for end in (min(amounts), max(amounts)))


def budget_rows() -> Iterator[Row]:
    for (name, budgets), workers in product(BUDGETS, WORKERS):
        for budget in budgets:
            yield budget_row("listing", name, budget, workers)
    yield budget_row("listing", "max_read_units", HUGE, ALL_WORKERS)
    for (name, budgets), workers in product(JOB_BUDGETS, (1, 30)):
        for budget in budgets:
            for noun in OVER_ITEMS:
                yield budget_row(noun, name, budget, workers)
            if name != "max_read_units":
                yield budget_row("act", name, budget, workers)


def budget_row(noun: str, name: str, budget: float, workers: int) -> Row:
    match noun:
        case "listing":
            ran = listings(name, budget, workers)
        case "act":
            ran = acts(name, budget, workers)
        case _:
            ran = of_items(OVER_ITEMS[noun], name, budget, workers)
    return of_budget(noun, name, budget, list(ran), workers)


def rates(worlds: Iterable[World], seconds: float) -> Iterator[tuple[int, Consumed]]:
    for world, lost in product(worlds, LOST):
        yield lost, drive(world, lost=lost, seconds=seconds)


def rate_rows() -> Iterator[Row]:
    for rate, workers in product((0.5, 10.0, 600.0), WORKERS):
        yield rate_row("listing", "read_units", rate, workers)
    for unit, rate, workers in product(("read_units", "write_units"), (1.0, 60.0), (1, 100)):
        for noun in OVER_ITEMS:
            yield rate_row(noun, unit, rate, workers)
    for rate, workers in product((1.0, 60.0), (1, 100)):
        yield rate_row("act", "write_units", rate, workers)


def rate_row(noun: str, unit: str, rate: float, workers: int, seconds: float = 25.0) -> Row:
    worlds: list[World]
    match noun:
        case "listing":
            worlds = [Case(None, rate, workers, key, size, mixed) for key, (size, mixed) in SHAPES]
        case "act":
            worlds = [Act((("write_rate", rate),), workers, units, keys=3_000) for units in (1.0, 25.0)]
        case _:
            bound = (unit.replace("units", "rate"), rate)
            worlds = [OVER_ITEMS[noun]((bound,), workers, size, mixed) for size, mixed in SIZES]
    return of_rate(noun, unit, rate, list(rates(worlds, seconds)), workers)


def table(headings: str, rows: Iterator[Row]) -> bool:
    names = headings.split(" | ")
    _write(f"| {headings} |\n|{'---|' * 2}{'---:|' * (len(names) - 2)}")
    holds = True
    for row, is_within in rows:
        _write(line(row))
        holds &= is_within
    _write("")
    return holds


def line(row: Sequence[str]) -> str:
    return f"| {' | '.join(row)} |"


def _write(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    asked, holds = sys.argv[1:] or ["budgets", "rates"], True
    if "budgets" in asked:
        holds &= table(BUDGET_HEADINGS, budget_rows())
    if "rates" in asked:
        holds &= table(RATE_HEADINGS, rate_rows())
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
