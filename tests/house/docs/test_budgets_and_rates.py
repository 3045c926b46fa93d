"""The tables beside `python -m tests.simulation.money` have its form, and every row its bound."""

from itertools import product
from pathlib import Path

from tests.simulation.money.__main__ import BUDGET_HEADINGS, BUDGETS, JOB_BUDGETS, RATE_HEADINGS, WORKERS

TEXT = Path("tests/simulation/money/README.md").read_text()


def rows(headings: str) -> list[list[str]]:
    """Return the cells of the table with these headings."""
    _, _, rest = TEXT.partition(f"| {headings} |\n")
    lines = rest.partition("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def number(cell: str) -> float:
    return float(cell.replace(",", ""))


def test_every_budget_has_a_row_within_its_bound() -> None:
    found = rows(BUDGET_HEADINGS)
    asked = {tuple(row[:3]) for row in found}
    for (name, budgets), workers in product(BUDGETS, WORKERS):
        assert {("listing", f"`{name}` {budget:,g}", f"{workers:,}") for budget in budgets} <= asked
    for (name, budgets), workers, work in product(JOB_BUDGETS, (1, 30), ("retrofit", "copy")):
        assert {(work, f"`{name}` {budget:,g}", f"{workers:,}") for budget in budgets} <= asked
    assert "act" in {row[0] for row in found}
    assert all(number(row[-2]) <= number(row[-1]) for row in found)


def test_every_rate_holds() -> None:
    found = rows(RATE_HEADINGS)
    assert {row[0] for row in found} == {"listing", "retrofit", "copy", "act"}
    assert all(max(number(row[4]), number(row[5])) <= number(row[7]) for row in found)
