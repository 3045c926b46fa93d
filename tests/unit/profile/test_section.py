"""The words of an interval on the page."""

from math import inf

import pytest

from skipscan.inputs.quantities import rounded
from skipscan.profile.section import Words, percentage, told
from skipscan.sample.interval import Interval


@pytest.mark.parametrize(
    ("interval", "words", "said"),
    [
        (Interval(0.5, 0.5, 0.5), percentage, "50 %"),
        (Interval(0.5, 0.25, 1.0), percentage, "50 % (25 % to 100 %)"),
        (Interval(0.5, 0.0, 1.0), percentage, "50 % of what was read"),
        (Interval(0.5, 0.0, 1.0), rounded, "0 (0 to 1)"),
        (Interval(5000.0, 1000.0, inf), rounded, "1,000 or more"),
        (Interval.exactly(9e-6), percentage, "<0.001 %"),
        (Interval.exactly(0.12345), percentage, "12.3 %"),
    ],
)
def test_an_interval_in_words(interval: Interval, words: Words, said: str) -> None:
    assert told(interval, words) == said
