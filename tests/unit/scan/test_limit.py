"""The policy finds the cheapest Limit per key, whatever DescribeTable says, and never risks much."""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skipscan.dynamodb.page import PAGE_BYTES, STEP_BYTES
from skipscan.scan.limit import FREE_UNITS, GUARD, PRIOR, REQUEST_UNITS, LimitPolicy
from skipscan.scan.plan import Optimize
from tests.house.suite.examples import examples

pytestmark = pytest.mark.slow

REQUEST = REQUEST_UNITS[Optimize.BALANCED]


class Collections:
    """Item collections in the order of a scan; `cost` is read units plus `REQUEST` for every request."""

    def __init__(self, lengths: Sequence[int], size: int | Callable[[int], int]) -> None:
        sizes = [size if isinstance(size, int) else size(place) for length in lengths for place in range(length)]
        self.starts, self.bytes = [0, *accumulate(lengths)], [0, *accumulate(sizes)]

    def page(self, collection: int, limit: int) -> tuple[int, list[int], float, int]:
        """Return a page's items, the places of its keys, its read units, and the collection after it."""
        begin = self.starts[collection]
        end = min(begin + limit, self.starts[-1])
        end = min(end, max(bisect_left(self.bytes, self.bytes[begin] + PAGE_BYTES), begin + 1))
        after = bisect_right(self.starts, end - 1)
        read_units = 0.5 * -(-(self.bytes[end] - self.bytes[begin]) // STEP_BYTES)
        return end - begin, [start - begin for start in self.starts[collection:after]], read_units, after

    def costs(self, limit: Callable[[], int], observe: Callable[[int, list[int], float], None]) -> list[float]:
        costs, collection = [], 0
        while collection < len(self.starts) - 1:
            items, places, read_units, collection = self.page(collection, limit())
            observe(items, places, read_units)
            costs.append(read_units + REQUEST)
        return costs

    def fixed(self, limit: int) -> float:
        return sum(self.costs(lambda: limit, lambda *_: None))

    def learnt(self, policy: LimitPolicy) -> float:
        return sum(self.costs(policy.limit, policy.observe))


def expecting(item_bytes: float, step_units: float = 0.5) -> LimitPolicy:
    """Return a policy to which DescribeTable states the average item."""
    return LimitPolicy(step_units, stated=True, items=PRIOR * STEP_BYTES / item_bytes)


def lengths(seed: int, count: int, mean: float, giant: int = 0) -> list[int]:
    """Return geometric lengths, a hundredth of them `giant`."""
    chance = Random(seed)
    short = [1 + int(chance.expovariate(1 / (mean - 0.99))) if mean > 1 else 1 for _ in range(count)]
    return [giant if giant and chance.random() < 0.01 else length for length in short]


@pytest.mark.parametrize("stated", [None, 40, 150, 2000])
@pytest.mark.parametrize(("items", "item_bytes", "best"), [(1000, 150, 27), (90, 40, 102), (28, 60, 68), (24, 170, 24)])
def test_fills_one_step_to_the_last_item_whatever_size_is_stated(
    items: int, item_bytes: int, best: int, stated: int | None
) -> None:
    policy, table = expecting(stated) if stated else LimitPolicy(), Collections([items] * 3000, item_bytes)
    assert table.learnt(policy) <= 1.06 * table.fixed(best)


def test_grows_to_whole_pages_where_every_item_is_a_key() -> None:
    table = Collections([1] * 20_000, 150)
    assert table.learnt(LimitPolicy()) < 1.03 * table.fixed(PAGE_BYTES // 150)


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.sampled_from([1, 2, 3, 5, 10, 30, 3000]), st.sampled_from([1, 5, 20, 100])), max_size=6),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from([60, 150, 900, 3000, 4096]),
    st.randoms(use_true_random=False),
)
@example([[(5, 20)]], 4096, Random(1))  # tables that exceed it with a guard of 1.5,
@example([[(3, 20), (2, 100), (300, 1), (10, 20), (10, 100)]], 2048, Random(1))  # without one,
@example([[(3, 100), (5, 20), (5, 1), (1, 100), (30, 1), (30, 100)]], 3000, Random(1))  # and with pages of two steps
def test_the_bound_holds_at_any_time_where_items_are_alike(
    segments: list[list[tuple[int, int]]], item_bytes: int, random: Random
) -> None:
    """1.1 times what Limit=1 pays so far, 2 units, and the pages that were under way when the guard closed last.

    A page of each segment is under way, and any of them is answered next.
    """
    policy, one = expecting(item_bytes), 0.5 + REQUEST
    tables = [Collections([length for length, times in runs for _ in range(times)], item_bytes) for runs in segments]
    waiting, under_way = [(table, 0) for table in tables], list[tuple[Collections, int | None, list[int], int, float]]()
    room, allowed = FREE_UNITS, 0.0
    while waiting or under_way:
        for table, collection in waiting:
            limit = policy.limit()
            if collection == len(table.starts) - 1:
                under_way.append((table, None, [], 0, 0.5))
            else:
                items, places, read_units, after = table.page(collection, limit)
                at_end = after == len(table.starts) - 1 and items < limit
                under_way.append((table, None if at_end else after, places, items, read_units))
        table, next_collection, places, items, read_units = under_way.pop(random.randrange(len(under_way)))
        policy.observe(items, places, read_units)
        before, room = room, room + GUARD * max(1, len(places)) * one - (read_units + REQUEST)
        if before >= 0 > room:
            allowed = read_units + REQUEST + sum(page[-1] + REQUEST for page in under_way)
        assert room >= 0 or -room <= allowed + 1e-6
        waiting = [] if next_collection is None else [(table, next_collection)]


