"""The lengths of groups that were counted: exact to the last, and what the largest of them hold."""

import pytest

from skipscan.report.segment_spread import length_spread
from skipscan.report.spread import lengths


@pytest.mark.parametrize(
    ("cut", "said"),
    [
        ({}, ["Counted: 100 item collections.", "The largest tenth of them holds 10% of the items counted."]),
        ({9: 10}, ["10 of them only up to the number asked for", "holds at least 50% of the items counted"]),
    ],
)
def test_the_report_says_how_much_the_largest_hold(cut: dict[int, int], said: list[str]) -> None:
    text = str(lengths(length_spread({1: 100 - sum(cut.values())}, cut)))
    for sentence in said:
        assert sentence in text
