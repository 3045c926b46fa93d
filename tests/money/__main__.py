"""Make the tables of docs/reliability.md: `python -m tests.money`, some ten minutes; 1 if a bound is broken."""

import sys
from collections.abc import Iterator, Sequence
from itertools import product

from tests.money.whole_run import Case, Consumed, run

LARGE = 390 * 1024
BUDGETS, RATES, WORKERS = (0.5, 100.0, 5_000.0, 20_000.0), (0.5, 10.0, 600.0), (1, 30, 1_000)
SHAPES = tuple(product((True, False), ((50, False), (LARGE, False), (LARGE, True))))
LOST = (0, 3)


def cases(budget: float | None, rate: float | None, workers: int) -> Iterator[tuple[Case, Consumed]]:
    """Return a run of every shape: with and without a sort key, tiny and large items, and attempts that are lost."""
    for (sort_key, (item_bytes, is_mixed)), lost in product(SHAPES, LOST if budget else (0,)):
        seconds = 3600.0 if budget else 30.0
        case = Case(budget, rate, workers, sort_key, item_bytes, is_mixed, lost, seconds)
        yield case, run(case)


def of_budget(budget: float, workers: int) -> tuple[Sequence[str], bool]:
    ran = list(cases(budget, None, workers))
    stated = ran[0][1].plan.overrun_units or 0.0
    whole = [consumed.read_units for case, consumed in ran if not case.lost]
    lost = [consumed.read_units for case, consumed in ran if case.lost]
    over = max(*whole, *lost) - budget
    counts = ran[0][1].plan.workers
    spread = [f"{min(units):,.1f} to {max(units):,.1f}" for units in (whole, lost)]
    return [
        f"{budget:,g}",
        f"{workers:,}",
        f"{counts:,}",
        *spread,
        f"{max(over, 0):,.1f}",
        f"{stated:,.1f}",
    ], over <= stated


def of_rate(rate: float, workers: int) -> tuple[Sequence[str], bool]:
    ran = [consumed for _, consumed in cases(None, rate, workers)]
    worst = max(ran, key=lambda one: one.worst_ten_seconds - one.largest_page)
    bound = 10.5 * rate + worst.largest_page
    row = [f"{rate:,g}", f"{workers:,}", f"{ran[0].plan.workers:,}", f"{worst.worst_ten_seconds:,.1f}"]
    return [*row, f"{worst.largest_page:,.1f}", f"{bound:,.1f}"], worst.worst_ten_seconds <= bound


def table(headings: str, rows: Iterator[tuple[Sequence[str], bool]]) -> bool:
    names = headings.split(" | ")
    _write(f"| {headings} |\n|{'---:|' * len(names)}")
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
    holds = table(
        "budget | workers asked for | workers | consumed | with 3 of 10 attempts lost | exceeded by | stated",
        (of_budget(budget, workers) for budget, workers in product(BUDGETS, WORKERS)),
    )
    holds &= table(
        "rate | workers asked for | workers | worst ten seconds | largest page | 1.05 of the rate and a page",
        (of_rate(rate, workers) for rate, workers in product(RATES, WORKERS)),
    )
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
