"""What depends on each kind of work: where its results are, its stack's output, what is followed, and what resumes."""

import pytest

from tests.unit.loop.test_proof import WHOLE

BUDGETS = {
    "listing": {"max_read_units", "max_dollars"},
    "act": {"max_write_units", "max_dollars"},
    "retrofit": {"max_read_units", "max_write_units", "max_dollars"},
    "copy": {"max_read_units", "max_write_units", "max_dollars"},
}
RATES = {
    "listing": {"max_read_units_per_second"},
    "act": {"max_write_units_per_second", "max_keys_per_second"},
    "retrofit": {"max_read_units_per_second", "max_write_units_per_second"},
    "copy": {"max_read_units_per_second", "max_write_units_per_second"},
}
RESUMED = {
    "listing": {"table", "resume", "overlap"},
    "act": {"table", "run", "resume", "without_recovery", "no_writes_elsewhere"},
    "retrofit": {"table", "resume", "without_recovery", "no_writes_elsewhere"},
    "copy": {"table", "to", "resume", "without_recovery"},
}
"""What may be given beside the bounds when work is resumed. All else stands in its plan."""


@pytest.mark.parametrize("name", WHOLE)
def test_every_bound_may_be_given_again_and_little_else(name: str) -> None:
    """Status, and the command that resumes, find by the plan's bounds which budget is used up."""
    changeable = {field.name for field in WHOLE[name].kind.fields if not field.is_fixed}
    expected = BUDGETS[name] | RATES[name] | RESUMED[name]
    assert changeable == expected, f"set is_fixed in its row, or add it to BUDGETS, RATES or RESUMED of {__file__}"
    assert set(WHOLE[name].plan.bounds) == BUDGETS[name]
