"""The keys that a page brings, from the pages that came: figures worked out by hand."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skipscan.scan.limit.key_rate import EDGES, EXACT_PLACES, BucketedKeyRate, KeyRate


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


Page = tuple[int, Sequence[int]]
"""The items of a page, and the places of its new keys."""

FAR = 250_000
LIMITS = [*range(1, 200), 257, 1000, 65_537, 98_304, 98_305, 120_000, FAR]


@st.composite
def pages(draw: st.DrawFn) -> Page:
    items = draw(st.one_of(st.integers(1, 9), st.integers(1, 70), st.integers(1, 3000), st.just(FAR)))
    return items, sorted({0, *draw(st.lists(st.integers(0, items - 1), max_size=12))})


def defined(
    seen: Sequence[Page], before: Callable[[Sequence[tuple[float, int]]], float], own: int
) -> Iterator[tuple[int, int, float]]:
    """Return places, from one to before another, and their rate: by the definition, counted anew from all pages.

    `before`: the rate of a stretch without pages, from the rates and widths of the stretches before it. `own`: the
    number of places at the beginning that have a rate of their own.
    """
    yield 0, 1, 1.0
    rates: list[tuple[float, int]] = []
    for last, (begin, end) in pairwise(pairwise((*EDGES, 1 << 40))):
        rate = before(rates)
        if any(items > begin for items, _ in seen):
            weight = 2 if begin < 4 else min(16, end - begin if own else last[1] - last[0])
            items_there = sum(max(0, min(items, end) - begin) for items, _ in seen)
            keys_there = sum(begin <= place < end for _, places in seen for place in places)
            rate = (keys_there + weight * rate) / (items_there + weight)
        rates.append((rate, end - begin))
        if end > own:
            yield begin, end, rate
            continue
        for place in range(begin, end):
            reached = sum(items > place for items, _ in seen)
            there = sum(place in places for _, places in seen)
            yield place, place + 1, (there + 10 * rate) / (reached + 10) if reached else rate


def added_up(rates: Iterable[tuple[int, int, float]]) -> list[float]:
    every = list(rates)
    return [sum(rate * max(0, min(limit, end) - begin) for begin, end, rate in every) for limit in LIMITS]


def of_two_doublings(rates: Sequence[tuple[float, int]]) -> float:
    near = rates[-4:]
    return sum(rate * width for rate, width in near) / sum(width for _, width in near) if near else 0.6


def of_the_last(rates: Sequence[tuple[float, int]]) -> float:
    return rates[-1][0] if rates else 0.6


EVERY_STRETCH: list[Page] = [
    (FAR, range(0, FAR, 5000)),
    (60, range(0, 60, 3)),
    (129, [0, 63, 64, 127, 128]),
    (6, [0, 5]),
]


@given(st.lists(pages(), max_size=6))
@example(EVERY_STRETCH)
def test_the_keys_of_a_page_are_those_of_the_definition(seen: list[Page]) -> None:
    places, stretches = KeyRate(), BucketedKeyRate()
    for items, keys in seen:
        places.observe(items, keys)
        stretches.observe(items, keys)
    assert places.expected(LIMITS) == pytest.approx(added_up(defined(seen, of_two_doublings, EXACT_PLACES)), rel=1e-9)
    assert stretches.expected(LIMITS) == pytest.approx(added_up(defined(seen, of_the_last, 0)), rel=1e-9)
    assert places.farthest == stretches.farthest == max((items for items, _ in seen), default=0)
