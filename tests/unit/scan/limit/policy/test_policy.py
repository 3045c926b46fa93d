"""The policy finds the cheapest Limit per key, independent of DescribeTable and of the collections' lengths."""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.scan.limit.item_size import ItemSize
from skipscan.scan.limit.key_rate import KeyRate
from skipscan.scan.limit.policy import CANDIDATES, PAGE_BYTES, REQUEST_UNITS, LimitPolicy
from skipscan.scan.plan import Optimize
from tests.house.suite.examples import examples

pytestmark = pytest.mark.slow

REQUEST = REQUEST_UNITS[Optimize.BALANCED]


class Collections:
    """Item collections in the order of a scan; `cost` is read units plus `REQUEST` for every request."""

    def __init__(self, lengths: Sequence[int], item_bytes: Sequence[int]) -> None:
        self.starts = [0, *accumulate(lengths)]
        self.bytes = [0, *accumulate(item_bytes)]

    def page(self, collection: int, limit: int) -> tuple[int, list[int], float, int]:
        """Return a page's items, the places of its keys, its read units, and the collection after it."""
        begin = self.starts[collection]
        end = min(begin + limit, self.starts[-1])
        end = min(end, max(bisect_left(self.bytes, self.bytes[begin] + PAGE_BYTES), begin + 1))
        after = bisect_right(self.starts, end - 1)
        read_units = 0.5 * -(-(self.bytes[end] - self.bytes[begin]) // 4096)
        return end - begin, [start - begin for start in self.starts[collection:after]], read_units, after

    def cost(self, limit: int) -> float:
        cost, collection = 0.0, 0
        while collection < len(self.starts) - 1:
            _, _, read_units, collection = self.page(collection, limit)
            cost += read_units + REQUEST
        return cost

    def full_scan(self) -> float:
        """Return the cost of reading everything in pages of 1 MB."""
        cost, begin = 0.0, 0
        while begin < self.starts[-1]:
            end = min(bisect_left(self.bytes, self.bytes[begin] + PAGE_BYTES), self.starts[-1])
            cost += 0.5 * -(-(self.bytes[end] - self.bytes[begin]) // 4096) + REQUEST
            begin = end
        return cost

    def cost_of(self, policy: LimitPolicy) -> float:
        cost, collection = 0.0, 0
        while collection < len(self.starts) - 1:
            items, places, read_units, collection = self.page(collection, policy.limit())
            policy.observe(items, places, read_units)
            cost += read_units + REQUEST
        return cost


def table(seed: int, collections: int, mean_length: float, giant: int, item_bytes: int) -> Collections:
    """Geometric lengths, a hundredth of them `giant`; sizes within a fifth of their mean."""
    chance = Random(seed)
    lengths = [
        giant
        if giant and chance.random() < 0.01
        else 1 + int(chance.expovariate(1 / (mean_length - 0.99)) if mean_length > 1 else 0)
        for _ in range(collections)
    ]
    sizes = [round(item_bytes * chance.uniform(0.8, 1.2)) for _ in range(sum(lengths))]
    return Collections(lengths, sizes)


@pytest.mark.parametrize("said_bytes", [0, 1, 100, 10_000])
@pytest.mark.parametrize(("item_bytes", "least", "most"), [(150, 20, 28), (500, 6, 8), (3000, 1, 1), (10_000, 1, 1)])
def test_fills_one_step_where_collections_are_long(said_bytes: int, item_bytes: int, least: int, most: int) -> None:
    policy = LimitPolicy(size=ItemSize.expecting(said_bytes))
    table(1, 1500, 40, 0, item_bytes).cost_of(policy)
    typical = sorted(policy.limit() for _ in range(15))[7]
    assert least <= typical <= most


def test_grows_to_whole_pages_where_every_item_is_a_key() -> None:
    policy = LimitPolicy()
    whole = table(2, 30_000, 1, 0, 150)
    assert whole.cost_of(policy) < 1.03 * whole.full_scan()
    assert policy.rate.farthest > 4500


def test_shrinks_where_giants_swallow_pages() -> None:
    policy = LimitPolicy()
    skewed = table(3, 4000, 2, 3000, 500)
    assert skewed.cost_of(policy) < 0.1 * skewed.full_scan()
    assert policy.limit() < 100


@pytest.mark.parametrize("item_bytes", [30, 58])
def test_fills_one_step_where_a_hundred_items_fit_into_it(item_bytes: int) -> None:
    """Their sizes show only in which of the long pages take two steps."""
    lengths = [1000] * 1500
    tiny = Collections(lengths, [item_bytes] * sum(lengths))
    assert tiny.cost_of(LimitPolicy(request_units=0.08)) < 1.03 * tiny.cost(1)


def test_learns_again_when_the_table_changes() -> None:
    """Which hashing all but rules out: what was learnt of short collections must not rule over long ones."""
    policy = LimitPolicy()
    table(4, 10_000, 2, 3000, 150).cost_of(policy)
    assert policy.limit() > 40
    long = table(5, 6000, 100, 0, 1000)
    assert long.cost_of(policy) < 1.1 * long.cost(4)
    assert policy.limit() <= 4


@pytest.mark.slow
@settings(max_examples=examples(100))
@given(
    st.integers(0, 10**6),
    st.sampled_from([1, 1.2, 2, 5, 20, 80]),
    st.sampled_from([0, 0, 500]),
    st.sampled_from([60, 150, 500, 1500, 4000, 9000, 30_000]),
)
def test_never_costs_much_more_than_the_better_static_way(
    seed: int, mean_length: float, giant: int, item_bytes: int
) -> None:
    """In a table so small, where luck in the first pages may cost a quarter; benchmarks/limit has those of a size."""
    any_table = table(seed, 2000, mean_length, giant, item_bytes)
    better = min(any_table.cost(1), any_table.full_scan())
    assert any_table.cost_of(LimitPolicy()) <= 1.25 * better + 30


def test_a_batch_continues_where_the_previous_one_stopped() -> None:
    """The policy through JSON after every page costs what it costs in one piece; its state stays small."""
    collections = table(6, 3000, 8, 0, 700)
    policy, through_json = LimitPolicy(), LimitPolicy()
    whole = collections.cost_of(policy)
    cost, collection, longest = 0.0, 0, 0
    while collection < 3000:
        text = json.dumps(through_json.to_json())
        longest = max(longest, len(text))
        through_json = LimitPolicy.from_json(json.loads(text))
        items, places, read_units, collection = collections.page(collection, through_json.limit())
        through_json.observe(items, places, read_units)
        cost += read_units + REQUEST
    assert cost == pytest.approx(whole, rel=0.02)
    assert longest < 6000


def test_the_same_pages_lead_to_the_same_limits() -> None:
    first, second = LimitPolicy(), LimitPolicy()
    collections = table(7, 1000, 3, 200, 400)
    collections.cost_of(first)
    collections.cost_of(second)
    assert first == second


@given(st.lists(st.integers(1, 40), min_size=1, max_size=60))
def test_the_rate_counts_every_key_seen(lengths: list[int]) -> None:
    rate = KeyRate()
    starts = [0, *accumulate(lengths)][:-1]
    rate.observe(sum(lengths), starts)
    assert sum(rate.keys) == len(lengths)
    assert sum(rate.items) == sum(lengths)
    expected = rate.expected(list(range(1, 200)))
    assert expected[0] == 1
    assert all(0 <= later - earlier <= 1 for earlier, later in pairwise(expected))


@pytest.mark.parametrize(("mean_bytes", "spread"), [(150, 0.05), (500, 0.2), (1500, 0.5), (10_240, 0.1)])
def test_sizes_are_found_from_steps_alone(mean_bytes: int, spread: float) -> None:
    chance, size = Random(8), ItemSize()
    for page in range(600):
        items = 1 + page % 40
        total = sum(max(1, round(chance.gauss(mean_bytes, spread * mean_bytes))) for _ in range(items))
        size.observe(items, -(-total // 4096))
    size.fit()
    assert size.mean_bytes == pytest.approx(mean_bytes, rel=0.03)
    assert 1 <= size.steps(1) <= mean_bytes / 4096 + 1


def learnt(seed: int, mean_length: float, giant: int, item_bytes: int, request_units: float = REQUEST) -> LimitPolicy:
    """Return the policy of a worker that has seen a whole table, and has nothing left to risk on other Limits."""
    policy = LimitPolicy(request_units=request_units)
    table(seed, 3000, mean_length, giant, item_bytes).cost_of(policy)
    return LimitPolicy.from_json({**policy.to_json(), "risked": 1e9, "longer_risked": 1e9})


def price(policy: LimitPolicy, limit: int) -> float:
    """Return what a key costs on a page of that many items, as far as the policy knows."""
    (*_, keys) = policy.rate.expected(list(range(1, limit + 1)))
    return (policy.expected_read_units(limit) + policy.request_units) / keys


SHAPES = [(11, 40, 0, 300), (12, 6, 0, 700), (13, 2, 500, 150), (14, 12, 0, 1500), (15, 1, 0, 3000), (16, 5, 50, 90)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_takes_the_longest_page_that_is_within_a_fiftieth_of_the_cheapest(shape: tuple[int, float, int, int]) -> None:
    policy = learnt(*shape)
    chosen = policy.limit()
    seen = [limit for limit in CANDIDATES if limit <= policy.rate.farthest and limit * shape[3] < PAGE_BYTES]
    cheapest = min(price(policy, limit) for limit in seen)
    assert price(policy, chosen) <= 1.0201 * cheapest
    assert all(price(policy, limit) > 1.0199 * cheapest for limit in seen if limit > chosen)


@pytest.mark.parametrize(("mean_length", "item_bytes"), [(6, 700), (3, 1500)])
def test_what_is_optimized_for_shows_in_requests_and_read_units(mean_length: float, item_bytes: int) -> None:
    """From the input on: speed takes fewer requests than cost does, and cost fewer read units than speed."""
    spent = {optimize: consumed(optimize, mean_length, item_bytes) for optimize in ("cost", "balanced", "speed")}
    requests, read_units = ({name: each[place] for name, each in spent.items()} for place in (0, 1))
    assert requests["speed"] < 0.95 * requests["balanced"] <= requests["cost"]
    assert read_units["cost"] <= 1.01 * read_units["balanced"] <= 1.02 * read_units["speed"]  # luck is left a hundredth
    assert read_units["cost"] < read_units["speed"]
    assert (requests["balanced"], read_units["balanced"]) != (requests["cost"], read_units["cost"])


def consumed(optimize: str, mean_length: float, item_bytes: int) -> tuple[int, float]:
    decided = plan_listing(parse({"table": "Orders", "optimize": optimize}), DESCRIPTION)
    policy, collections = LimitPolicy.of(decided), table(17, 3000, mean_length, 0, item_bytes)
    requests, read_units, collection = 0, 0.0, 0
    while collection < 3000:
        items, places, page_units, collection = collections.page(collection, policy.limit())
        policy.observe(items, places, page_units)
        requests, read_units = requests + 1, read_units + page_units
    return requests, read_units


DESCRIPTION = TableDescription.from_json(
    {
        "TableStatus": "ACTIVE",
        "AttributeDefinitions": [{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "sk")],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    }
)


@pytest.mark.parametrize("shape", SHAPES[:4], ids=str)
def test_trying_other_limits_costs_a_hundredth_at_most(shape: tuple[int, float, int, int]) -> None:
    policy = LimitPolicy()
    table(shape[0], 6000, *shape[1:]).cost_of(policy)
    most_expensive = max(price(policy, 2 * policy.limit()) for _ in range(8)) * policy.rate.farthest
    assert policy.risked <= 0.01 * policy.cost + 6.0 + most_expensive
    assert policy.tries > 10


def test_what_a_page_may_consume_bounds_its_limit() -> None:
    policy = LimitPolicy(size=ItemSize.expecting(1024))
    assert [policy.affordable(read_units) for read_units in (0.1, 0.5, 2.0)] == [1, 4, 16]
    consistent = LimitPolicy(step_units=1.0, size=ItemSize.expecting(1024))
    assert [consistent.affordable(read_units) for read_units in (0.1, 0.5, 2.0)] == [1, 2, 8]


def test_a_consistent_page_is_expected_to_consume_twice_as_much() -> None:
    eventual, consistent = LimitPolicy(), LimitPolicy(step_units=1.0)
    assert consistent.expected_read_units(40) == 2 * eventual.expected_read_units(40) > 4.0


def test_what_was_learnt_comes_back_from_state() -> None:
    policy = learnt(12, 6, 0, 700)
    assert LimitPolicy.from_json(json.loads(json.dumps(policy.to_json()))) == policy
    assert list(policy.to_json()) == [
        *("step_units", "request_units", "size", "rate", "pages", "cost", "risked", "longer_risked"),
        *("replan_at", "forgotten_cost", "tries", "recent_cost", "recent_due"),
    ]


@pytest.mark.parametrize(("items", "item_bytes"), [(30, 140), (28, 150), (14, 300), (5, 820)])
def test_sees_that_reading_all_is_cheaper_if_collections_are_a_little_longer_than_a_step(
    items: int, item_bytes: int
) -> None:
    """Pages of one item bring no other key however often they are tried: only far longer ones do."""
    collections = Collections([items] * 2000, [item_bytes] * (2000 * items))
    cost = collections.cost_of(LimitPolicy(size=ItemSize.expecting(item_bytes)))
    assert cost <= 1.2 * collections.full_scan()


def test_pages_do_not_grow_into_large_items_that_hide_where_no_page_has_been() -> None:
    """The items seen are tiny, and DescribeTable's average is 5 KB, which many items seen outweigh."""
    policy = LimitPolicy(size=ItemSize.expecting(5000))

    def longest(pages: int) -> int:
        limits = []
        for _ in range(pages):
            limits.append(policy.limit())
            evaluated = min(limits[-1], 8)
            policy.observe(evaluated, list(range(0, evaluated, 2)), 0.5)
        return max(limits)

    longest(20)
    assert policy.size.mean_bytes < 1000
    assert longest(10) <= 12
    assert longest(500) > 24
