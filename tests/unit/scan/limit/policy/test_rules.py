"""The rules by which the policy chooses the best Limit and learns, one by one: figures worked out by hand."""

import pytest

from skipscan.scan.limit.policy import LimitPolicy
from tests.unit.scan.limit.policy.stated import SPENT, Sizes, best, longer, policy

# How far pages may grow


@pytest.mark.parametrize(("farthest", "limit"), [(0, 4), (1, 4), (3, 12), (8, 31), (10, 39), (100, 381)])
def test_a_page_is_at_most_four_times_as_long_as_the_longest(farthest: int, limit: int) -> None:
    """All take one step, so the longest page is the cheapest. The first Limit within a twentieth of it is taken."""
    assert best(keys=longer, farthest=farthest) == limit


@pytest.mark.parametrize(("item_bytes", "limit"), [(400, 13), (128, 41), (5000, 4)])
def test_the_first_page_is_a_third_longer_than_a_step(item_bytes: float, limit: int) -> None:
    assert best(keys=longer, farthest=0, pages=0, sizes={"mean_bytes": item_bytes}) == limit


@pytest.mark.parametrize(("item_bytes", "limit"), [(400_000, 3), (60_000, 20), (2_000_000, 1)])
def test_a_page_is_at_most_a_tenth_longer_than_a_megabyte(item_bytes: float, limit: int) -> None:
    assert best(keys=longer, farthest=100, sizes={"mean_bytes": item_bytes}) == limit


@pytest.mark.parametrize(
    ("said_bytes", "items", "cost", "farthest", "limit"),
    [
        (190, 0, 0, 100, 381),  # less than twice the items seen: four times the longest page
        (300, 0, 0, 100, 162),  # 12 steps, of 6 read units, are 163.8 items
        (300, 0, 300, 100, 237),  # and a hundredth of the cost: 18 steps
        (300, 500, 0, 100, 196),  # beside 500 items seen the average is 233.3 bytes: 210.7 items
        (300, 1100, 0, 100, 381),  # beside 1,100 it is 195.2
        (3000, 0, 0, 100, 100),  # 16.4 items: as long as the longest page
        (400_000, 0, 0, 0, 2),
    ],
)
def test_pages_grow_slowly_if_the_average_item_is_twice_those_seen(
    said_bytes: float, items: float, cost: float, farthest: int, limit: int
) -> None:
    asked = policy(keys=longer, farthest=farthest, sizes={"mean_bytes": 100, "said_bytes": said_bytes}, cost=cost)
    asked.rate.items = [items]
    assert best_again(asked) == limit


def best_again(asked: LimitPolicy) -> int:
    """Return the best Limit once the policy has planned again."""
    asked.__post_init__()
    asked.risked = asked.longer_risked = SPENT
    return asked.limit()


# Which Limit is the best


@pytest.mark.parametrize(("rise", "limit"), [(0.019, 30), (0.021, 20)])
def test_the_largest_within_a_fiftieth_of_the_cheapest(rise: float, limit: int) -> None:
    def keys(items: int) -> float:
        return {20: 1.0, 30: 1 / (1 + rise)}.get(items, 0.5)

    assert best(keys=keys) == limit


@pytest.mark.parametrize(("gain", "limit"), [(0.049, 30), (0.051, 52)])
def test_beyond_the_longest_page_only_for_a_twentieth(gain: float, limit: int) -> None:
    """And then the first Limit that is within a twentieth of the cheapest."""

    def keys(items: int) -> float:
        return {30: 1.0, 47: 1.0005, 52: 1.002, 57: 1 + gain}.get(items, 0.5)

    assert best(keys=keys) == limit


@pytest.mark.parametrize(
    ("steps", "farthest", "limit"),
    [
        ({20: 1.0, 30: 1.02}, 40, 30),
        ({2: 1.0, 3: 1.02}, 0, 3),
        ({30: 1.05, 57: 1.0}, 40, 30),
        ({30: 1.06, 47: 1.05, 57: 1.0}, 40, 47),
    ],
)
def test_a_price_at_the_very_bound_is_within_it(steps: dict[int, float], farthest: int, limit: int) -> None:
    """Without a price of a request, a page of one key costs its steps."""
    table = {"steps": lambda items: steps.get(items, 2.0), "farthest": farthest, "request_units": 0.0}
    assert best(**table, pages=min(farthest, 1)) == limit


def test_a_limit_of_the_longest_page_is_one_that_was_seen() -> None:
    assert best(keys=lambda items: 1.04 if items == 39 else 1.0 if items == 30 else 0.5, farthest=39) == 39
    assert best(keys=lambda items: 1.04 if items == 39 else 1.0 if items == 30 else 0.5, farthest=38) == 30


def test_the_first_page_is_the_largest_within_a_fiftieth_of_the_cheapest() -> None:
    keys = {6: 1.0, 8: 1 / 1.019, 9: 1 / 1.021}
    assert best(keys=lambda items: keys.get(items, 0.5), farthest=0, pages=0) == 8


