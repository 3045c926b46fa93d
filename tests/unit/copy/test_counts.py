"""What a copy counts of an item, when it copies and when it compares."""

import pytest

from skipscan.copy.item import CopyCounts, CopyOutcome
from skipscan.copy.replica import Side


@pytest.mark.parametrize("outcome", [CopyOutcome.MISSING, CopyOutcome.SURPLUS, CopyOutcome.DIFFERENT])
def test_what_differs_is_compared_counted_and_listed(outcome: CopyOutcome) -> None:
    counts = CopyCounts.verifying(Side.TARGET, outcome)
    assert counts == CopyCounts(target_items=1, compared=1, listed=1, **{outcome.value: 1})
    assert (counts.lines, counts.units_done) == (1, 1)


def test_what_is_the_same_is_only_compared() -> None:
    counts = CopyCounts.verifying(Side.SOURCE, CopyOutcome.SAME)
    assert counts == CopyCounts(source_items=1, compared=1)
    assert counts.outcomes == {"compared": 1, "missing": 0, "surplus": 0, "different": 0}
