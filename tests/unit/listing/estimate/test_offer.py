"""The ways side by side, in figures that can be computed by hand."""

from dataclasses import replace
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.estimate.estimate import Estimate
from skipscan.listing.estimate.offer import Facts, Offer, offers, skip_scan
from skipscan.sample.interval import Consumption, Interval
from tests.fakes.small_table import reading

ATTRIBUTES = [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "other")]


def key(*names: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"), strict=False)]


def facts(
    size_bytes: int = 0, items: int = 0, *, sort_key: str | None = None, kind: str = "Global", table: bool = False
) -> Facts:
    """Return the facts of an index by `pk` and perhaps another key, or of its table."""
    index = {
        "IndexName": "one",
        "KeySchema": key("pk", *([sort_key] if sort_key else [])),
        **{"ItemCount": items, "IndexSizeBytes": size_bytes},
    }
    document = {
        **{"KeySchema": key("pk", "sk"), "AttributeDefinitions": ATTRIBUTES},
        **{"ItemCount": items, "TableSizeBytes": size_bytes, f"{kind}SecondaryIndexes": [index]},
    }
    return Facts.described("Orders", TableDescription.from_json(document), None if table else "one")


NOTHING = Interval.exactly(0.0)


def estimated(keys: Interval, size_bytes: Interval | None = None) -> Estimate:
    return Estimate(keys, keys, keys, None, None, size_bytes)


def offered(table: Facts, estimate: Estimate, *indexes: Facts, consistent: bool = False) -> dict[str, Offer]:
    plan = replace(reading(1), consistent_read=consistent)
    found = offers(plan, table, estimate, indexes=indexes)
    return {each.strategy: each for each in found}


def through_index(most_keys: float, index: Facts, *, consistent: bool = False) -> Offer:
    found = offered(facts(table=True), estimated(Interval(5.0, 5.0, most_keys)), index, consistent=consistent)
    return found[f'{index.source.kind} "one"']


@pytest.mark.parametrize(
    ("most_keys", "units", "requests"),
    [
        (10.0, Interval(6.0, 0.5, 1.1 * 6 + 15), Interval(11.0, 1.0, 11.0)),
        (100.0, Interval(52.5, 5.0, 1.1 * 55.1953125 + 15), Interval(110.0, 10.0, 110.0)),
        (inf, Interval(52.5, 5.0, 1.1 * 55.1953125 + 15), Interval(1010.0, 10.0, 1010.0)),
    ],
)
def test_a_run_through_an_index_takes_at_most_a_tenth_and_15_units_more_than_the_better_way(
    most_keys: float, units: Interval, requests: Interval
) -> None:
    """The index has 1,000 items in 100 steps of 4 KB. Ten segments are right for 100 pages, and one for ten."""
    through = facts(409_600, 1000, sort_key="other")
    found = through_index(most_keys, through)
    assert vars(found.read_units) == pytest.approx(vars(units))
    assert vars(found.requests) == pytest.approx(vars(requests))


def test_an_index_without_a_sort_key_is_read_whole() -> None:
    assert through_index(10.0, facts(409_600, 1000)).read_units.estimate == 50.25


WHOLE = Consumption(Interval(20.0, 18.0, 24.0), NOTHING)
SKIPPED, REQUESTS = Interval(50.0, 10.0, 90.0), Interval(4.0, 2.0, 8.0)


@pytest.mark.parametrize(
    ("units", "requests", "whole", "counted", "found"),
    [
        (SKIPPED, REQUESTS, WHOLE, False, (Interval(28.0, 10.0, 28.0), REQUESTS)),  # every item, and 8 roundings
        (Interval(9.0, 8.0, 27.9), REQUESTS, WHOLE, False, (Interval(9.0, 8.0, 27.9), REQUESTS)),
        (SKIPPED, REQUESTS, None, False, (SKIPPED, REQUESTS)),
        (Interval(50.0, 1.0, inf), REQUESTS, WHOLE, True, (Interval(28.0, 1.0, 28.0), REQUESTS)),
        (
            SKIPPED,
            Interval(4.0, 2.0, inf),
            WHOLE,
            True,
            (Interval(49.5, 10.0, 49.5), Interval(4.0, 2.0, 51.0)),  # a page for each of 48 steps, and 3 segments
        ),
    ],
)
def test_a_skip_scan_takes_at_most_every_item_and_a_rounding_of_each_page(
    units: Interval, requests: Interval, whole: Consumption | None, counted: bool, found: tuple[Interval, Interval]
) -> None:
    estimate: Any = SimpleNamespace(
        skipping=lambda _plan: Consumption(units, requests), counted=object() if counted else None
    )
    assert skip_scan(reading(3), estimate, whole) == Consumption(*found)
