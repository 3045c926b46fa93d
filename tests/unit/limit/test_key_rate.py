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
    # Two items' worth of the rates before count beside each: 1.2/3, 1.8/3, 1/3, and of both in 4-5 0.889/3; of these,
    # ten items' worth count beside each place that was seen: 4/11, 7/11, 3.33/11, 2.963/11.
    expected = [1, 1.36364, 2.0, 2.30303, 2.57239, 2.86869]
    assert rate.expected([1, 2, 3, 4, 5, 6]) == pytest.approx(expected, abs=1e-5)
    # Nobody saw 6-7 or 8-11: they are like the four stretches before.
    assert rate.expected([6, 8, 9]) == pytest.approx([2.86869, 3.63906, 4.02177], abs=1e-5)
    assert rate.expected([3, 9]) == pytest.approx([2.0, 4.02177], abs=1e-5)


def test_collections_of_equal_length_begin_at_one_place_of_a_stretch() -> None:
    """Pages that end just before it are many; that no key was on them says nothing of the place behind them."""
    rate = KeyRate()
    for _ in range(200):
        rate.observe(27, [0])
    for _ in range(10):
        rate.observe(29, [0, 28])
    most, before, at, behind = rate.expected([27, 28, 29, 30])
    assert before - most < 0.02
    assert at - before > 0.5
    assert behind - at < 0.02


def test_what_was_not_seen_is_like_the_two_doublings_before() -> None:
    rate = KeyRate()
    for _ in range(500):
        rate.observe(32, [0, 10, 20, 30])
    (seen, twice) = rate.expected([32, 64])
    assert seen == pytest.approx(4, abs=0.1)
    assert twice - seen == pytest.approx(32 / 10, abs=0.9)


def test_pages_add_up() -> None:
    rate = KeyRate()
    rate.observe(7, [0, 4, 6])
    rate.observe(2, [0, 1])
    rate.observe(1, [0])
    assert rate.items == [3, 2, 1, 1, 2, 1]
    assert rate.keys == [3, 1, 0, 0, 1, 1]
    assert rate.farthest == 7


def test_a_stretch_counts_the_rate_before_as_many_items_as_that_one_has_and_sixteen_at_most() -> None:
    for stretch, weight in ((4, 2), (6, 4), (8, 8), (9, 8), (11, 16), (13, 16)):
        seen = KeyRate(items=[0.0] * stretch + [10.0], keys=[0.0] * stretch + [10.0])
        (before, after) = seen.expected([EDGES[stretch], EDGES[stretch] + 1])
        assert after - before == pytest.approx((10 + weight * 0.6) / (10 + weight)), stretch


def test_forgets_pages_but_not_how_far_they_went() -> None:
    rate = KeyRate()
    rate.observe(5, [0, 2])
    rate.forget()
    assert rate == KeyRate(farthest=5)


def test_goes_through_state_to_a_tenth() -> None:
    rate = KeyRate([1.0, 0.26], [1.0, 0.04], 9, [0.0, 1.0], [1.0, 0.0])
    document = json.loads(json.dumps(rate.to_json()))
    places = {"place_pages": [0.0, 1.0], "place_keys": [1.0, 0.0]}
    assert document == {"items": [1.0, 0.3], "keys": [1.0, 0.0], "farthest": 9, **places}
    assert KeyRate.from_json(document) == KeyRate([1.0, 0.3], [1.0, 0.0], 9, [0.0, 1.0], [1.0, 0.0])
