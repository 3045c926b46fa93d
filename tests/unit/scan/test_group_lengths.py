"""The lengths of counted groups: none is lost, and they stay small."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from skipscan.scan.counting import GroupLengths
from skipscan.scan.taken import Counted


def added(*groups: Counted) -> GroupLengths:
    lengths = GroupLengths()
    for group in groups:
        lengths.add(group)
    return lengths


@given(st.lists(st.integers(1, 10**7)))
def test_a_length_is_stored_exactly_or_within_a_thirty_second(counted: list[int]) -> None:
    lengths = added(*map(Counted, counted))
    stored: Counter[int] = Counter({int(length): count for length, count in lengths.to_json()["whole"].items()})
    for exact, near in zip(sorted(counted), sorted(stored.elements()), strict=True):
        assert near <= exact < near * (1 + 1 / 32) + (exact < 64)
        assert exact == near or exact >= 64
