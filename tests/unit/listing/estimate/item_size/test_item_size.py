"""What pages cost, from the steps that pages were billed: figures that can be worked out by hand."""

import numpy as np
import pytest

from skipscan.listing.estimate.item_size import EXACT_ITEMS, ItemSize
from skipscan.scan.limit import UNKNOWN_BYTES

EVEN = 0.001
"""A spread with which all items are nearly of one size."""


@pytest.mark.parametrize(
    ("item_bytes", "items", "steps"),
    [
        (1000, 1, 1), (1000, 4, 1), (1000, 5, 2), (1000, 8, 2), (1000, 9, 3), (1024, 4, 1.5), (5000, 1, 2),
        (10_240, 1, 3), (10_240, 2, 5.5), (100, 40, 1), (100, 41, 2 - 0.5), (4096, 1, 1.5), (409_600, 1, 100.5),
    ],
)  # fmt: skip
def test_items_of_one_size_take_the_steps_they_fill(item_bytes: float, items: int, steps: float) -> None:
    assert ItemSize(item_bytes, EVEN).steps(items) == pytest.approx(steps, abs=0.51 if steps % 1 else 0.01)


@pytest.mark.parametrize(
    ("item_bytes", "items", "steps"), [(1000, 1000, 244.64), (400, 5000, 488.78), (90_000, 12, 264.17)]
)
def test_long_pages_take_half_a_step_more_than_they_fill(item_bytes: float, items: int, steps: float) -> None:
    assert ItemSize(item_bytes, 1.0).steps(items) == pytest.approx(steps, abs=0.01)


def test_a_page_that_ends_in_large_items_counts_for_its_limit() -> None:
    """One page in ten has 16 items of 5 KB, the others have small ones: a page takes 2.9 steps."""
    size = ItemSize()
    for page in range(100):
        size.observe(16, 20 if page % 10 == 0 else 1)
    assert size.seen(16) == (100, 290)


@pytest.mark.parametrize("spread", [0.1, 0.4, 1.0])
@pytest.mark.parametrize(("item_bytes", "items"), [(300, 5), (700, 6), (1000, 4), (3000, 1), (3000, 3), (9000, 2)])
def test_sizes_that_spread_take_what_drawn_ones_do(item_bytes: float, items: int, spread: float) -> None:
    """Sizes of a gamma distribution, whose sums are gamma again."""
    shape = items / spread**2
    drawn = np.random.default_rng(1).gamma(shape, items * item_bytes / shape, 50_000)
    assert ItemSize(item_bytes, spread).steps(items) == pytest.approx(np.ceil(drawn / 4096).mean(), rel=0.02)


def test_what_a_page_took_outweighs_the_model_as_it_is_seen_again() -> None:
    """A Limit differs from the model by 15 %, and the rounding of a page has a variance of 1/12."""
    size, model = ItemSize(1000, EVEN), 1 / 12 / 0.15**2
    for _ in range(6):
        size.observe(3, 5)
    assert size.steps(3) == pytest.approx((6 * 5 + model) / (6 + model), rel=1e-4)
    for _ in range(12):
        size.observe(3, 8)
    assert size.steps(3) == pytest.approx((6 * 5 + 12 * 8 + model) / (18 + model), rel=1e-4)
    assert size.steps(4) == pytest.approx(1.0)
    assert [size.seen(items)[0] for items in (3, 4, EXACT_ITEMS)] == [18, 0, 0]


def test_the_wider_sizes_spread_the_more_pages_it_takes_to_outweigh_the_model() -> None:
    """Ten items of 1,000 bytes and spread 1 deviate by 0.77 steps, and should take 3."""
    size = ItemSize(1000, 1.0)
    modelled, variance = size.steps(10), 10 * (1000 / 4096) ** 2 + 1 / 12
    for _ in range(5):
        size.observe(10, 5)
    model = variance / (0.15 * modelled) ** 2
    assert size.steps(10) == pytest.approx((5 * 5 + model * modelled) / (5 + model))


