"""The lengths of collections are estimated correctly from pages that cut most of them off."""

from itertools import islice
from random import Random

import numpy as np
import pytest

from skipscan.listing.estimate.sample import Lengths


def seen(lengths: list[int], limit: int) -> Lengths:
    """Return what pages of so many items show, each of which begins with a fresh collection."""
    observed, ahead = Lengths(), iter(lengths)
    while True:
        places, end = [], 0
        while end < limit:
            places.append(end)
            if (length := next(ahead, None)) is None:
                return observed
            end += length
        observed.observe(limit, places, is_last=False)


@pytest.mark.parametrize("limit", [12, 40])
def test_lengths_that_pages_cut_off_are_no_shorter(limit: int) -> None:
    true = np.random.default_rng(1).geometric(0.2, 20_000)
    drawn = np.array(list(islice(seen(true.tolist(), limit).drawn(Random(2)), 20_000)))
    for length in (1, 3, 6, 10):
        assert np.mean(drawn <= length) == pytest.approx(np.mean(true <= length), abs=0.03)


def test_collections_longer_than_any_page_continue_at_every_scale() -> None:
    drawn = list(islice(seen([1000] * 500, 20).drawn(Random(2)), 4000))
    assert min(drawn) >= 20
    assert np.mean(np.array(drawn) >= 200) == pytest.approx(0.1, abs=0.03)


def test_one_item_to_a_collection_is_never_taken_for_a_long_one() -> None:
    assert set(islice(seen([1] * 1000, 10).drawn(Random(2)), 1000)) == {1}


def test_a_segments_last_collection_is_whole() -> None:
    observed = Lengths()
    observed.observe(5, [0, 2], is_last=True)
    assert (observed.ended, observed.cut) == ({2: 1, 3: 1}, {})


def test_nothing_seen_is_still_drawn() -> None:
    assert min(islice(Lengths().drawn(Random(1)), 100)) >= 1
