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