def test_a_long_page_differs_from_the_model_by_steps_and_not_by_a_share_of_them() -> None:
    """A hundred items of 1,000 bytes and spread 1 take 25 steps and deviate by 2.44, so a lucky page says little."""
    size = ItemSize(1000, 1.0)
    modelled, variance = size.steps(100), 100 * (1000 / 4096) ** 2 + 1 / 12
    for _ in range(4):
        size.observe(100, 20)
    model = variance / 0.8**2
    assert model > 2 * 4
    assert size.steps(100) == pytest.approx((4 * 20 + model * modelled) / (4 + model))


def test_long_pages_are_kept_to_within_a_twentieth() -> None:
    for items in (129, 200, 999, 12_345):
        size = ItemSize()
        size.observe(items, 3)
        (kept,) = size.pages
        assert kept == pytest.approx(items, rel=0.025)
        size.observe(kept, 3)
        assert size.pages == {kept: {3: 2.0}}
    many = ItemSize()
    for items in range(1, 2001):
        many.observe(items, 3)
    assert list(many.pages)[:128] == list(range(1, 129))
    assert 128 + 50 < len(many.pages) < 128 + 60


def test_pages_of_many_steps_are_added_up() -> None:
    size = ItemSize()
    size.observe(10, 15)
    size.observe(2560, 256)
    size.observe(1280, 129)
    size.observe(100, 40)
    size.observe(100, 42)
    assert size.pages == {10: {15: 1.0}}
    assert sorted(size.large.values()) == [(200, 82, 2), (1280, 129, 1), (2560, 256, 1)]
    assert size.seen(100) == (2, 82)


@pytest.mark.parametrize("said_bytes", [0, 100, 4000])
def test_the_mean_is_what_long_pages_measure(said_bytes: float) -> None:
    """A step is half full at a page's end: 4096 x (2500.5 - 0.5) / 10,000."""
    size = ItemSize.expecting(said_bytes)
    for _ in range(4):
        size.observe(10_000, 2500)
        size.observe(10_000, 2501)
    size.fit()
    assert size.mean_bytes == pytest.approx(1024, rel=0.02)


