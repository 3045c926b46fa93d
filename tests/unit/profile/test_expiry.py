"""What a time-to-live attribute means for its item."""

from typing import Any

import pytest

from skipscan.profile.form import YEAR_SECONDS, Expiry, expiries

NOW = 1_800_000_000


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"N": f"{NOW + 60}"}, Expiry.FUTURE),
        ({"N": f"{NOW - 60}"}, Expiry.PAST),
        ({"N": f"{NOW - 6 * YEAR_SECONDS:.0f}"}, Expiry.OLD),
        ({"N": f"{NOW + 11 * YEAR_SECONDS:.0f}"}, Expiry.FAR),
        ({"N": f"{NOW * 1000}"}, Expiry.MILLISECONDS),
        ({"S": f"{NOW}"}, Expiry.WRONG_TYPE),
    ],
)
def test_states(value: Any, found: Expiry) -> None:
    assert expiries([value, value], NOW) == {found: 2}
