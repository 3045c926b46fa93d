"""The table of tests/simulation/money/README.md matches the current code: some rows are computed again."""

from pathlib import Path

import pytest

from tests.simulation.money.__main__ import budget_row, line, rate_row

pytestmark = pytest.mark.slow

ROWS = Path("tests/simulation/money/README.md").read_text().splitlines()
LONG = pytest.mark.long


@pytest.mark.parametrize(
    ("noun", "name", "budget", "workers"),
    [
        ("listing", "max_read_units", 0.5, 1_000),
        ("act", "max_write_units", 400.0, 30),
        ("retrofit", "max_dollars", 0.0005, 30),
        pytest.param("listing", "max_read_units", 8_000.0, 1_000, marks=LONG),
        pytest.param("listing", "max_dollars", 0.003, 30, marks=LONG),
        pytest.param("copy", "max_read_units", 200.0, 30, marks=LONG),
    ],
)
def test_a_row_about_a_budget_is_what_whole_runs_consume_now(noun: str, name: str, budget: float, workers: int) -> None:
    row, is_within = budget_row(noun, name, budget, workers)
    assert is_within
    assert line(row) in ROWS


@pytest.mark.parametrize(
    ("noun", "unit", "rate", "workers"),
    [
        ("listing", "read_units", 0.5, 1_000),
        ("act", "write_units", 1.0, 100),
        pytest.param("listing", "read_units", 10.0, 1_000, marks=LONG),
        pytest.param("retrofit", "write_units", 1.0, 100, marks=LONG),
    ],
)
def test_a_row_about_a_rate_is_what_whole_runs_consume_now(noun: str, unit: str, rate: float, workers: int) -> None:
    row, is_within = rate_row(noun, unit, rate, workers)
    assert is_within
    assert line(row) in ROWS
