"""The lengths of groups that were counted: exact to the last, and what the largest of them hold."""

import pytest

from skipscan.report.segment_spread import length_spread
from skipscan.report.spread import lengths


def test_counted_lengths_are_exact_to_the_largest() -> None:
    seen = length_spread({1: 900, 5: 99, 1000: 1}, {})
    assert {bar.label: bar.share for bar in seen.bars if bar.share} == pytest.approx(
        {"1": 0.9, "4 to 7": 0.099, "512 to 1,023": 0.001}
    )
    total = 900 + 99 * 5 + 1000
    assert seen.largest == pytest.approx(((99 * 5 + 1000) / total, (9 * 5 + 1000) / total, 1000 / total))


def test_what_was_counted_up_to_a_number_is_one_open_bar() -> None:
    seen = length_spread({1: 60, 2: 30}, {100: 10})
    assert seen.bars[-1].longest is None
    assert seen.bars[-1].share == pytest.approx(0.1)
    assert sum(bar.share for bar in seen.bars) == pytest.approx(1)
    assert seen.largest == pytest.approx((1000 / 1120, 100 / 1120))


def test_a_range_that_the_count_ends_within_belongs_to_the_open_bar() -> None:
    seen = length_spread({1: 50, 5: 20}, {6: 30})
    assert [(bar.label, round(bar.share, 9)) for bar in seen.bars] == [
        ("1", 0.5),
        ("2 to 3", 0.0),
        ("4 or more", 0.5),
    ]


@pytest.mark.parametrize(
    ("whole", "cut", "labels"),
    [
        ({1: 4}, {}, ["1"]),
        ({2: 4}, {}, ["1", "2 to 3"]),
        ({}, {1: 4}, ["1 or more"]),
        ({1: 1}, {2: 1}, ["1", "2 or more"]),
    ],
)
def test_the_ranges_end_where_the_count_does(whole: dict[int, int], cut: dict[int, int], labels: list[str]) -> None:
    assert [bar.label for bar in length_spread(whole, cut).bars] == labels


@pytest.mark.parametrize(
    ("whole", "cut", "median"),
    [
        ({1: 5, 9: 4}, {}, "1"),
        ({1: 1, 5: 3}, {}, "4 to 7"),
        ({1: 1}, {4: 3}, "4 or more"),
        ({600: 9}, {992: 1}, "512 or more"),
    ],
)
def test_the_median_is_the_range_that_holds_it(whole: dict[int, int], cut: dict[int, int], median: str) -> None:
    assert length_spread(whole, cut).median == median


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
