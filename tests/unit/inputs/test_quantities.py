"""One form of every quantity for all that people read."""

from collections.abc import Callable

import pytest

from skipscan.inputs.quantities import (
    about_percent,
    approximate,
    counted,
    duration,
    enumerated,
    headline,
    money,
    multiple,
    named_counts,
    per_second,
    rounded,
    size,
    stamp,
    units,
)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.0, "0.0 s"),
        (1e-5, "0.001 s"),
        (0.023, "0.02 s"),
        (0.095, "0.1 s"),
        (8.24, "8.2 s"),
        (59.97, "1 min 00 s"),
        (250.0, "4 min 10 s"),
        (3_599.4, "59 min 59 s"),
        (3_599.6, "1 h 00 min"),
        (8_100.0, "2 h 15 min"),
        (7_199.0, "2 h 00 min"),
    ],
)
def test_a_duration_has_its_two_largest_units(seconds: float, said: str) -> None:
    assert duration(seconds) == said


@pytest.mark.parametrize(
    ("dollars", "said"),
    [
        (0.0, "$0"),
        (3.1e-6, "$0.000003"),
        (0.000577, "$0.00058"),
        (0.095, "$0.095"),
        (0.1234, "$0.12"),
        (15.349, "$15.35"),
        (99.994, "$99.99"),
        (100, "$100"),
        (1.2e-9, "<$0.000001"),
        (1234, "$1,234"),
    ],
)
def test_dollars_have_two_significant_digits_or_cents(dollars: float, said: str) -> None:
    assert money(dollars) == said


@pytest.mark.parametrize(
    ("form", "number", "said"),
    [
        (rounded, 1234.4, "1,234"),
        (headline, 999_999_999, "999,999,999"),
        (headline, 1e9, "1.00 billion"),
        (headline, 2.346e12, "2.35 trillion"),
        (headline, 2.5, "2.5"),
        (units, 3.0, "3"),
        (units, 9_999.94, "9,999.9"),
        (units, 10_000.4, "10,000"),
        (approximate, 0.5, "0.5"),
        (approximate, 1.0, "1"),
        (approximate, 9.94, "9.9"),
        (approximate, 9.96, "10"),
        (approximate, 343.46, "344"),
        (per_second, 0.0, "0"),
        (per_second, 0.0000123, "0.00001"),
        (per_second, 0.0096, "0.01"),
        (per_second, 0.049, "0.05"),
        (per_second, 0.05, "0.1"),
        (per_second, 5.0, "5"),
        (per_second, 1234.5, "1,234"),
        (size, 999, "999 B"),
        (size, 1_000, "1.0 KB"),
        (size, 3_400_000, "3.4 MB"),
        (size, 1_000_000_000, "1.0 GB"),
        (size, 1_234_500_000_000_000, "1,234.5 TB"),
        (multiple, 1.29, "1.3"),
        (multiple, 19.9, "19.9"),
        (multiple, 20.0, "20"),
        (multiple, 1250.2, "1,250"),
        (about_percent, 0.12345, "12 %"),
        (about_percent, 0.0123, "1 %"),
        (about_percent, 0.0, "0 %"),
    ],
)
def test_a_number_has_the_decimals_that_matter(form: Callable[[float], str], number: float, said: str) -> None:
    assert form(number) == said


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (1, "key", "1 key"),
        (0, "key", "0 keys"),
        (1234, "batch", "1,234 batches"),
        (2, "class", "2 classes"),
        (2, "index", "2 indexes"),
        (0.5, "read unit", "0.5 read units"),
    ],
)
def test_a_count_has_its_noun(number: float, noun: str, said: str) -> None:
    assert counted(number, noun) == said


def test_counts_stand_beside_their_names() -> None:
    counts = {"put": 3, "present": 1001, "lost": 0}
    assert named_counts(counts) == "3 put, 1,001 present already, 0 lost"


@pytest.mark.parametrize(
    ("words", "said"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_words_are_listed_as_in_a_sentence(words: list[str], said: str) -> None:
    assert enumerated(words) == said


@pytest.mark.parametrize(
    ("time", "said"),
    [
        ("2026-11-02T03:00:07.123Z", "2026-11-02 03:00:07 UTC"),
        ("2026-11-02T03:00:07+00:00", "2026-11-02 03:00:07 UTC"),
        ("2026-11-02T03:00:07+01:00", "2026-11-02T03:00:07+01:00"),
        ("2026-11-02", "2026-11-02"),
        ("TZ", "TZ"),
    ],
)
def test_a_time_in_utc_says_so(time: str, said: str) -> None:
    assert stamp(time) == said
