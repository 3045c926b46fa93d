"""The cards of work over time: what is counted, what is consumed a second, and what was throttled."""

from dataclasses import replace

import pytest

from skipscan.report.over_time import edges, progress, throttling_card
from skipscan.report.report import ProgressChart, Throttled
from skipscan.report.timeline import Stretch, Timeline
from tests.unit.report.elements import Element, notes, parsed, paths, summary, tables

LINE = Timeline(
    (
        Stretch(0, 1, {"keys": 10, "units": 2.0, "throttles": 0}),
        Stretch(1, 3, {"keys": 30, "units": 6.0, "throttles": 4}),
        Stretch(3, 4, {"keys": 0, "units": 2.0, "throttles": 0.2}),
    )
)
CHART = ProgressChart(LINE, "keys", "keys", "units", "read units", 50.0, 2.5, ("a note",))


def labels(page: Element) -> list[str]:
    return [each.text for each in page.all("text") if "label" in each.classes]


def titles(page: Element) -> list[str]:
    return [each.text for each in page.all("p") if "chart" in each.classes]


def without(figure: str) -> ProgressChart:
    stretches = tuple(replace(each, figures={**each.figures, figure: 0}) for each in LINE.stretches)
    return replace(CHART, timeline=Timeline(stretches))


def test_what_was_counted_grows_over_the_whole_time_and_what_was_consumed_is_a_rate() -> None:
    page = parsed(progress(CHART))
    assert titles(page) == ["Keys found", "Read units per second"]
    drawn = paths(page)
    assert drawn["line keys"] == "M0.0,150.0L250.0,125.0L750.0,50.0L1000.0,50.0", "an axis up to 60"
    assert drawn["line units"] == "M0.0,31.2L250.0,31.2L250.0,4.8L750.0,4.8L750.0,31.2L1000.0,31.2", "up to 3.18"
    assert labels(page) == ["estimate 50", "40 keys"]
    assert summary(page) == (
        "10 keys and 2.5 read units per second on average, for 4.0 s. The first batch began 2.5 s after the start."
    )
    assert notes(page) == ["a note"]
    assert tables(page) == {
        "Keys and read units over time": [
            ["after", "keys so far", "read units so far", "read units per second"],
            ["1.00 s", "10", "2", "2"],
            ["3.00 s", "40", "8", "3"],
            ["4.00 s", "40", "10", "2"],
        ]
    }
    says = [each.attributes["aria-label"] for each in page.all("svg") if "plot" in each.classes]
    assert says == [f"Total of keys over time. {summary(page)}", "read units per second over time; at most 3."]
    assert "broad" in page.children[0].classes


def test_a_rate_below_one_is_not_nothing() -> None:
    """A run may be held to half a read unit a second."""
    slow = Timeline(
        (Stretch(0, 10, {"keys": 4, "units": 4.0}), Stretch(10, 20, {"keys": 3, "units": 5.0})),
    )
    page = parsed(progress(replace(CHART, timeline=slow, waited_seconds=0.0)))
    assert summary(page) == "0.3 keys and 0.5 read units per second on average, for 20.0 s."
    assert [row[-1] for row in tables(page)["Keys and read units over time"]] == ["read units per second", "0.4", "0.5"]
    says = [each.attributes["aria-label"] for each in page.all("svg") if "plot" in each.classes]
    assert says[-1] == "read units per second over time; at most 0.5."


def test_a_rate_below_a_tenth_has_one_digit() -> None:
    """A run of a table with little capacity may wait a minute for each key."""
    slow = Timeline((Stretch(0, 100, {"keys": 2, "units": 1.0}), Stretch(100, 200, {"keys": 3, "units": 2.5})))
    page = parsed(progress(replace(CHART, timeline=slow, waited_seconds=0.0)))
    assert summary(page).startswith("0.03 keys and 0.02 read units per second on average")
    assert [row[-1] for row in tables(page)["Keys and read units over time"]][1:] == ["0.01", "0.03"]
    says = [each.attributes["aria-label"] for each in page.all("svg") if "plot" in each.classes]
    assert says[-1].endswith("; at most 0.03.")


def test_only_what_there_is_is_drawn() -> None:
    page = parsed(progress(without("units")))
    assert (titles(page), summary(page)[:26]) == (["Keys found"], "10 keys per second on aver")
    ticks = [each.text for each in page.all("text") if "y" not in each.classes and "tick" in each.classes]
    assert ticks == ["0", "1 s", "2 s", "3 s", "4 s"], "the one picture has the times"
    page = parsed(progress(without("keys")))
    assert (titles(page), summary(page)[:25]) == (["Read units per second"], "2.5 read units per second")
    assert titles(parsed(progress(replace(without("units"), timeline=without("units").timeline.scaled(0))))) == [
        "Keys found"
    ]


@pytest.mark.parametrize(("seconds", "is_said"), [(0.049, False), (0.05, True)])
def test_a_first_batch_that_began_at_once_is_not_worth_a_sentence(seconds: float, is_said: bool) -> None:
    page = parsed(progress(replace(CHART, waited_seconds=seconds, expected=None)))
    assert ("The first batch began" in summary(page)) is is_said
    assert labels(page) == ["40 keys"]


def test_throttled_requests_are_drawn_a_second_and_stretches_with_one_are_listed() -> None:
    page = parsed(throttling_card(Throttled(96, 4), LINE))
    assert summary(page).startswith("4 of 100 requests were throttled (4.00%) and retried.")
    assert titles(page) == ["Throttled requests per second"]
    assert paths(page)["line units"] == "M0.0,84.0L250.0,84.0L250.0,4.8L750.0,4.8L750.0,76.1L1000.0,76.1"
    assert tables(page) == {"Throttled requests over time": [["until", "throttled"], ["3.00 s", "4"]]}
    assert tables(parsed(throttling_card(Throttled(96, 4), without("throttles").timeline))) == {}


def test_a_time_from_ten_seconds_on_is_said_in_words() -> None:
    line = Timeline((Stretch(0, 2.5, LINE.stretches[0].figures), Stretch(2.5, 10, LINE.stretches[1].figures)))
    rows = tables(parsed(progress(replace(CHART, timeline=line))))["Keys and read units over time"]
    assert [row[0] for row in rows] == ["after", "2.5 s", "10.0 s"]
    assert edges(line) == [0.0, 0.25, 1.0]
