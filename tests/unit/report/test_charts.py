"""Whether every mark of a chart lies where its value says, and its ticks count as people do."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.report import svg
from skipscan.report.digest import Worker
from skipscan.report.over_time import progress
from skipscan.report.segment_spread import SegmentBar
from skipscan.report.spread import EACH_WORKER, LAST_WORKERS, segments, workers_card
from skipscan.report.timeline import Timeline
from tests.unit.report.elements import aloud, amount, charts, parsed
from tests.unit.report.test_cards import ARE, CARDS, COLUMNS, EARLY, LINE, SPREAD


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
    assert axis.high == 5 * step * size
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
