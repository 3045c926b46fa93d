"""A profile stays small however long a batch is, and loses no count."""

from random import Random

from skipscan.pace.profile import FIRST_SLOT_SECONDS, SLOTS, VISITS, BatchProfile
from skipscan.scan.progress import ScanCounts


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


def test_the_most_expensive_segments_are_listed_and_the_others_are_a_sum() -> None:
    profile, number = BatchProfile("keys"), 3 * VISITS
    for segment in range(number):
        profile.worked(float(segment), segment, settled=1, requests=2, units=float(segment))
    document = profile.to_json()
    listed = [visit[0] for visit in document["visits"]]
    assert listed == list(range(number - VISITS, number))
    left = number - VISITS
    assert document["other_visits"] == [left, left, 2 * left, left * (left - 1) / 2]
