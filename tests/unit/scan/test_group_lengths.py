"""The lengths of counted groups: none is lost, and they stay small."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from skipscan.scan.counting import GroupLengths
from skipscan.scan.taken import Counted


def test_a_group_is_whole_unless_it_has_more() -> None:
    lengths = GroupLengths()
    lengths.add([Counted(3), Counted(1), Counted(3)])
    lengths.add([Counted(10, more=True)])
    assert lengths.to_json() == {"whole": {"1": 1, "3": 2}, "cut": {"10": 1}}


@given(st.lists(st.integers(1, 10**7)))
def test_a_length_is_stored_exactly_or_within_a_thirty_second(counted: list[int]) -> None:
    lengths = GroupLengths()
    lengths.add(map(Counted, counted))
    stored: Counter[int] = Counter({int(length): count for length, count in lengths.to_json()["whole"].items()})
    for exact, near in zip(sorted(counted), sorted(stored.elements()), strict=True):
        assert near <= exact < near * (1 + 1 / 32) + (exact < 64)
        assert exact == near or exact >= 64


def test_lengths_that_share_a_step_add_up_in_the_order_of_lengths() -> None:
    lengths = GroupLengths()
    lengths.add(map(Counted, [129, 9, 128, 131, 100]))
    assert list(lengths.to_json()["whole"].items()) == [("9", 1), ("100", 1), ("128", 3)]
