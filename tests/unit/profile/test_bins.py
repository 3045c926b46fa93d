"""Every number is in the bin whose ends are around it."""

import pytest

from skipscan.profile.form import bin_ends, bin_of


@pytest.mark.parametrize("value", [1, 2, 31, 32, 33, 63, 64, 65, 1000, 4096, 10**6, 10**10])
def test_a_number_is_within_the_ends_of_its_bin(value: int) -> None:
    low, high = bin_ends(bin_of(value))
    assert low * (1 - 1e-9) <= value <= high * (1 + 1e-9)
    assert high / low < 1.045


def test_larger_numbers_never_have_smaller_bins() -> None:
    places = [bin_of(value) for value in range(1, 5000)]
    assert places == sorted(places)
