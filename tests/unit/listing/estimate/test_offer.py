"""The ways side by side, in figures that can be computed by hand."""

from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.estimate.offer import Facts, Offer, offers
from skipscan.sample.interval import Interval
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


def offered(table: Facts, keys: Interval, *indexes: Facts) -> dict[str, Offer]:
    sample: Any = SimpleNamespace(keys=keys, groups=keys, plan=reading(1), reads_on=False, part=0.5, ended=())
    found = offers(reading(1), table, sample, indexes=indexes)
    return {each.strategy: each for each in found}


def through_index(most_keys: float, index: Facts) -> Offer:
    found = offered(facts(table=True), Interval(5.0, 5.0, most_keys), index)
    return found[f'{index.source.kind} "one"']


@pytest.mark.parametrize(
    ("most_keys", "units", "requests"),
    [
        (10.0, Interval(5.5, 0.5, 1.2 * 5.5 + 15), Interval(10.0, 1.0, 10.0)),
        (100.0, Interval(50.25, 0.5, 1.2 * 50.25 + 15), Interval(100.0, 1.0, 100.0)),
        (inf, Interval(50.25, 0.5, 1.2 * 50.25 + 15), Interval(1000.0, 1.0, 1000.0)),
    ],
)
def test_a_run_through_an_index_takes_at_most_a_fifth_and_15_units_more_than_the_better_way(
    most_keys: float, units: Interval, requests: Interval
) -> None:
    """The index has 1,000 items in 100 steps of 4 KB."""
    through = facts(409_600, 1000, sort_key="other")
    found = through_index(most_keys, through)
    assert vars(found.read_units) == pytest.approx(vars(units))
    assert vars(found.requests) == pytest.approx(vars(requests))


def test_an_index_without_items_takes_a_page() -> None:
    found = through_index(10.0, facts(sort_key="other"))
    assert (found.requests, found.read_units) == (Interval(1.0, 1.0, 1.0), Interval(0.5, 0.5, 1.2 * 0.5 + 15))


def test_an_index_without_a_sort_key_is_read_whole() -> None:
    assert through_index(10.0, facts(409_600, 1000)).read_units.estimate == 50.25
