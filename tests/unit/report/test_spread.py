"""The cards of work over workers, segments and earlier runs."""

from dataclasses import replace

import pytest

from skipscan.report.digest import Worker
from skipscan.report.segment_spread import SegmentBar, SegmentSpread, WalkedSegment, length_spread
from skipscan.report.spread import EACH_WORKER, LAST_WORKERS, lengths, segments, trend, workers_card
from skipscan.report.timeline import Gathering, Timeline
from tests.unit.report.elements import notes, parsed, paths, summary, tables

LINE = Timeline((1, 4), {"workers": (1, 6)})
LATE = Worker(1, {"keys": 30.0}, 2, 3.0, ((0.0, 1.0), (2.0, 4.0)))
EARLY = Worker(0, {"keys": 10.0}, 1, 2.0, ((0.0, 2.0),))
COLUMNS = (("keys", "keys"),)
WORKERS = workers_card((LATE, EARLY), LINE, COLUMNS, 2, ("a note",))

FIRST, SECOND = WalkedSegment(3, 0, 8, 4, 6.0, 1.5, True), WalkedSegment(1, 0, 2, 2, 2.0, 2.5, True)
SPREAD = SegmentSpread((FIRST, SECOND), SECOND, (SegmentBar(1, 6.0, 8), SegmentBar(1, 2.0, 2)), 2, 4.0)
ARE = ("segment", "read units", "keys")


def test_of_many_workers_the_last_to_end_have_rows_and_all_are_drawn_together() -> None:
    many = [replace(EARLY, worker=number, spans=((0.0, 100.0 - number),)) for number in range(EACH_WORKER + 1)]
    page = parsed(workers_card(many, LINE, COLUMNS, 900, ("a note",)))
    assert summary(page).startswith("900 workers. Half had ended after 1 min 28 s. The last, worker 0, ended after")
    assert notes(page) == ["a note", f"The rows are the {LAST_WORKERS} workers that ended last."]
    assert [row[0] for row in tables(page)["Workers"][1:]] == [f"worker {number}" for number in range(LAST_WORKERS)]
    assert paths(page)["line keys"] == "M0.0,44.4L250.0,44.4L250.0,4.8L1000.0,4.8", "one, then two at a time"
    enough = parsed(workers_card(many[:EACH_WORKER], LINE, COLUMNS, EACH_WORKER))
    assert len(tables(enough)["Workers"]) == EACH_WORKER + 1
    assert paths(enough) == {}


def test_bars_of_several_segments_say_so_and_weigh_by_them() -> None:
    shared = replace(SPREAD, bars=(SegmentBar(1, 6.0, 8), SegmentBar(3, 2.0, 4)), segments=4)
    page = parsed(segments(shared, 4, ARE))
    assert notes(page) == ["Each bar is the mean of about 2 segments."]
    assert [each.text for each in page.all("text") if "label" in each.classes] == ["mean 3", "mean 5"]


RUNS = [
    {"run": run, "started": f"2026-11-{day}T03:00:00+00:00", "keys": keys, "read_units": keys / 4, **took}
    for run, day, keys, took in (
        ("a", "01", 40, {"dollars": {"total": 0.5}, "seconds": 60.0}),
        ("b", "02", 50, {"dollars": {"total": 0.25}, "seconds": 30.0}),
    )
]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (50, "50 keys, 10 more than in the run before."),
        (39, "39 keys, 1 fewer than in the run before."),
        (40, "40 keys, as many as in the run before."),
        (1, "1 key, 39 fewer than in the run before."),
    ],
)
def test_a_run_is_compared_with_the_one_before(keys: int, said: str) -> None:
    assert summary(parsed(trend([RUNS[0], {**RUNS[1], "keys": keys}], "keys"))) == said


def test_item_collections_are_drawn_by_their_length_with_what_the_largest_hold() -> None:
    """The page of every card (test_snapshots.py) has others."""
    rare = parsed(lengths(length_spread({1: 3000, 8: 1}, {})))
    shares = [row[2] for row in tables(rare)["Item collections by length"]]
    assert shares == ["share", "100.0 %", "0.0 %", "0.0 %", "<0.1 %"]
    assert [each.attributes["width"] for each in rare.all("rect")] == ["100%", "0.3%"]
    assert notes(rare)[-1] == "The largest thousandth of them holds 0.33% of the items counted."
    whole = parsed(lengths(length_spread({2: 3}, {}, most_units=12.5)))
    assert summary(whole) == "The median item collection has 2 to 3 items."
    assert notes(whole)[1:] == ["The largest took 12.5 read units: about 102.4 KB."]
    assert (
        summary(parsed(lengths(length_spread({600: 9}, {992: 1}))))
        == "The median item collection has 512 or more items."
    )


def test_what_grows_evenly_is_spread_over_its_time_and_counted_once() -> None:
    gathering = Gathering(("keys",))
    gathering.add(0.0, 4.0, {"keys": [100, 300]})
    totals = gathering.timeline().totals("keys")
    assert [totals[len(totals) // 2 - 1], totals[-1]] == pytest.approx([100, 300], abs=2)


def test_what_took_no_time_counts_at_its_moment() -> None:
    gathering = Gathering(("keys",))
    gathering.add(10.0, 0.0, {"keys": [7]})
    gathering.add(10.0, 80.0, {"keys": [0]})
    totals = gathering.timeline().totals("keys")
    assert totals[0] == totals[-1] == 7
