"""Figures as the report says them."""

import pytest

from skipscan.report.words import times


@pytest.mark.parametrize(
    ("factor", "said"), [(0.25, "0.2"), (1.0, "1.0"), (19.94, "19.9"), (20.0, "20"), (1234.5, "1,234")]
)
def test_a_factor_has_a_decimal_while_that_says_something(factor: float, said: str) -> None:
    assert times(factor) == said
