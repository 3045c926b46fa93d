"""Warnings before a run, and those that concern jobs of all kinds."""

from math import inf

import pytest

from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.estimate.estimate import Estimate
from skipscan.listing.estimate.offer import Facts, Offer
from skipscan.listing.estimate.warning import DAY, job_warnings, warnings
from skipscan.pace.bill import Bill
from skipscan.sample.interval import Interval
from skipscan.scan.history import LONG_AFTER, MOST_TURNS, history_seconds
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import retrofit_plan

DAYS = history_seconds(240.0) / DAY


def said(
    asked: int | None = None,
    *,
    workers: int = 1,
    pieces: int = 9,
    days: float = 1.0,
    max_write_units: float | None = None,
) -> list[str]:
    plan = retrofit_plan(9, workers, max_write_units=max_write_units)
    return job_warnings(plan, asked, pieces, days * 1440)


def test_workers_that_a_rate_does_not_allow_are_named() -> None:
    assert said(None) == said(1) == said(4, workers=4) == []
    (warning,) = said(4, workers=3)
    assert warning.startswith("The job uses 3 of the 4 requested workers")


def test_workers_that_have_nothing_to_do_are_not_missed() -> None:
    assert said(4, workers=2, pieces=2) == []


def test_a_job_that_outlives_its_history_names_the_way_out() -> None:
    assert said(days=DAYS - 0.01) == []
    (warning,) = said(days=46)
    assert "expected to take 46 days" in warning
    assert "full after about 20 days" in warning
    assert 'continue the job with "resume"' in warning


def test_a_copy_s_history_is_full_earlier_because_its_batches_stay_short() -> None:
    """They end before a late look, so they do not become as long as those of other kinds."""
    plan = copy_plan()
    most = (LONG_AFTER * 240.0 + (MOST_TURNS - LONG_AFTER) * 300.0) / DAY
    assert job_warnings(plan, None, 9, (most - 0.01) * 1440) == []
    (warning,) = job_warnings(plan, None, 9, (most + 0.3) * 1440)
    assert "expected to take 10 days" in warning
    assert "full after about 9 days" in warning


def test_a_budget_may_end_a_job_long_before() -> None:
    assert said(days=46, max_write_units=1e6) == []


@pytest.mark.parametrize(("minutes", "warned"), [(29_999.0, False), (30_000.0, False), (30_001.0, True)])
def test_a_history_is_full_after_500_hours(minutes: float, warned: bool) -> None:
    assert bool(job_warnings(retrofit_plan(9), None, 9, minutes)) == warned


KEY = {
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
}
INDEX = {**KEY, "IndexName": "by-pk"}


def described(items: int = 0, capacity: int = 0, index: str | None = None) -> Facts:
    document = {
        **KEY,
        **{"ItemCount": items, "ProvisionedThroughput": {"ReadCapacityUnits": capacity}},
        "GlobalSecondaryIndexes": [INDEX],
    }
    return Facts.described("Orders", TableDescription.from_json(document), index)


def keys(most: float) -> Estimate:
    of = Interval(0.0, 0.0, most)
    return Estimate(of, of, of, None, None, None)


def way(strategy: str, units: float | Interval = 100.0, dollars: float = 0.0, leaves_out: str | None = None) -> Offer:
    consumed = units if isinstance(units, Interval) else Interval.exactly(units)
    exactly = Interval.exactly
    return Offer(strategy, consumed, exactly(1.0), exactly(dollars), Bill(dollars), 1.0, leaves_out, "sample")


def warned(
    *offers: Offer, facts: Facts | None = None, most_keys: float = 1.0, chosen: Offer | None = None
) -> list[str]:
    return warnings(facts or described(), keys(most_keys), offers, chosen, "keys")


@pytest.mark.parametrize(
    ("units", "said"), [(1.0, "1 read unit"), (49.9, "49.9 read units"), (50.0, "50 read units"), (50.1, None)]
)
def test_a_table_is_small_up_to_50_read_units(units: float, said: str | None) -> None:
    expected = [] if said is None else [f"The table is small: even a full scan takes only {said}."]
    assert warned(way("full scan", units)) == expected


@pytest.mark.parametrize(
    ("items", "said"), [(0, "DescribeTable counts the items within"), (1, "DescribeTable counts 1 items;")]
)
def test_keys_without_a_bound_are_warned_of(items: int, said: str) -> None:
    (warning,) = warned(way("full scan"), facts=described(items), most_keys=inf)
    assert said in warning


@pytest.mark.parametrize(
    ("full", "most_keys", "is_warned"),
    [
        (way("full scan"), 1.0, False),
        (way("full scan", Interval(100.0, 0.0, inf)), 1.0, True),
        (way("full scan", Interval(100.0, 0.0, inf)), 0.0, False),
        (way("skip scan"), 1.0, True),
        (way("skip scan"), 0.0, False),
    ],
)
def test_a_full_scan_without_a_bound_is_warned_of_unless_no_key_is_there(
    full: Offer, most_keys: float, is_warned: bool
) -> None:
    found = warned(full, most_keys=most_keys)
    assert ["The read units of a full scan have no upper bound" in said for said in found] == [True] * is_warned


FULL, CHOSEN = way("full scan"), way("skip scan", 10.0)
THROUGH = "by-pk takes at most 9.9 read units. "


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (way("by-pk", 9.9), [f"{THROUGH}List that index instead."]),
        (
            way("by-pk", 9.9, leaves_out="some"),
            [f"{THROUGH}The index omits some. If you do not need those keys, list that index instead."],
        ),
        (way("by-pk", 10.0), []),
        (way("by-pk", 10.1), []),
        (way("skip scan, Limit=1", 9.9), []),
        (way("export to S3", 0.0), []),
    ],
)
def test_an_index_that_takes_less_is_named(other: Offer, said: list[str]) -> None:
    assert warned(CHOSEN, FULL, other, chosen=CHOSEN) == said
    assert warned(CHOSEN, FULL, other) == []


@pytest.mark.parametrize(("capacity", "seconds"), [(0, None), (1, "10.0 s"), (5, "2.0 s")])
def test_provisioned_capacity_is_compared_with_what_the_run_takes(capacity: int, seconds: str | None) -> None:
    found = warned(CHOSEN, FULL, facts=described(capacity=capacity), chosen=CHOSEN)
    assert [f"equivalent of {seconds} of the whole capacity" in said for said in found] == [True] * bool(capacity)
    assert warned(CHOSEN, FULL, facts=described(capacity=capacity)) == []
