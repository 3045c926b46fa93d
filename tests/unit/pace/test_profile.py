"""A profile stays small however long a batch is, and loses no count."""

from random import Random

from skipscan.pace.profile import FIRST_SLOT_SECONDS, SLOTS, VISITS, Slots, Visits


def test_periods_are_merged_and_keep_their_sum() -> None:
    slots = Slots[int](lambda one, two: one + two)
    random, moments = Random(1), 5_000
    for moment in sorted(random.uniform(0, 240) for _ in range(moments)):
        number = slots.number(moment, lambda: 0)
        assert number == int(moment / slots.seconds)
        slots.slots[number] += 1
    assert sum(slots.slots) == moments
    assert len(slots.slots) <= SLOTS
    assert slots.seconds == FIRST_SLOT_SECONDS * 64


def test_a_short_batch_has_short_periods() -> None:
    slots = Slots[int](lambda one, two: one + two)
    assert slots.number(SLOTS * FIRST_SLOT_SECONDS - 0.001, lambda: 1) == SLOTS - 1
    assert (slots.seconds, slots.slots) == (FIRST_SLOT_SECONDS, [1] * SLOTS)


def test_a_segment_is_one_visit_with_its_first_and_last_second() -> None:
    visits = Visits()
    visits.add(1.0, 7, settled=2, requests=1, units=0.5)
    visits.add(3.0, 7, settled=1, requests=1, units=0.25, ended=True)
    assert visits.to_json() == {"visits": [[7, 3, 2, 0.75, 1.0, 3.0, True]], "other_visits": [0, 0, 0, 0.0]}


def test_the_most_expensive_segments_are_listed_and_the_others_are_a_sum() -> None:
    visits, number = Visits(), 3 * VISITS
    for segment in range(number):
        visits.add(float(segment), segment, settled=1, requests=2, units=float(segment))
    document = visits.to_json()
    listed = [visit[0] for visit in document["visits"]]
    assert listed == list(range(number - VISITS, number))
    left = number - VISITS
    assert document["other_visits"] == [left, left, 2 * left, left * (left - 1) / 2]
