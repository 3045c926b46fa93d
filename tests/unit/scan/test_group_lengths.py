"""The lengths of counted groups: none is lost, and they stay small."""

import json
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


def test_a_length_from_64_is_stored_in_32_steps_a_doubling() -> None:
    stored = {1: 1, 63: 63, 64: 64, 65: 64, 66: 66, 127: 126, 128: 128, 131: 128, 132: 132, 1000: 992, 1024: 1024}
    for length, near in stored.items():
        lengths = GroupLengths()
        lengths.add([Counted(length), Counted(length, more=True)])
        assert lengths.to_json() == {"whole": {f"{near}": 1}, "cut": {f"{near}": 1}}


def test_lengths_that_share_a_step_add_up_in_the_order_of_lengths() -> None:
    lengths = GroupLengths()
    lengths.add(map(Counted, [129, 9, 128, 131, 100]))
    assert list(lengths.to_json()["whole"].items()) == [("9", 1), ("100", 1), ("128", 3)]


def test_they_stay_small_however_many_groups_there_are() -> None:
    lengths = GroupLengths()
    lengths.add(map(Counted, range(1, 200_000)))
    assert len(json.dumps(lengths.to_json())) < 10_000
