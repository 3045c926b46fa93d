"""Amounts are compared and added one by one: read units, write units, dollars."""

from math import inf

import pytest

from skipscan.pace.bill import NOTHING, UNLIMITED, Amounts, bounded

SMALL, LARGE = Amounts(1.0, 20.0, 3.0), Amounts(10.0, 2.0, 30.0)


def test_nothing_is_zero_and_unlimited_has_no_bound() -> None:
    assert vars(NOTHING) == {"read_units": 0.0, "write_units": 0.0, "dollars": 0.0}
    assert set(vars(UNLIMITED).values()) == {inf}
    assert not UNLIMITED.is_bounded
    assert NOTHING.is_bounded


def test_each_amount_is_taken_by_itself() -> None:
    assert Amounts(9.0, -18.0, 27.0) == LARGE - SMALL
    assert SMALL.least(LARGE) == LARGE.least(SMALL) == Amounts(1.0, 2.0, 3.0)
    assert SMALL.most(LARGE) == LARGE.most(SMALL) == Amounts(10.0, 20.0, 30.0)
    assert SMALL.units == 21.0


@pytest.mark.parametrize("name", ["read_units", "write_units", "dollars"])
def test_one_amount_too_large_does_not_fit_and_one_finite_amount_is_a_bound(name: str) -> None:
    room = Amounts(5.0, 5.0, 5.0)
    assert room.fits(room)
    assert not Amounts(**{name: 5.5}).fits(room)
    assert bounded(**{**dict.fromkeys(("read_units", "write_units", "dollars")), name: 5.0}).is_bounded
    assert bounded(**{**dict.fromkeys(("read_units", "write_units", "dollars")), name: 5.0}) == Amounts(
        **{"read_units": inf, "write_units": inf, "dollars": inf, name: 5.0}
    )
