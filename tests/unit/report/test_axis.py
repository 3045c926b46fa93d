"""Ticks are numbers that people count in, few enough to read, and the end of the axis holds the highest value."""

import pytest

from skipscan.report.svg import Axis, clock, linear, short_number


def labels(axis: Axis) -> list[str]:
    return [label for _, label in axis.ticks]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (0.5, "0.5"),
        (0.12345, "0.123"),
        (800, "800"),
        (9_999, "9,999"),
        (12_000, "12k"),
        (1.5e6, "1.5M"),
        (4e9, "4B"),
        (2e12, "2T"),
    ],
)
def test_a_number_is_short(value: float, shown: str) -> None:
    assert short_number(value) == shown


@pytest.mark.parametrize(("high", "shown"), [(4, "0 1 2 3 4"), (9.5, "0 2.5 5 7.5 10"), (100, "0 25 50 75 100")])
def test_a_linear_axis_has_round_steps_up_to_its_highest_value(high: float, shown: str) -> None:
    axis = linear(high)
    assert labels(axis) == shown.split()
    assert (axis.low, axis.at(0.0)) == (0.0, 0.0)
    assert axis.high >= high
    assert all(0 <= axis.at(value) <= 1 for value, _ in axis.ticks)


def test_an_axis_of_nothing_has_a_length() -> None:
    assert linear(0.0).at(0.0) == 0.0


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (2.0, ["0", "0.5 s", "1 s", "1.5 s", "2 s"]),
        (100.0, ["0", "20 s", "40 s", "60 s", "80 s", "100 s"]),
        (1200.0, ["0", "5 min", "10 min", "15 min", "20 min"]),
        (86_400.0, ["0", "6 h", "12 h", "18 h", "24 h"]),
        (86_400.0 * 900, ["0", "200 d", "400 d", "600 d", "800 d"]),
    ],
)
def test_time_is_counted_as_people_do(seconds: float, shown: list[str]) -> None:
    assert labels(clock(seconds)) == shown
    assert clock(seconds).high == seconds
