"""The profile of a batch: it adds up, stays small, and reveals no key."""

import json

from hypothesis import given
from hypothesis import strategies as st

from skipscan.pace.profile import SLOTS, VISITS
from skipscan.scan.batch_profile import BatchProfile
from skipscan.scan.progress import ScanCounts

PAGES = st.lists(
    st.tuples(
        st.floats(0, 300),
        st.integers(0, 900),
        st.none() | st.integers(1, 50),
        st.lists(st.booleans(), max_size=30),
        st.booleans(),
    ),
    max_size=80,
)


def brought(keys: int, items: int) -> ScanCounts:
    return ScanCounts(keys=keys, items=items, requests=1, read_units=0.5)


@given(PAGES)
def test_slots_and_segments_add_up_to_all_pages(pages: list[tuple[float, int, int | None, list[bool], bool]]) -> None:
    profile = BatchProfile()
    for seconds, segment, limit, begins, is_last in sorted(pages, key=lambda page: page[0]):
        places = [place for place, is_new in enumerate(begins) if is_new]
        profile.page(seconds, segment, limit, brought(len(places), len(begins)), places, is_last=is_last)
    stored = json.loads(json.dumps(profile.to_json()))
    keys = sum(sum(begins) for _, _, _, begins, _ in pages)
    assert sum(slot[0] for slot in stored["slots"]) == keys
    assert sum(slot[2] for slot in stored["slots"]) == len(pages)
    assert sum(visit[1] for visit in stored["visits"]) + stored["other_visits"][1] == keys
    assert sum(stored["lengths"]["ended"].values()) + sum(stored["lengths"]["cut"].values()) == keys


def test_it_stays_small_however_long_a_batch_is() -> None:
    profile = BatchProfile()
    for page in range(20_000):
        profile.page(page / 10, page % 3000, 1 + page % 100, brought(1, 1), [0], is_last=True)
    stored = profile.to_json()
    assert len(stored["slots"]) <= SLOTS
    assert len(stored["visits"]) == VISITS
    assert stored["other_visits"][0] >= 3000 - VISITS
    assert len(json.dumps(stored)) < 20_000


def test_the_most_expensive_segments_are_listed_one_by_one() -> None:
    profile = BatchProfile()
    for segment in range(2 * VISITS):
        dear = ScanCounts(requests=1, read_units=100.0 if segment % 50 == 0 else 0.5)
        profile.page(1.0, segment, None, dear, [], is_last=True)
    shown = {visit[0] for visit in profile.to_json()["visits"]}
    assert set(range(0, 2 * VISITS, 50)) <= shown


def test_a_length_is_whole_where_another_key_follows_or_the_segment_ends() -> None:
    profile = BatchProfile()
    profile.page(0.0, 0, 10, brought(3, 10), [0, 1, 5], is_last=False)
    profile.page(0.1, 0, 10, brought(1, 2), [0], is_last=True)
    lengths = profile.to_json()["lengths"]
    assert lengths == {"ended": {"1": 1, "2": 1, "4": 1}, "cut": {"5": 1}}


def test_limits_are_stored_by_what_pages_stay_below() -> None:
    profile = BatchProfile()
    for limit in range(1, 101):
        profile.page(0.0, 0, limit, brought(0, 0), [], is_last=False)
    profile.refused(0.01)
    [[_, _, requests, _, throttles, limits]] = profile.to_json()["slots"]
    assert (requests, throttles, limits) == (100, 1, [11, 51, 91])