@pytest.mark.parametrize("limit", [33, 66, 101, 109, 128])
def test_every_limit_up_to_128_can_be_the_best(limit: int) -> None:
    """Collections of 27 items of 150 bytes: only a Limit of 109 brings five keys with four steps."""
    assert best(keys=lambda items: 1.0 if items == limit else 0.5, farthest=200) == limit


def test_what_a_page_costs_is_its_steps_and_its_request() -> None:
    """Four steps for three keys against one step for one: the request decides, and what a step is billed."""

    def best_for(request_units: float, step_units: float) -> int:
        return best(
            steps=lambda items: 4.0 if items == 20 else 1.0 if items == 5 else 99.0,
            keys=lambda items: 3.0 if items == 20 else 1.0,
            request_units=request_units,
            step_units=step_units,
        )

    assert [best_for(0.2, 0.5), best_for(0.3, 0.5), best_for(0.3, 1.0), best_for(0.6, 1.0)] == [5, 20, 5, 20]


# Learning


def test_a_page_is_learned_with_its_steps() -> None:
    asked = policy()
    asked.observe(5, [0, 3], 1.0)
    asked.observe(0, [], 0.0)
    assert asked.size.pages == {5: {2: 1.0}}
    assert (asked.rate.items, asked.rate.keys) == ([1, 1, 1, 1, 1], [1, 0, 0, 1, 0])
    assert (asked.pages, asked.cost) == pytest.approx((3, 1.08 + 0.58))


@pytest.mark.parametrize(("replan_at", "fits"), [(100.5, 1), (100 + 0.58, 1), (100.6, 0)])
def test_plans_again_when_the_cost_has_grown_by_a_tenth(replan_at: float, fits: int) -> None:
    asked = policy(cost=100.0, replan_at=replan_at)
    asked.observe(1, [0], 0.5)
    assert asked.size.fits == fits  # type: ignore[attr-defined]  # of Sizes
    assert asked.replan_at == pytest.approx(110.638 if fits else replan_at)


def test_plans_again_after_the_very_first_page() -> None:
    asked = policy(pages=0)
    asked.observe(1, [0], 0.5)
    assert asked.size.fits == 1  # type: ignore[attr-defined]  # of Sizes
    assert asked.replan_at == pytest.approx(0.58 * 1.1)


# A table that has become another


@pytest.mark.parametrize(("pages", "is_counted"), [(30, False), (31, False), (32, True), (100, True)])
def test_the_first_32_pages_are_not_compared(pages: int, is_counted: bool) -> None:
    asked = policy(pages=pages)
    asked.observe(1, [0], 0.5)
    due = 0.58 / 32 if is_counted else 0.0
    assert (asked.recent_cost, asked.recent_due) == pytest.approx((due, due))


def test_recent_pages_count_a_thirty_second_each() -> None:
    """A key costs 0.58. A page of two keys should have cost 1.16, and this one cost 1.58."""
    asked = policy(pages=40, recent_cost=1.0, recent_due=0.9)
    asked.observe(9, [0, 4], 1.5)
    assert asked.recent_cost == pytest.approx(1.0 + (1.58 - 1.0) / 32)
    assert asked.recent_due == pytest.approx(0.9 + (1.16 - 0.9) / 32)


@pytest.mark.parametrize(("keys", "counted"), [(0, 4 * 0.58), (1, 4 * 0.58), (5, 4 * 5 * 0.58)])
def test_a_page_counts_for_four_times_its_keys_at_most(keys: int, counted: float) -> None:
    asked = policy(pages=40)
    asked.observe(40, range(keys), 50.0)
    assert asked.recent_cost == pytest.approx(counted / 32)
    assert asked.recent_due == pytest.approx(0.58 * keys / 32)


@pytest.mark.parametrize(
    ("pages", "recent_cost", "is_another"),
    [(62, 9.0, False), (63, 9.0, False), (64, 9.0, True), (500, 9.0, True), (500, 1.9, False), (500, 2.2, True)],
)
def test_learns_again_if_recent_pages_cost_twice_what_they_should(
    pages: int, recent_cost: float, is_another: bool
) -> None:
    asked = policy(pages=pages, recent_cost=recent_cost, recent_due=1.0, replan_at=1e6, cost=50.0)
    asked.rate.items, asked.rate.keys = [5.0], [5.0]
    asked.observe(1, [0], 0.5)
    size = asked.size
    assert isinstance(size, Sizes)
    assert (size.is_forgotten, asked.rate.items, size.fits) == ((True, [], 1) if is_another else (False, [6.0], 0))
    assert asked.replan_at == pytest.approx(50.58 if is_another else 1e6)  # again at the next page
    assert asked.pages == (1 if is_another else pages + 1)
    assert (asked.recent_cost == asked.recent_due == 0.0) is is_another
