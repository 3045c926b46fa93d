"""The rules by which the policy tries other Limits, one by one: figures worked out by hand."""

import pytest

from tests.unit.scan.limit.policy.stated import SPENT, policy

# Trying Limits near the best


def eight(items: int) -> float:
    """Pages of up to eight items fill one step, and each further item a quarter of one."""
    return 1.0 if items <= 8 else 1 + (items - 8) / 4


def two_fifths(items: int) -> float:
    return 0.4 * items


def test_a_limit_that_looks_a_ninth_more_expensive_is_tried() -> None:
    """8 costs 0.58/3.2 a key, 9 costs 1.08 times as much; 7 and 10 cost 1.14 times and are too expensive."""
    asked = policy(eight, two_fifths)
    assert [asked.limit() for _ in range(3)] == [9, 9, 9]
    assert asked.risked == pytest.approx(3 * (0.705 - 0.58 / 3.2 * 3.6 + 0.2))


@pytest.mark.parametrize(
    ("used", "limit"), [({}, 7), ({7: 1.0}, 9), ({7: 1.0, 9: 1.0}, 10), ({7: 2.0, 9: 1.0, 10: 1.0}, 9)]
)
def test_the_least_tried_comes_first_and_of_those_the_nearest(used: dict[int, float], limit: int) -> None:
    prices = {7: 1.11, 8: 1.0, 9: 1.1, 10: 1.11, 11: 1.13}
    asked = policy(keys=lambda items: 1 / prices.get(items, 2.0), sizes={"used": used})
    assert asked.limit() == limit


@pytest.mark.parametrize(("steps", "limit"), [(1.12, 9), (1.13, 8)])
def test_a_price_at_the_very_bound_is_near(steps: float, limit: int) -> None:
    table = {8: 1.0, 9: steps}
    assert policy(lambda items: table.get(items, 2.0), request_units=0.0).limit() == limit


@pytest.mark.parametrize(("near", "limit"), [(30, 30), (29, 60), (90, 90)])
def test_a_limit_below_half_the_best_is_not_tried(near: int, limit: int) -> None:
    """It would need more than twice the pages, which costs a small table more than it can gain."""
    asked = policy(keys=lambda items: {60: 1.0, near: 0.95}.get(items, 0.5), farthest=100)
    assert asked.limit() == limit


def test_a_try_that_looks_as_good_counts_a_part_of_a_step() -> None:
    asked = policy(keys=lambda items: 1.0 if items in {8, 9} else 0.5, step_units=1.0)
    assert (asked.limit(), asked.risked) == pytest.approx((8, 0.4))


def test_without_a_limit_near_the_best_a_page_has_the_best_and_counts_a_part_of_a_step() -> None:
    asked = policy(keys=lambda items: 1.0 if items == 8 else 0.5, step_units=1.0)
    assert (asked.limit(), asked.risked) == pytest.approx((8, 0.4))


@pytest.mark.parametrize(("cost", "risked", "limit"), [(0, 6.0, 9), (0, 6.1, 8), (100, 6.9, 9), (100, 7.1, 8)])
def test_tries_may_cost_six_read_units_and_a_hundredth(cost: float, risked: float, limit: int) -> None:
    assert policy(eight, two_fifths, cost=cost, risked=risked, longer_risked=SPENT).limit() == limit


# Trying longer pages


@pytest.mark.parametrize(("cost", "risked", "limit"), [(0, 6.0, 16), (0, 6.1, 8), (100, 6.9, 16), (100, 7.1, 8)])
def test_longer_pages_may_cost_as_much_again(cost: float, risked: float, limit: int) -> None:
    """The first of them risks a read unit, so that nothing is left for a second one."""
    asked = policy(eight, two_fifths, cost=cost, risked=SPENT, longer_risked=risked)
    assert [asked.limit() for _ in range(8)] == [8, 8, 8, limit, 8, 8, 8, 8]


@pytest.mark.parametrize(("used", "risk"), [(0, 1.0), (2, 0.71), (6, 0.565)])
def test_the_more_often_it_was_tried_the_more_of_its_keys_count(used: float, risk: float) -> None:
    """One read unit more for 3.2 keys more, of which 0, a half and three quarters are trusted, at 0.18125 each."""
    asked = policy(eight, two_fifths, tries=3, sizes={"used": {16: used}})
    assert asked.limit() == 16
    assert (asked.longer_risked, asked.risked) == pytest.approx((risk, 0.0))


