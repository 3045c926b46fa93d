"""The cards of the page: what is read aloud of each, and whether every mark lies where its value says."""

from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from itertools import accumulate, pairwise
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.pace.bill import Bill
from skipscan.report import svg
from skipscan.report.bill import TIMES, ComparedWay, bill_card, saving
from skipscan.report.digest import Worker
from skipscan.report.over_time import ExpectedFigure, estimates, progress, throttling_card
from skipscan.report.page import answered, facts_of, files
from skipscan.report.segment_spread import SegmentBar, SegmentSpread, WalkedSegment, length_spread
from skipscan.report.spread import EACH_WORKER, LAST_WORKERS, lengths, segments, trend, workers_card
from skipscan.report.timeline import Timeline
from skipscan.sample.interval import Interval
from skipscan.scan.progress import ScanCounts
from skipscan.stored.figures import Figure
from tests.unit.report.elements import aloud, amount, charts, faults, parsed, tracks

FIGURES = {"keys": (10, 30, 0), "units": (2.0, 6.0, 2.0), "throttles": (0, 4, 0.4), "workers": (1, 6, 0)}
LINE = Timeline((1, 3, 4), FIGURES)
LATE = Worker(1, {"keys": 30.0, "throttles": 2}, 2, 3.0, ((0.0, 1.0), (2.0, 4.0)))
EARLY = Worker(0, {"keys": 10.0}, 1, 2.0, ((0.0, 2.0),))
COLUMNS = (("keys", "keys"), ("throttles", "throttled"))
FIRST, SECOND = WalkedSegment(3, 0, 8, 4, 6.0, 1.5, True), WalkedSegment(1, 0, 2, 2, 2.0, 2.5, True)
SPREAD = SegmentSpread((FIRST, SECOND), SECOND, (SegmentBar(1, 6.0, 8), SegmentBar(3, 2.0, 4)), 4, 3.0)
ARE = ("segment", "read units", "keys")
RUNS = [
    {"run": run, "started": f"2026-11-{day}T03:00:00+00:00", "keys": keys, "read_units": keys / 4, **took}
    for run, day, keys, took in (
        ("a", "01", 40, {"dollars": {"total": 0.5}, "seconds": 60.0}),
        ("b", "02", 50, {"dollars": {"total": 0.25}, "seconds": 30.0}),
    )
]
EXPECTED = [
    ExpectedFigure("keys", 50, 40, 160, 100),
    ExpectedFigure("read units", 50, 40, 60, 100),
    ExpectedFigure("dollars", 0.5, None, None, 0.6),
]
SERVICES = [Figure.in_words(words, basis, label=label) for label, words, basis in (("S3", "$0.25", "counted"),)]
OURS = ComparedWay(
    "Skipscan", Interval.exactly(25.0), Interval.exactly(1_000), Bill(read_units=0.25, s3=0.25), "measured"
)
OTHER = ComparedWay("Full scan", Interval(100.0, 80.0, 140.04), Interval(5, 4, 6), Bill(read_units=1.0), "estimated")
OPEN = ComparedWay("Another", Interval(50.0, 40.0, inf), Interval(5, 4, 6), Bill(write_units=0.1), "estimated")
PARTS = [{"name": "s3/keys/worker-0/part-0", "keys": 2_001, "bytes": 30_000, "sha256": "sha"}]
CARDS = {
    "progress": progress(LINE, "keys", "keys", "read units", expected=50.0, waited_seconds=2.5, notes=("a note",)),
    "throttling": throttling_card(ScanCounts(requests=96, throttles=4), LINE),
    "estimates": estimates(EXPECTED),
    "workers": workers_card((LATE, EARLY), LINE, COLUMNS, 2, ("a note",)),
    "segments": segments(SPREAD, 5, ARE),
    "lengths": lengths(length_spread({1: 6, 2: 2}, {4: 2}, 12.5)),
    "trend": trend(RUNS, "keys"),
    "bill": bill_card("read_units", [OURS, OTHER, OPEN], SERVICES, ["A note."]),
    "top": answered(
        "2 keys.",
        [Figure("keys", 2, "2", "measured")],
        ["A part is missing."],
        saving(4.0, "measured", [("this run", 0.5, 1.0)]),
    ),
    "facts": facts_of(
        [Figure.in_words("Orders", label="table"), Figure("rate", 1, "7", "first")],
        files("keys", PARTS, "manifest.json"),
    ),
}
ALOUD = {
    "progress": """
How it went
10 keys and 2.5 read units per second on average, for 4.0 s. The first batch began 2.5 s after the start.
Keys found
(Total of keys over time)
Read units per second
(Read units per second over time)
a note
The figures as a table: How it went
Keys and read units over time
after | keys so far | read units so far | read units per second
1.00 s | 10 | 2 | 2
3.00 s | 40 | 8 | 3
4.00 s | 40 | 10 | 2
""",
    "throttling": """
Throttled requests
4 of 100 requests were throttled (4.00%) and retried. A throttled request consumes nothing.
Throttled requests per second
(Throttled requests over time)
The figures as a table: Throttled requests
Throttled requests over time
until | throttled
3.00 s | 4
""",
    "estimates": """
Was the estimate right?
Within the 95 % confidence interval: keys. Outside: read units.
Estimate and actual
 | estimate / actual | estimate | actual
keys |  | 50 | 100
read units |  | 50 | 100
dollars |  | $0.50 | $0.60
Dot: estimate. Strip: 95 % confidence interval. Line: actual.
The figures as a table: Was the estimate right?
Estimate and actual, with intervals
figure | estimate | 95 % interval | actual | inside
keys | 50 | 40 to 160 | 100 | yes
read units | 50 | 40 to 60 | 100 | no
dollars | $0.50 | none | $0.60 | no interval
""",
    "workers": """
Who worked when
2 workers. Half had ended after 2.0 s. The last, worker 1, ended after 4.0 s.
When each worker was at work
 | at work, 0 to 4.0 s | keys | ended after
worker 0 |  | 10 | 2.0 s
worker 1 |  | 30 | 4.0 s
a note
The figures as a table: Who worked when
Workers
worker | keys | throttled | batches | at work | ended after
worker 0 | 10 | 0 | 1 | 2.0 s | 2.0 s
worker 1 | 30 | 2 | 2 | 3.0 s | 4.0 s
""",
    "segments": """
Where the read units went
4 of 5 segments, 3 read units each on average. Most expensive: segment 3 (6 read units, 2.0 times the mean). \
Slowest: segment 1 (2.5 s).
Read units by segment, most expensive first
(Read units by segment, most expensive first)
Keys by segment, in the same order
(Keys by segment, in the same order)
Each bar is the mean of about 2 segments.
The figures as a table: Where the read units went
The most expensive segments
segment | read units | keys | requests | time
segment 3 | 6 | 8 | 4 | 1.5 s
segment 1 | 2 | 2 | 2 | 2.5 s
""",
    "lengths": """
How many items a key has
The median item collection has 1 item.
Item collections by length
items |  | share
1 |  | 60.0 %
2 to 3 |  | 20.0 %
4 or more |  | 20.0 %
Counted: 10 item collections, 2 of them only up to the number asked for.
The largest tenth of them holds at least 22% of the items counted.
The largest took 12.5 read units: about 102.4 KB or more.
Open bar: also those longer than the count.
""",
    "trend": """
This run and those before
50 keys, 10 more than in the run before.
Runs
started, UTC |  | keys | read units | dollars | time
2026-11-01 03:00 |  | 40 | 10 | $0.50 | 1 min 00 s
2026-11-02 03:00, this run |  | 50 | 12.5 | $0.25 | 30.0 s
The figures as a table: This run and those before
The runs and their names
run | keys
b | 50
a | 40
""",
    "bill": """
What it cost
Read units, requests and dollars of each way
way | read units | requests | dollars | of which read units
Skipscan read units dollars measured | 25 | 1,000 | $0.50 | $0.25
Full scan read units dollars estimated | 100 80 to 140 | 5 | $1.00 | $1.00
Another read units dollars estimated | 50 40 or more | 5 | $0.10 | $0.00
What the $0.50 pays for
S3: $0.25: counted
A note.
""",
    "top": """
4.0 {TIMES} fewer read units than a full scan, measured
this run: $0.50 instead of $1.00
2 keys.
keys: 2 measured
A part is missing.
""",
    "facts": """
Facts
Table: Orders
Rate: 7, first
Parts and their checksums
1 part, 30.0 KB in total.
part | keys | size | SHA-256
worker-0/part-0 | 2,001 | 30.0 KB | sha
""",
}
"""What each card says; a row of a table has its cells between bars."""