def test_the_mean_is_what_short_pages_show() -> None:
    size = ItemSize()
    for items in range(1, 41):
        size.observe(items, -(-items * 700 // 4096))
    size.fit()
    assert size.mean_bytes == pytest.approx(700, rel=0.03)
    assert size.spread < 0.15
    spread = ItemSize()
    for items in range(1, 41):
        for share, steps in ((0.5, 0), (1.5, 0), (1.0, 0)):
            spread.observe(items, steps + -(-round(items * 700 * share) // 4096))
    spread.fit()
    assert spread.spread > 3 * size.spread


def test_without_observations_the_given_size_is_kept() -> None:
    for said, mean in ((0, UNKNOWN_BYTES), (1234, 1234)):
        size = ItemSize.expecting(said)
        assert size.mean_bytes == mean
        size.fit()
        assert size.mean_bytes == pytest.approx(mean, rel=0.05)


def after(*seen: tuple[int, int, int]) -> ItemSize:
    """Return items of 1,000 bytes that nearly have one size, after so many pages of so many items and steps."""
    size = ItemSize(1000, 0.1)
    for pages, items, steps in seen:
        for _ in range(pages):
            size.observe(items, steps)
    # Made anew: it compares its pages with the sizes given, where fit() would learn other sizes from them.
    return ItemSize(1000, 0.1, pages=size.pages, large=size.large)


@pytest.mark.parametrize(("pages", "ratio"), [(1, 0.617), (5, 0.525), (1000, 0.495)])
def test_long_pages_cost_as_much_less_as_pages_of_similar_lengths_did(pages: int, ratio: float) -> None:
    """Pages of 32 items should take 8.1 steps and took 4. Against these stand 2.6 steps that took what they should."""
    size, even = after((pages, 32, 4)), ItemSize(1000, 0.1)
    for items in (33, 63, 64, 500):
        assert size.steps(items) == pytest.approx(ratio * even.steps(items), rel=0.01)
    for items in (1, 8, 31):
        assert size.steps(items) == even.steps(items)


def test_a_single_page_of_little_more_than_a_step_changes_the_ratio() -> None:
    """Four items of 1,000 bytes should take 1.3 steps and took 3. A doubling of the length changes the ratio by 7 %."""
    even = ItemSize(1000, 0.1)
    due, variance = even.steps(4), 4 * (0.1 * 1000 / 4096) ** 2 + 1 / 12
    weight = variance / due / 0.07**2
    ratio = (3 + weight) / (due + weight)
    assert after((1, 4, 3)).steps(6) == pytest.approx(ratio * even.steps(6))


def test_what_a_page_took_does_not_decide_whether_it_is_compared() -> None:
    """Pages of 33 items should take 8.3 steps. One in ten reads on in large items and takes 40."""
    even = ItemSize(1000, 0.1)
    due, variance = 10 * even.steps(33), 10 * (33 * (0.1 * 1000 / 4096) ** 2 + 1 / 12)
    weight = variance / due / 0.07**2
    ratio = (9 * 6 + 40 + weight) / (due + weight)
    assert after((9, 33, 6), (1, 33, 40)).steps(40) == pytest.approx(ratio * even.steps(40))


def test_only_pages_of_few_expected_steps_are_compared() -> None:
    even = ItemSize(1000, 0.1)
    assert after((50, 32, 4), (2, 400, 98)).steps(64) < 0.6 * even.steps(64)
    assert after((50, 100, 9)).steps(110) == even.steps(110)


def known(said_bytes: float = 0.0) -> ItemSize:
    """Return the sizes of items of at most 100 bytes after ten pages of 40."""
    size = ItemSize.expecting(said_bytes)
    for _ in range(10):
        size.observe(40, 1)
    size.fit()
    return size


def test_all_items_share_what_a_page_takes_beyond_six_times_its_due() -> None:
    """A page of ten items takes one step, so one of 75 counts as 6; 69 steps remain for 410 items."""
    size = known()
    size.observe(10, 75)
    assert size.pages == {40: {1: 10.0}, 10: {6: 1.0}}
    size.fit()
    assert size.rare_bytes == pytest.approx(69 * 4096 / 410)
    assert size.average_bytes == size.mean_bytes + size.rare_bytes
    alone = ItemSize(size.mean_bytes, size.spread)
    assert size.steps(1) == pytest.approx(alone.steps(1) + 69 / 410, abs=0.01)
    assert size.steps(100) > alone.steps(100) + 16
    for _ in range(59):
        size.observe(10, 1)
    size.fit()
    assert size.rare_bytes == pytest.approx(69 * 4096 / 1000)


def test_a_page_of_many_steps_that_were_due_is_no_outlier() -> None:
    size = ItemSize()
    for _ in range(3):
        size.observe(1000, 300)
        size.fit()
    assert (size.excess, size.rare_bytes) == (0, 0.0)


def test_no_page_is_an_outlier_before_pages_have_shown_the_sizes() -> None:
    size = ItemSize()
    size.fit()  # which says nothing yet
    size.observe(10, 31)
    assert (size.pages, size.excess) == ({10: {31: 1.0}}, 0)
    size.fit()
    assert size.mean_bytes > 5000


def test_items_of_long_pages_share_it_too() -> None:
    """Ten pages of 40 items, two of 2,000 with 40 steps each, and one of 10 items that takes 69 steps too many."""
    size = known()
    for _ in range(2):
        size.observe(2000, 40)
    size.fit()
    size.observe(10, 75)
    size.fit()
    assert size.rare_bytes == pytest.approx(69 * 4096 / 4410, rel=0.03)


def test_what_describe_table_says_of_large_items_counts_until_many_items_were_seen() -> None:
    """It counts as 30 items, and after 300 seen ones as half of that."""
    size = known(said_bytes=3000)
    weight = 30 / (1 + 400 / 300)
    assert size.mean_bytes < 1000
    assert size.rare_bytes == pytest.approx(weight * (3000 - size.mean_bytes) / (400 + weight))
    for _ in range(990):
        size.observe(10, 1)
    size.fit()
    assert size.rare_bytes < 10
    assert known(said_bytes=150).rare_bytes == 0.0
