"""The keys that a page brings, from the pages that came: figures worked out by hand."""

import json

import pytest

from skipscan.scan.limit.key_rate import EDGES, KeyRate


def test_stretches_are_single_items_first_and_then_two_to_every_doubling() -> None:
    assert EDGES[:12] == (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48)
    assert EDGES[-2:] == (65_536, 98_304)
    assert EDGES[-1] < 1 << 17
    assert 350 * EDGES[-1] > 1 << 20  # no page of 1 MB has more items worth telling apart


def test_the_first_item_is_a_key_and_others_are_guessed() -> None:
    assert KeyRate().expected([1, 2, 3, 100]) == pytest.approx([1.0, 1.6, 2.2, 60.4])


def test_a_page_of_five_items_and_two_keys() -> None:
    rate = KeyRate()
    rate.observe(5, [0, 2])
    assert (rate.items, rate.keys, rate.farthest) == ([1, 1, 1, 1, 1], [1, 0, 1, 0, 0], 5)
    # Two items' worth of the rate before count beside each: 1.2/3, 1.8/3, 1.2/3; then one's: 0.4/2, for all behind.
    assert rate.expected([1, 2, 3, 4, 5, 6, 9]) == pytest.approx([1, 1.4, 2.0, 2.4, 2.6, 2.8, 3.4])
    assert rate.expected([3, 9]) == pytest.approx([2.0, 3.4])


def test_pages_add_up() -> None:
    rate = KeyRate()
    rate.observe(7, [0, 4, 6])
    rate.observe(2, [0, 1])
    rate.observe(1, [0])
    assert rate.items == [3, 2, 1, 1, 2, 1]
    assert rate.keys == [3, 1, 0, 0, 1, 1]
    assert rate.farthest == 7


def test_a_stretch_counts_the_rate_before_as_many_items_as_that_one_has_and_sixteen_at_most() -> None:
    for stretch, weight in ((4, 1), (6, 2), (8, 4), (9, 8), (11, 16), (13, 16)):
        seen = KeyRate(items=[0.0] * stretch + [10.0], keys=[0.0] * stretch + [10.0])
        (before, after) = seen.expected([EDGES[stretch], EDGES[stretch] + 1])
        assert after - before == pytest.approx((10 + weight * 0.6) / (10 + weight)), stretch


def test_forgets_pages_but_not_how_far_they_went() -> None:
    rate = KeyRate()
    rate.observe(5, [0, 2])
    rate.forget()
    assert rate == KeyRate(farthest=5)


def test_goes_through_state_to_a_tenth() -> None:
    rate = KeyRate([1.0, 0.26], [1.0, 0.04], 9)
    document = json.loads(json.dumps(rate.to_json()))
    assert document == {"items": [1.0, 0.3], "keys": [1.0, 0.0], "farthest": 9}
    assert KeyRate.from_json(document) == KeyRate([1.0, 0.3], [1.0, 0.0], 9)