TRACKS = {
    "estimates": [
        *(
            "pale units 23.81% 71.43%, mark 59.52%, solid units 29.76%",
            "pale units 23.81% 11.9%, mark 59.52%, solid units 29.76%",
        ),
        "pale units 49.6% 0.3%, mark 59.52%, solid units 49.6%",
    ],
    "workers": ["solid keys 0% 50%", "solid keys 0% 25%, solid keys 50% 50%"],
    "lengths": ["solid keys 0% 100%", "solid keys 0% 33.33%", "hollow keys 0% 33.33%"],
    "trend": ["solid other 0% 80%", "solid keys 0% 100%"],
    "bill": [
        "solid keys 0% 25%",
        "solid keys 0% 50%",
        *2 * ["solid other 0% 100%"],
        "solid other 0% 50%",
        "solid other 0% 10%",
    ],
}
"""Units and dollars of each way; of an estimate its interval, the actual figure, and the dot."""


@pytest.mark.parametrize("name", CARDS)
def test_a_card_says_what_it_shows(name: str) -> None:
    assert "\n".join(aloud(CARDS[name])) == ALOUD[name].strip().replace("{TIMES}", TIMES)
    assert tracks(CARDS[name]) == TRACKS.get(name, [])
    style = resources.files("skipscan.report").joinpath("page.css").read_text(encoding="utf-8")
    assert faults(f"<style>{style}</style>{CARDS[name]}") == []


