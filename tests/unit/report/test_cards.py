"""The cards of the page: what is read aloud of each, and whether every mark lies where its value says."""

from importlib import resources
from math import inf

import pytest

from skipscan.pace.bill import Bill
from skipscan.report.bill import TIMES, ComparedWay, bill_card, saving
from skipscan.report.digest import Worker
from skipscan.report.over_time import ExpectedFigure, estimates, progress, throttling_card
from skipscan.report.page import answer_section, facts_of, files
from skipscan.report.segment_spread import SegmentBar, SegmentSpread, WalkedSegment, length_spread
from skipscan.report.spread import lengths, segments, trend, workers_card
from skipscan.report.timeline import Timeline
from skipscan.sample.interval import Interval
from skipscan.scan.progress import ScanCounts
from skipscan.stored.figures import Figure
from tests.unit.report.elements import aloud, tracks
from tests.unit.report.faults import faults

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
    "top": answer_section(
        "2 keys.",
        [Figure("keys", 2, "2", "measured")],
        ["A part is missing."],
        saving(4.0, [("this run", 0.5, 1.0)]),
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
4 of 100 requests were throttled (4 %) and retried. A throttled request consumes nothing.
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
The largest tenth of them holds at least 22 % of the items counted.
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
4.0 {TIMES} fewer read units than a full scan, by estimate
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
        ({1: 3000, 8: 1}, {}, ["2 to 3 |  | 0.0 %", "8 to 15 |  | <0.1 %", "holds 0.3 % of the items counted"]),
        ({1: 100}, {}, ["Counted: 100 item collections.", "tenth of them holds 10 % of the items counted."]),
        ({1: 90}, {9: 10}, ["10 of them only up to the number asked for", "holds at least 50 % of the items counted"]),
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
