"""What ways to list the keys consume, in figures that can be computed by hand."""

from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.listing.estimate.ways import full_scan, given, lookups, with_lookups
from skipscan.sample.interval import Consumption, Interval
from skipscan.scan.plan import Plan

MB = 1 << 20


def planned(segments: int = 1, rate: float | None = None, **more: Any) -> Plan:
    """Return what these figures need of a plan; in half units for 4 KB."""
    source, take = SimpleNamespace(level=more.pop("level", None)), SimpleNamespace(reads_on=more.pop("reads_on", False))
    of = {"page_lookups": 1, "skips": True, "sort_range": None, "item_bytes": 0.0, "step_units": 0.5}
    plan: Any = SimpleNamespace(
        segments=segments, limits=SimpleNamespace(worker_reads=rate), source=source, take=take, **{**of, **more}
    )
    result: Plan = plan
    return result


@pytest.mark.parametrize(
    ("rate", "item_bytes", "pages", "most"),
    [
        (None, 0.0, 1.5, 2.0),
        (10.0, 0.0, 32.5, 33.0),  # 0.4 s of the rate are 4 read units, and 32 KB
        (20.0, 0.0, 16.5, 17.0),
        (10.0, 32_768.0, 21 + 5 / 6, 33.0),  # on average, a page ends in the middle of an item
        (10.0, 65_536.0, 11 + 1 / 6, 17.0),  # a page has one item at least
        (1e6, 0.0, 1.5, 2.0),
    ],
)
def test_a_full_scan_of_1_mb_has_pages_as_long_as_the_rate_allows(
    rate: float | None, item_bytes: float, pages: float, most: float
) -> None:
    requests = full_scan(MB, item_bytes, planned(1, rate), 0.5).requests
    assert (requests.low, requests.estimate, requests.high) == pytest.approx((1, pages, most))


KEYS, PAGES = Interval(10.0, 8.0, 12.0), Interval(6.0, 5.0, 7.0)


@pytest.mark.parametrize(
    ("more", "pages", "keys", "asked"),
    [
        ({}, PAGES, KEYS, Interval(4.0, 0.0, 7.0)),
        ({}, Interval(1.0, 2.0, 3.0), KEYS, Interval(0.0, 0.0, 3.0)),
        ({}, Interval(20.0, 15.0, 30.0), KEYS, Interval(10.0, 0.0, 12.0)),
        ({"page_lookups": 0}, PAGES, KEYS, Interval(0.0, 0.0, 0.0)),
        ({"page_lookups": 2}, PAGES, KEYS, Interval(8.0, 0.0, 14.0)),
    ],
)
def test_every_page_but_a_segment_s_last_has_a_query_and_no_key_more_than_one(
    more: dict[str, Any], pages: Interval, keys: Interval, asked: Interval
) -> None:
    assert lookups(planned(2, **more), pages, keys) == asked


PAGED = Consumption(Interval(100.0, 90.0, 110.0), PAGES)
WHOLE = Consumption(Interval(200.0, 190.0, 210.0), Interval(20.0, 10.0, 30.0))
QUERIED = Interval(10.0, 5.0, 14.0)


@pytest.mark.parametrize(
    ("more", "item_steps", "units"),
    [
        ({}, None, Interval(102.0, 90.0, 113.5)),
        ({}, Interval(0.5, 0.5, 0.5), Interval(102.0, 90.0, 113.5)),
        ({}, Interval(1.5, 1.0, 3.0), Interval(103.0, 90.0, 120.5)),
        ({"item_bytes": 4_096.0}, None, Interval(102.0, 90.0, 117.0)),  # twice the average
        ({"item_bytes": 4_097.0}, None, Interval(100 + 2 * 4_097 / 4_096, 90.0, 124.0)),
        ({}, Interval(1.0, 1.0, 99.0), Interval(102.0, 90.0, 110 + 3.5 * 99)),
        ({}, Interval(1.0, 1.0, 100.0), Interval(102.0, 90.0, 110 + 3.5 * 100)),
        ({}, Interval(1.0, 1.0, 101.0), Interval(102.0, 90.0, 110 + 3.5 * 100)),  # no item has more than 400 KB
    ],
)
def test_a_query_takes_the_steps_of_an_item(more: dict[str, Any], item_steps: Interval | None, units: Interval) -> None:
    found = with_lookups(PAGED, planned(2, **more), KEYS, item_steps, WHOLE)
    assert (found.read_units, found.requests) == (units, QUERIED)


@pytest.mark.parametrize(("keys", "part"), [(100, 0.1), (10, 1.0), (5, 1.0), (0, 1.0)])
def test_given_keys_that_are_read_on_take_their_part_of_all(keys: int, part: float) -> None:
    found = given(planned(10, reads_on=True, has_group_pages=True, page_lookups=0), Interval.exactly(keys), None, WHOLE)
    assert found.read_units == Interval(max(5.0, part * 200), 5.0, 215.0)
    assert found.requests == Interval(max(10, part * 20), 10, 40.0)


@pytest.mark.parametrize(
    ("more", "whole", "units", "most_requests"),
    [
        ({"page_lookups": 0}, WHOLE, PAGED.read_units, 7.0),
        ({"reads_on": True}, WHOLE, PAGED.read_units, 7.0),
        ({"reads_on": True, "skips": False}, WHOLE, Interval(102.0, 90.0, 110 + 3.5 + 210), 44.0),
        ({"reads_on": True, "skips": False}, None, Interval(102.0, 90.0, inf), inf),
    ],
)
def test_queries_that_read_on_take_at_most_as_much_as_a_full_scan(
    more: dict[str, Any], whole: Consumption | None, units: Interval, most_requests: float
) -> None:
    found = with_lookups(PAGED, planned(2, **more), KEYS, None, whole)
    assert (found.read_units, found.requests.high) == (units, most_requests)