def stepped(edges: Sequence[float], levels: Sequence[float]) -> list[tuple[float, float]]:
    pieces = zip(pairwise(edges), levels, strict=True)
    return [(x, level) for (begin, end), level in pieces for x in (begin, end)]


def drawn(markup: str) -> list[tuple[str, list[tuple[float, float]]]]:
    """Return the lines and bars of all charts, with their colours."""
    return [one for chart in charts(markup) for one in chart.marks.items() if not one[0].startswith("area")]


def near(places: Sequence[tuple[float, float]], highest: float = 0.0) -> Any:
    """Return places as a picture up to so much shows them: to a tenth of its pixels."""
    most = max(highest, *(y for _, y in places)) or 1
    return [(pytest.approx(x, abs=2e-3), pytest.approx(y, abs=most / 400)) for x, y in places]


def test_bars_are_as_high_as_what_their_segments_took() -> None:
    edges, heights = (0.05, 0.45, 0.55, 0.95), {"solid units": (6, 2), "solid keys": (8, 4)}
    for (colour, places), (name, (one, other)) in zip(drawn(CARDS["segments"]), heights.items(), strict=True):
        tops = (0, one, one, 0, 0, other, other, 0)
        corners = [x for begin, end in zip(edges[::2], edges[1::2], strict=True) for x in (begin, begin, end, end)]
        assert (colour, places) == (name, near(list(zip(corners, tops, strict=True))))
    assert [chart.top for chart in charts(CARDS["segments"])] == [
        pytest.approx(1.15 * most, rel=0.01) for most in (6, 8)
    ]
    labels = [chart.labels for chart in charts(CARDS["segments"])]
    assert labels == [{"mean 3": pytest.approx(3, abs=0.1)}, {"mean 5": pytest.approx(5, abs=0.2)}]


@pytest.mark.parametrize(("number", "wide"), [(60, 0.8), (61, 1.0)])
def test_many_bars_have_no_gap(number: int, wide: float) -> None:
    [(_, places)] = drawn(segments(replace(SPREAD, bars=number * (SegmentBar(1, 6.0, 0),)), 5, ARE))
    assert places[2][0] - places[0][0] == pytest.approx(wide / number, abs=1e-3)


def test_throttles_and_workers_are_drawn_as_their_rates() -> None:
    edges = (0, 0.25, 0.75, 1)
    assert drawn(CARDS["throttling"]) == [("line units", near(stepped(edges, (0, 2, 0.4))))]
    many = [Worker(number, {}, 1, 1.0, ((0.0, 100.0 - number),)) for number in range(EACH_WORKER + 1)]
    card = workers_card(many, LINE, COLUMNS, 900, ("a note",))
    assert drawn(card) == [("line keys", near(stepped(edges, (1, 3, 0))))]
    said = aloud(card)
    assert said[1:4] == [
        "900 workers. Half had ended after 1 min 28 s. The last, worker 0, ended after 1 min 40 s.",
        "Workers at work at the same time",
        "(Workers at work at the same time, over time)",
    ]
    assert f"The rows are the {LAST_WORKERS} workers that ended last." in said
    assert sum(line.startswith("worker ") for line in said) == 2 * LAST_WORKERS + 1
    enough = workers_card(many[:-1], LINE, COLUMNS, EACH_WORKER)
    assert (drawn(enough), sum(line.startswith("worker ") for line in aloud(enough))) == ([], 2 * EACH_WORKER + 1)
    alone = aloud(workers_card([EARLY], LINE, COLUMNS, 1))
    assert alone[1] == "1 worker, at work for 2.0 s in 1 batch."


