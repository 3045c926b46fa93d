"""Make the tables of docs/reliability.md: `python -m tests.money`, some minutes; 1 if a bound is broken."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product

from skipscan.errors import InputError
from tests.money.driver import Consumed, World, drive
from tests.money.whole_job import Act, Copy, Items, Retrofit
from tests.money.whole_run import Case

LARGE = 390 * 1024
SIZES = ((50, False), (LARGE, False), (LARGE, True))
SHAPES = tuple(product((True, False), SIZES))
LOST = (0, 3)
WORKERS = (1, 30, 1_000)
Row = tuple[Sequence[str], bool]

BUDGET_HEADINGS = (
    "work | asked | workers asked for | workers | consumed | with 3 of 10 attempts lost | exceeded by | stated"
)
RATE_HEADINGS = "work | a second | workers asked for | workers | worst ten seconds | largest request | 1.05 and that"

BUDGETS = ("max_read_units", (0.5, 100.0, 8_000.0)), ("max_dollars", (0.0004, 0.003))
JOB_BUDGETS = (
    ("max_read_units", (1.0, 200.0)),
    ("max_write_units", (1.0, 400.0, 8_000.0)),
    ("max_dollars", (0.0005, 0.003)),
)
OVER_ITEMS: tuple[tuple[type[Items], str], ...] = ((Retrofit, "retrofit"), (Copy, "copy"))


def listings(name: str, budget: float, workers: int) -> Iterator[tuple[int, Consumed]]:
    """Run a listing of every shape: with and without a sort key, tiny and large items, and attempts that are lost."""
    for (sort_key, (item_bytes, is_mixed)), lost in product(SHAPES, LOST):
        bound = {name: budget}
        # Tiny pages by the thousand say no more than some, and take minutes.
        if item_bytes > 50 or budget <= 100:
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
    # What a write takes at most follows from the table's items, so each shape has a bound of its own.
    over = [(vars(one.amounts)[unit] - budget, one.stated[unit]) for _, one in ran]
    worst, stated = max(over, key=lambda pair: pair[0] - pair[1])
    most = max(one.plan.workers for _, one in ran)
    row = [kind, f"`{name}` {budget:,g}", f"{workers:,}", f"{most:,}", _spread(whole), _spread(lost)]
    return [*row, f"{max(worst, 0):,.4g}", f"{stated:,.4g}"], worst <= stated


def of_rate(kind: str, unit: str, rate: float, ran: Sequence[Consumed], workers: int) -> Row:
    worst = max(ran, key=lambda one: one.worst_ten_seconds(unit) - one.largest(unit))
    ten, page = worst.worst_ten_seconds(unit), worst.largest(unit)
    row = [kind, f"{rate:,g} {unit.replace('_', ' ')}", f"{workers:,}", f"{max(one.plan.workers for one in ran):,}"]
    return [*row, f"{ten:,.1f}", f"{page:,.1f}", f"{10.5 * rate + page:,.1f}"], ten <= 10.5 * rate + page


def _spread(amounts: Sequence[float]) -> str:
    return f"{min(amounts):,.4g} to {max(amounts):,.4g}"


def budget_rows() -> Iterator[Row]:
    for (name, budgets), workers in product(BUDGETS, WORKERS):
        for budget in budgets:
            yield of_budget("listing", name, budget, list(listings(name, budget, workers)), workers)
    for (name, budgets), workers in product(JOB_BUDGETS, (1, 30)):
        for budget in budgets:
            for kind, noun in OVER_ITEMS:
                yield of_budget(noun, name, budget, list(of_items(kind, name, budget, workers)), workers)
            if name != "max_read_units":
                yield of_budget("act", name, budget, list(acts(name, budget, workers)), workers)


def rate_rows(seconds: float = 25.0) -> Iterator[Row]:
    for rate, workers in product((0.5, 10.0, 600.0), WORKERS):
        cases = (Case(None, rate, workers, key, size, mixed) for key, (size, mixed) in SHAPES)
        ran = [drive(case, lost=0, seconds=seconds) for case in cases]
        yield of_rate("listing", "read_units", rate, ran, workers)
    for (name, unit), rate, workers in product(
        (("read_rate", "read_units"), ("write_rate", "write_units")), (1.0, 60.0), (1, 100)
    ):
        for kind, noun in OVER_ITEMS:
            jobs = (kind(((name, rate),), workers, size, mixed) for size, mixed in SIZES)
            yield of_rate(noun, unit, rate, [drive(job, lost=0, seconds=seconds) for job in jobs], workers)
    for rate, workers in product((1.0, 60.0), (1, 100)):
        ran = [
            drive(Act((("write_rate", rate),), workers, units, keys=3_000), lost=0, seconds=seconds)
            for units in (1.0, 25.0)
        ]
        yield of_rate("act", "write_units", rate, ran, workers)


def table(headings: str, rows: Iterator[Row]) -> bool:
    names = headings.split(" | ")
    _write(f"| {headings} |\n|{'---|' * 2}{'---:|' * (len(names) - 2)}")
    holds = True
    for row, is_within in rows:
        _write(f"| {' | '.join(row)} |")
        holds &= is_within
    _write("")
    return holds


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    holds = table(BUDGET_HEADINGS, budget_rows())
    holds &= table(RATE_HEADINGS, rate_rows())
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
