"""A profile stays small however long a batch is, and loses no count."""

import json
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from skipscan.pace.profile import FIRST_SLOT_SECONDS, SLOTS, VISITS, BatchProfile
from skipscan.scan.progress import ScanCounts

PAGES = st.lists(st.tuples(st.floats(0, 300), st.integers(0, 900), st.integers(0, 30), st.booleans()), max_size=80)


def test_periods_are_merged_and_keep_what_was_reached() -> None:
    profile, random, moments = BatchProfile("keys"), Random(1), 5_000
    for number, moment in enumerate(sorted(random.uniform(0, 240) for _ in range(moments)), 1):
        profile.reached(moment, ScanCounts(keys=number, requests=2 * number, read_units=number / 2, throttles=3))
    stored = profile.to_json()
    keys = [slot[0] for slot in stored["slots"]]
    assert keys == sorted(keys)
    assert stored["slots"][-1] == [moments, 2 * moments, moments / 2, 3]
    assert len(stored["slots"]) <= SLOTS
    assert stored["slot_seconds"] == FIRST_SLOT_SECONDS * 64


def test_a_segment_is_one_visit_with_its_first_and_last_second() -> None:
    profile = BatchProfile("keys")
    profile.worked(1.0, 7, settled=2, requests=1, units=0.5)
    profile.worked(3.0, 7, settled=1, requests=1, units=0.25, ended=True)
    stored = profile.to_json()
    assert stored["visits"] == [[7, 3, 2, 0.75, 1.0, 3.0, True]]
    assert stored["other_visits"] == [0, 0, 0, 0.0]


def test_the_most_expensive_segments_are_listed_and_the_others_are_a_sum() -> None:
    profile, number = BatchProfile("keys"), 3 * VISITS
    for segment in range(number):
        profile.worked(float(segment), segment, settled=1, requests=2, units=float(segment))
    document = profile.to_json()
    listed = [visit[0] for visit in document["visits"]]
    assert listed == list(range(number - VISITS, number))
    left = number - VISITS
    assert document["other_visits"] == [left, left, 2 * left, left * (left - 1) / 2]


def test_a_period_without_an_answer_has_what_was_reached_before() -> None:
    profile = BatchProfile("keys")
    profile.reached(0.0, ScanCounts(keys=4))
    profile.reached(3 * FIRST_SLOT_SECONDS, ScanCounts(keys=9))
    assert [slot[0] for slot in profile.to_json()["slots"]] == [4, 4, 4, 9]


def test_a_short_batch_has_short_periods() -> None:
    profile = BatchProfile("keys")
    profile.reached(SLOTS * FIRST_SLOT_SECONDS - 0.001, ScanCounts(keys=1))
    stored = profile.to_json()
    assert stored["slot_seconds"] == FIRST_SLOT_SECONDS
    assert [slot[0] for slot in stored["slots"]] == [0] * (SLOTS - 1) + [1]


@given(PAGES)
def test_slots_and_segments_add_up_to_all_pages(pages: list[tuple[float, int, int, bool]]) -> None:
    profile, counts = BatchProfile("keys"), ScanCounts()
    for seconds, segment, keys, is_last in sorted(pages):
        counts += ScanCounts(keys=keys, requests=1, read_units=0.5)
        profile.reached(seconds, counts)
        profile.worked(seconds, segment, settled=keys, requests=1, units=0.5, ended=is_last)
    stored = json.loads(json.dumps(profile.to_json()))
    assert stored["slots"][-1:] == ([[counts.keys, counts.requests, counts.read_units, 0]] if pages else [])
    assert sum(visit[1] for visit in stored["visits"]) + stored["other_visits"][1] == counts.keys