AMOUNTS = st.floats(0, 1e9).map(lambda amount: round(amount, 3))
STRETCHES = st.lists(st.tuples(st.floats(0.02, 5e4), AMOUNTS, AMOUNTS), min_size=1, max_size=8)


@given(STRETCHES, st.none() | st.floats(1, 1e10))
def test_work_over_time_is_drawn_where_its_values_and_the_ticks_say(
    stretches: list[tuple[float, float, float]], expected: float | None
) -> None:
    seconds, done, used = zip(*stretches, strict=True)
    ends = tuple(accumulate(seconds))
    line = Timeline(ends, {"keys": done, "units": used})
    card = progress(line, "keys", "keys", "units", expected=expected)
    edges, found, rates = [0, *(end / ends[-1] for end in ends)], list(accumulate(done)), line.rates("units")
    shown = {}
    if found[-1] or not sum(used):
        shown["line keys"] = near(list(zip(edges, [0, *found], strict=True)), expected or 1)
    if sum(used):
        shown["line units"] = near(stepped(edges, rates))
    assert dict(drawn(card)) == shown
    for chart in charts(card):
        for height, label in chart.ticks.items():
            assert height == pytest.approx(amount(label), rel=0.01)
        for place, label in chart.times.items():
            assert place * ends[-1] == pytest.approx(amount(label), rel=0.01)
        for label, height in chart.labels.items():
            stated = float(label.removeprefix("estimate ").partition(" key")[0].replace(",", ""))
            assert height == pytest.approx(stated, abs=0.02 * max(amount(each) for each in chart.ticks.values()) + 0.6)
    if "line keys" in shown:  # with room for the words above the line
        assert charts(card)[0].top >= 1.19 * max(found[-1], expected or 1)
    below = charts(card)[-1]
    assert next(iter(below.times.values())) == "0"
    assert 2 <= len(below.times) <= 6
    assert all(2 <= len(chart.ticks) <= 7 for chart in charts(card))


STEPS = {
    (1, "s"): (1, 2, 5, 10, 15, 20, 30),
    (60, "min"): (1, 2, 5, 10, 15, 20, 30),
    (3_600, "h"): (1, 2, 3, 4, 6, 12),
    (86_400, "d"): (1, 2, 5, 10, 20, 50, 100, 200, 250, 500),
}
"""The steps that people count a time in, of each unit."""


@pytest.mark.parametrize(("size", "unit", "step"), [(*unit, step) for unit, steps in STEPS.items() for step in steps])
def test_a_time_axis_counts_as_people_do(size: int, unit: str, step: int) -> None:
    axis = svg.clock(5.0 * step * size)
    assert axis.ticks == tuple((n * step * size, f"{n * step:,} {unit}" if n else "0") for n in range(6))
    assert (axis.low, axis.high) == (0, 5 * step * size)
    assert axis.ticks != svg.clock(5.0 * step * size + 1).ticks, "the next step"
    assert len(svg.clock(5.99 * step * size).ticks) <= 6
    assert [label for _, label in svg.clock(1.3).ticks] == ["0", "0.5 s", "1 s"]


@pytest.mark.parametrize(
    ("high", "labels"),
    [
        (0.0, ["0", "2.5e-10", "5e-10", "7.5e-10", "1e-09"]),
        (3.0, ["0", "1", "2", "3"]),
        (3.9, ["0", "1", "2", "3", "4"]),
        (40_000.0, ["0", "10k", "20k", "30k", "40k"]),
        (9e6, ["0", "2.5M", "5M", "7.5M"]),
        (2e9, ["0", "500M", "1B", "1.5B", "2B"]),
        (4e12, ["0", "1T", "2T", "3T", "4T"]),
    ],
)
def test_an_axis_has_round_numbers_and_room_above(high: float, labels: list[str]) -> None:
    axis = svg.linear(high)
    assert [label for _, label in axis.ticks] == labels
    assert axis.low == 0
    assert axis.high == pytest.approx(max(1.06 * high, 1.06e-9, axis.ticks[-1][0]))


