"""The lengths of item collections that were counted: exact to the last, and what the largest of them hold."""

import pytest

from skipscan.report.seen_lengths import seen_lengths
from skipscan.report.spread import lengths


def test_counted_lengths_are_exact_to_the_largest() -> None:
    seen = seen_lengths({1: 900, 5: 99, 1000: 1}, {}, is_counted=True)
    assert {bar.label: bar.share for bar in seen.bars if bar.share} == pytest.approx(
        {"1": 0.9, "4 to 7": 0.099, "512 to 1,023": 0.001}
    )
    total = 900 + 99 * 5 + 1000
    assert seen.largest == pytest.approx(((99 * 5 + 1000) / total, (9 * 5 + 1000) / total, 1000 / total))


def test_what_was_counted_up_to_a_number_is_one_open_bar() -> None:
    seen = seen_lengths({1: 60, 2: 30}, {100: 10}, is_counted=True)
    assert seen.bars[-1].longest is None
    assert seen.bars[-1].share == pytest.approx(0.1)
    assert sum(bar.share for bar in seen.bars) == pytest.approx(1)
    assert seen.largest == pytest.approx((1000 / 1120, 100 / 1120))


@pytest.mark.parametrize(
    ("cut", "said"),
    [
        ({}, ["Counted: 100 item collections.", "The largest tenth of them holds 10% of the items counted."]),
        ({9: 10}, ["10 of them only up to the number asked for", "holds at least 50% of the items counted"]),
    ],
)
def test_the_report_says_how_much_the_largest_hold(cut: dict[int, int], said: list[str]) -> None:
    text = str(lengths(seen_lengths({1: 100 - sum(cut.values())}, cut, is_counted=True), is_counted=True))
    for sentence in said:
        assert sentence in text
    assert "Kaplan" not in text
