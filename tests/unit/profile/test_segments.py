"""What is read: all if the budget pays for it, else random segments; no page twice, and never over the budget."""

import pytest

from skipscan.dynamodb.page import most_page_units
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.errors import InputError
from skipscan.profile.segments import ReadingPlan
from tests.refusal import refused
from tests.unit.profile.tables import budget, read

ITEMS = [{"pk": {"S": f"k{n % 200}"}, "sk": {"S": f"s{n}"}, "a": {"S": "x" * 300}} for n in range(2000)]


@pytest.mark.parametrize(
    ("size_bytes", "units", "segments", "sampled", "expected_units"),
    [
        (0, 400, 1000, 1000, None),
        (4 << 20, 20_000, 1, 1, 512.0),  # four pages
        (340 * 4096, 200, 1, 1, 170.0),  # less, for 85 % of the budget
        (5 << 20, 20_000, 10, 10, 640.0),  # as many in each tenth of the hash space
        (39 << 20, 20_000, 30, 30, 39 * 128.0),
        (100 << 20, 20_000, 100, 100, 12_800.0),
        (34_000 * 4096, 20_000, 120, 120, 17_000.0),  # 85 % of the budget
        (34_000 * 4096 + 1, 20_000, 120, 119, 119 / 120 * 17_000),
        (10**10, 400, 305_175, 84, 336.0),  # segments of eight steps of 4 KB
        (10**15, 200_000, 1_000_000, 1, 122_070.3),
    ],
)
def test_a_table_within_the_budget_is_read_whole_and_a_larger_one_in_random_segments(
    size_bytes: int, units: int, segments: int, sampled: int, expected_units: float | None
) -> None:
    plan = ReadingPlan.of(size_bytes, budget(units), US_EAST_1)
    assert (plan.segments, plan.sampled, plan.is_whole) == (segments, sampled, segments == sampled)
    assert plan.expected_units == (expected_units and pytest.approx(expected_units, rel=1e-5))


def test_no_page_is_read_twice_and_all_segments_are() -> None:
    profile, table = read(ITEMS, plan=ReadingPlan(20, 20, budget(), 100.0))
    asked = [(ask.segment, str(ask.start_key)) for ask in table.asked]
    assert len(set(asked)) == len(asked)
    assert {segment for segment, _ in asked} == set(range(20))
    assert profile.figures.read.read_units == table.read_units
    assert profile.figures.read.is_whole


def test_a_budget_is_not_exceeded() -> None:
    most = most_page_units(0.5) + 20
    profile, table = read(ITEMS, plan=ReadingPlan(20, 20, budget(most), 100.0))
    assert 20 <= table.read_units <= most
    assert not profile.figures.read.is_whole


def test_a_budget_below_a_page_is_refused() -> None:
    with refused(InputError, "max_read_units", 178, "max_read_units", rule=r"page may take 178\.5$"):
        ReadingPlan.of(10**9, budget(178), US_EAST_1)


def test_a_budget_below_the_smallest_segment_is_refused() -> None:
    with refused(InputError, "max_read_units", 400, "max_read_units", rule=r"smallest segment .* 1,220\.7$"):
        ReadingPlan.of(10**13, budget(400), US_EAST_1)
