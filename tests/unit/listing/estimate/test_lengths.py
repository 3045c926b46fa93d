"""The lengths of collections that pages show."""

from skipscan.listing.estimate.sample import Lengths


def test_a_segments_last_collection_is_whole() -> None:
    observed = Lengths()
    observed.observe(5, [0, 2], is_last=True)
    assert (observed.ended, observed.cut) == ({2: 1, 3: 1}, {})


def test_a_page_cuts_its_last_collection_off() -> None:
    observed = Lengths()
    observed.observe(5, [0, 2], is_last=False)
    observed.observe(3, [], is_last=False)
    assert (observed.ended, observed.cut) == ({2: 1}, {3: 1})