def test_above_the_cost_of_limit_1_no_page_is_meant_to_take_more_than_a_step() -> None:
    """1.1 times 5 read units, and 2: 7.5."""
    limits = [LimitPolicy(best=1000, trial=2000, plan_at=99.0, blog=5.0, cost=cost).limit() for cost in (7.4, 7.6)]
    assert limits == [2000, 10]


@settings(max_examples=examples(20), deadline=None)
@given(st.integers(0, 1 << 30))
def test_the_state_is_all_of_it(seed: int) -> None:
    """The next batch goes on as this one would have, and the state stays small."""
    table, policy = Collections(lengths(seed, 1000, 1 + seed % 40), 150), LimitPolicy()
    limits = list[int]()

    def limit() -> int:
        nonlocal policy
        document = json.dumps(policy.to_json())
        assert len(document) < 6000
        limits.append(policy.limit())
        policy = LimitPolicy.from_json(json.loads(document))
        return policy.limit()

    def observe(items: int, places: list[int], read_units: float) -> None:
        policy.observe(items, places, read_units)

    costs = table.costs(limit, observe)
    other = LimitPolicy()
    assert costs == table.costs(other.limit, other.observe)


@pytest.mark.parametrize(
    ("shape", "stated", "step_units", "requests", "read_units"),
    [
        ((40, 0, 300), 300, 0.5, 1601, 815.0),
        ((6, 0, 700), None, 0.5, 1164, 605.5),
        ((2, 500, 150), 150, 0.5, 119, 71.5),
        ((12, 0, 1500), 6000, 0.5, 1843, 936.5),
        ((1, 0, 3000), None, 1.0, 11, 732.5),
        ((5, 50, 90), 20, 0.5, 20, 116.0),
    ],
)
def test_pages_and_read_units_of_two_thousand_collections(
    shape: tuple[float, int, int], stated: int | None, step_units: float, requests: int, read_units: float
) -> None:
    """`shape`: mean length, giants, item bytes. Other figures are another policy."""
    mean, giant, item_bytes = shape
    chance = Random(5)
    table = Collections(lengths(4, 2000, mean, giant), lambda _: round(item_bytes * chance.uniform(0.8, 1.2)))
    policy = expecting(stated, step_units) if stated else LimitPolicy(step_units)
    costs = table.costs(
        policy.limit, lambda items, places, units: policy.observe(items, places, 2 * step_units * units)
    )
    assert (len(costs), sum(costs) - REQUEST * len(costs)) == pytest.approx((requests, read_units))