def test_a_longer_page_that_brings_no_more_keys_risks_all_that_it_costs_more() -> None:
    """Sixteen items fill two steps more than eight."""
    asked = policy(eight, keys=lambda items: 3.0, tries=3, sizes={"used": {16: 1e6}})
    assert (asked.limit(), asked.longer_risked) == pytest.approx((16, 1.0))


def test_a_longer_page_that_looks_cheaper_risks_nothing() -> None:
    asked = policy(keys=lambda items: 3.0 if items == 8 else 3.1 if items == 16 else 0.5, farthest=8, tries=3)
    asked.size.used[16] = 1e6  # type: ignore[attr-defined]  # of Sizes
    assert (asked.limit(), asked.longer_risked) == (16, 0.0)


def test_where_no_page_is_twice_as_long_the_longest_is_tried() -> None:
    """A megabyte has three items of 400,000 bytes."""
    asked = policy(lambda items: 100.0 * items, lambda items: 2.6 if items == 2 else 1.3, tries=3)
    asked.size.mean_bytes = 400_000
    asked.__post_init__()
    assert asked.limit() == 3


@pytest.mark.parametrize(
    ("farthest", "said_bytes", "limit", "risk"),
    [
        (40, 0, 72, 4.0),  # eight steps beyond the 0.58 of a key
        (20, 0, 40, 2.0),  # twice the longest page
        (40, 1000, 36, 3.89453),  # items of the average size: 36.9
        (8, 0, 16, 0.5),
    ],
)
def test_pages_that_bring_few_keys_are_tried_far_longer(
    farthest: int, said_bytes: float, limit: int, risk: float
) -> None:
    """Every page brings one key, and eight items fill a step."""
    asked = policy(lambda items: max(1.0, items / 8), farthest=farthest, tries=3)
    asked.size.said_bytes = said_bytes
    assert asked.limit() == limit
    assert (asked.longer_risked, asked.risked) == pytest.approx((risk, 0.0), abs=1e-5)


def test_a_far_longer_page_is_at_least_twice_as_long_as_the_best() -> None:
    """Up to 20 items a page takes one step, above that too many."""
    asked = policy(lambda items: 1.0 if items <= 8 else items / 8 if items <= 20 else 99.0, tries=3)
    assert (asked.limit(), asked.longer_risked) == pytest.approx((20, 0.75))


@pytest.mark.parametrize(("keys", "limit"), [(2.4, 66), (2.6, 16)])
def test_few_keys_are_two_and_a_half(keys: float, limit: int) -> None:
    asked = policy(lambda items: max(1.0, items / 8), lambda items: keys if items > 7 else 0.1, tries=3)
    assert asked.limit() == limit


@pytest.mark.parametrize(("cost", "risked", "limit"), [(0, 1.9, 72), (0, 2.1, 8), (100, 2.9, 72), (100, 3.1, 8)])
def test_a_far_longer_page_must_fit_into_the_budget(cost: float, risked: float, limit: int) -> None:
    """Its risk is 4. If it does not fit, nothing is risked."""
    asked = policy(lambda items: max(1.0, items / 8), tries=3, cost=cost, longer_risked=risked)
    assert asked.limit() == limit
    assert asked.longer_risked == pytest.approx(risked + (4.0 if limit == 72 else 0))


def test_without_a_far_longer_page_twice_the_best_is_tried() -> None:
    """All pages above the best are beyond eight steps."""
    asked = policy(lambda items: 1.0 if items <= 8 else 20.0, tries=3)
    assert (asked.limit(), asked.longer_risked) == pytest.approx((16, 9.5))


def test_a_far_longer_page_that_is_cheaper_than_a_key_risks_nothing() -> None:
    asked = policy(lambda items: 2.0 if items == 8 else 1.0, lambda items: 1.0 if items == 8 else 0.1, tries=3)
    asked.size.of = lambda items: 0.5  # type: ignore[attr-defined]  # of Sizes, since the policy has planned
    assert (asked.limit(), asked.longer_risked) == (80, 0.0)


# What a try turned out to cost


@pytest.mark.parametrize(
    ("evaluated", "read_units", "charged"),
    [
        (15, 25.0, 0.0),  # not twice the best
        (16, 25.0, 25.08 - 1.58),
        (16, 3.08, 0.0),  # twice the 1.58
        (16, 3.5, 3.58 - 1.58),
    ],
)
def test_a_longer_page_that_ran_into_a_large_item_counts_for_what_it_cost(
    evaluated: int, read_units: float, charged: float
) -> None:
    """Where the second item of every collection is large, few further tries may follow."""
    asked = policy(eight, two_fifths, replan_at=1e6)
    asked.observe(evaluated, [0], read_units)
    assert (asked.risked, asked.longer_risked) == pytest.approx((0.0, charged))
