"""Figures as the report says them."""

import pytest

from skipscan.report.words import span, times


@pytest.mark.parametrize(
    ("factor", "said"), [(0.25, "0.2"), (1.0, "1.0"), (19.94, "19.9"), (20.0, "20"), (1234.5, "1,234")]
)
def test_a_factor_has_a_decimal_while_that_says_something(factor: float, said: str) -> None:
    assert times(factor) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        *((0.0, "0.0 s"), (0.0002, "0.001 s"), (0.024, "0.02 s"), (8.2, "8.2 s"), (59.94, "59.9 s")),
        *((59.96, "1 min 00 s"), (250.0, "4 min 10 s"), (3599.6, "1 h 00 min"), (8100.0, "2 h 15 min")),
    ],
)
def test_a_time_has_its_two_largest_units(seconds: float, said: str) -> None:
    assert span(seconds) == said