@pytest.mark.parametrize(
    ("x", "anchor"), [(0.0, "first"), (0.019, "first"), (0.02, "middle"), (0.94, "middle"), (0.95, "last")]
)
def test_words_begin_where_they_stay_inside(x: float, anchor: str) -> None:
    [words] = parsed(svg.label("5 keys", x, 0.5, 80)).children
    assert words.attributes == {"class": f"label {anchor}", "x": svg.percent(x), "y": "32"}
    lines = [parsed(svg.across(0.5, 80, "mean", is_left=is_left)).children[1] for is_left in (True, False)]
    assert [line.attributes["class"] for line in lines] == ["label first", "label last"]
    assert [(line.attributes["x"], line.attributes["y"]) for line in lines] == [("0", "34"), ("100%", "34")]


@pytest.mark.parametrize(("stretches", "rows"), [(1, 1), (24, 24), (25, 13), (96, 24)])
def test_the_table_of_a_picture_is_short_and_has_its_last_row(stretches: int, rows: int) -> None:
    figures = {name: [1.0] * stretches for name in ("keys", "units")}
    said = aloud(progress(Timeline(tuple(range(100, 100 + stretches)), figures), "keys", "keys", "read units"))
    shown = said[said.index("after | keys so far | read units so far | read units per second") + 1 :]
    assert (len(shown), shown[-1].split(" | ")[1]) == (rows, f"{stretches}")


def test_of_many_files_the_first_are_shown() -> None:
    parts = [{"name": f"s3/keys/part-{n}", "keys": n, "bytes": 10, "sha256": "sha"} for n in range(200)]
    said = aloud(str(files("keys", [*parts, 7, 8], "manifest.json")))
    assert said[1] == "202 parts, 2.0 KB in total. The first 200 are shown; manifest.json lists all."
    assert (len(said), said[4]) == (203, "part-1 | 1 | 10 B | sha")
    assert files("keys", [], "manifest.json") is None
    assert aloud(str(files("keys", [{**parts[0], "name": "part"}], "manifest.json")))[3].startswith("part | 0 | ")


def test_an_estimate_that_was_far_too_high_ends_at_the_edge_and_one_without_intervals_misses_none() -> None:
    card = estimates([ExpectedFigure("keys", 10**6, None, None, 1)])
    assert tracks(card) == ["pale units 100% 0.3%, mark 9.52%, solid units 100%"]
    assert [line for line in aloud(card) if line.endswith(".")] == [
        "The plan of this work has no confidence intervals.",
        "Dot: estimate. Line: actual.",
    ]
    assert aloud(estimates(EXPECTED[1:2]))[1] == "Within the 95 % confidence interval: none. Outside: read units."


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (39, "39 keys, 1 fewer than in the run before."),
        (40, "40 keys, as many as in the run before."),
        (1, "1 key, 39 fewer than in the run before."),
    ],
)
def test_a_run_is_compared_with_the_one_before(keys: int, said: str) -> None:
    assert aloud(trend([RUNS[0], {**RUNS[1], "keys": keys}], "keys"))[1] == said


@pytest.mark.parametrize(
    ("whole", "cut", "said"),
    [
        ({1: 3000, 8: 1}, {}, ["2 to 3 |  | 0.0 %", "8 to 15 |  | <0.1 %", "holds 0.33% of the items counted"]),
        ({1: 100}, {}, ["Counted: 100 item collections.", "The largest tenth of them holds 10% of the items counted."]),
        ({1: 90}, {9: 10}, ["10 of them only up to the number asked for", "holds at least 50% of the items counted"]),
        ({2: 3}, {}, ["The median item collection has 2 to 3 items."]),
        ({600: 9}, {992: 1}, ["The median item collection has 512 or more items."]),
        ({}, {1: 9}, ["1 or more |  | 100.0 %"]),
    ],
)
def test_groups_are_counted_by_their_length_with_what_the_largest_hold(
    whole: dict[int, int], cut: dict[int, int], said: list[str]
) -> None:
    text = "\n".join(aloud(lengths(length_spread(whole, cut))))
    assert [sentence for sentence in said if sentence not in text] == []
    assert "took" not in text
