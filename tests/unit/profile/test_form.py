"""What of a value is told: its form, never the value."""

from typing import Any

import pytest

from skipscan.profile.form import (
    ISO,
    MILLISECONDS,
    NUMBER,
    SECONDS,
    Expiry,
    bin_ends,
    bin_of,
    depth,
    expiries,
    forms,
    prefix,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ORDER#2026-11-01", "ORDER"),
        ("#META#1", "#META"),
        ("order_line:5", "order_line"),
        ("PROFILE", "PROFILE"),
        ("smith", None),
        ("Smith-Jones", None),
        ("A1B2#1", None),
        ("2026-11-01", None),
        ("x" * 40 + "#1", None),
        ("john@example.com", None),
    ],
)
def test_a_prefix_is_letters_before_a_delimiter_or_one_word_in_capitals(text: str, found: str | None) -> None:
    assert prefix(text) == found


@pytest.mark.parametrize(
    ("kind", "content", "found"),
    [
        ("S", "12.5", NUMBER),
        ("S", "-3", NUMBER),
        ("S", "0.5", NUMBER),
        ("S", "05401", None),
        ("S", "12 Main Street", None),
        ("S", "", None),
        ("S", "2026-11-01T10:00:00Z", ISO),
        ("N", "1800000000", SECONDS),
        ("N", "1800000000000", MILLISECONDS),
        ("N", "5", None),
        ("N", "1E+9", None),
        ("BOOL", True, None),
    ],
)
def test_forms(kind: str, content: Any, found: str | None) -> None:
    assert forms(kind, [content, content]) == ({found: 2} if found else {})


def test_the_depth_of_a_value() -> None:
    assert depth("M", [{}]) == 1
    assert depth("L", [[{"S": "b"}], [{"L": []}]]) == 2
    assert depth("M", [{}, {"a": {"L": [{"S": "b"}, {"M": {"c": {"N": "1"}}}]}}]) == 3


def test_a_bin_holds_its_numbers_within_four_percent() -> None:
    for number in (1, 31, 32, 33, 1000, 10**6 + 1, 10**12):
        low, high = bin_ends(bin_of(number))
        assert low * (1 - 1e-9) <= number <= high * (1 + 1e-9)
        assert high / low < 1.0443, number


# What a time-to-live attribute means for its item.


NOW = 1_800_000_000


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"S": f"{NOW}"}, Expiry.WRONG_TYPE),
        # A year has 365.25 days.
        ({"N": f"{NOW - 157_788_001}"}, Expiry.OLD),
        ({"N": f"{NOW - 157_788_000}"}, Expiry.PAST),
        ({"N": f"{NOW - 1}"}, Expiry.PAST),
        ({"N": f"{NOW}"}, Expiry.FUTURE),
        ({"N": f"{NOW + 315_575_999}"}, Expiry.FUTURE),
        ({"N": f"{NOW + 315_576_000}"}, Expiry.FAR),
        ({"N": f"{10**12 - 1}"}, Expiry.FAR),
        ({"N": f"{10**12}"}, Expiry.MILLISECONDS),
    ],
)
def test_states(value: Any, found: Expiry) -> None:
    assert expiries([value, value], NOW) == {found: 2}
