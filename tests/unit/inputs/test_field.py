"""Numbers in inputs, however large: a refusal in words, never Python's own error."""

import pytest

from skipscan.errors import InputError
from skipscan.inputs.field import amount, count, whole_number

HUGE = [10**19, 10**308, 10**309, 10**400, float("inf"), float("nan"), 1e308]


@pytest.mark.parametrize("value", [*HUGE, *(-number for number in HUGE)])
def test_an_amount_beyond_all_bounds_is_refused_with_its_field_and_the_rule(value: float) -> None:
    with pytest.raises(InputError, match=r"^max_dollars is .*; it must be a number, at least 0 and at most \d+: "):
        amount("max_dollars", value, 0)


@pytest.mark.parametrize("value", [10**19, 10**309, 10**4000])
def test_a_count_beyond_all_bounds_is_refused(value: int) -> None:
    with pytest.raises(InputError, match=r"^workers is \d+.*; a run has 1 to 64: lower it"):
        count("workers", value, 64, "a run has")


@pytest.mark.parametrize("value", [1.0, 1e400, "7", True])
def test_a_count_that_is_no_whole_number_is_refused(value: object) -> None:
    with pytest.raises(InputError, match="it must be a whole number"):
        whole_number("workers", value, 1, 64, "a run has 1 to 64")
