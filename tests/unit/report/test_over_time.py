"""The cards of work over time: what is counted, what is consumed a second, and what was throttled."""

from dataclasses import replace

import pytest

from skipscan.report.over_time import edges, progress
from skipscan.report.report import ProgressChart
from skipscan.report.timeline import Stretch, Timeline
from tests.unit.report.elements import Element, parsed, summary, tables

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


def test_a_time_from_ten_seconds_on_is_said_in_words() -> None:
    line = Timeline((Stretch(0, 2.5, LINE.stretches[0].figures), Stretch(2.5, 10, LINE.stretches[1].figures)))
    rows = tables(parsed(progress(replace(CHART, timeline=line))))["Keys and read units over time"]
    assert [row[0] for row in rows] == ["after", "2.5 s", "10.0 s"]
    assert edges(line) == [0.0, 0.25, 1.0]
