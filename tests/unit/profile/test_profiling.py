"""What a profile says beyond its counts: partitions, indexes that are alike, markers, and prices of the region."""

from collections.abc import Iterator, Mapping
from math import inf
from typing import Any

import pytest

from skipscan.dynamodb.write_units import item_bytes
from skipscan.profile.circumstances import ExpirySetting
from skipscan.profile.page import profile_page
from skipscan.profile.segments import ReadingPlan
from skipscan.sample.interval import Interval
from tests.unit.profile.tables import FOUR, Items, budget, figures, index, read

ITEMS: Items = [{"pk": {"S": f"k{n % 400:03}"}, "sk": {"S": f"s{n:05}"}, "ik": {"S": "x"}} for n in range(2000)]
PROVISIONED: dict[str, Any] = {
    "BillingModeSummary": {"BillingMode": "PROVISIONED"},
    "ProvisionedThroughput": {"ReadCapacityUnits": 9_000, "WriteCapacityUnits": 500},
}


SIZES = [26, 5024, 31, 16]
WHOLE = sum(SIZES)


def stated(document: Any) -> Any:
    """Return a profile's document with one number for an interval that is a point, and without classes of nothing."""
    if isinstance(document, dict):
        if document.keys() == {"estimate", "low", "high"} and len(set(document.values())) == 1:
            return document["estimate"]
        return {name: stated(value) for name, value in document.items() if name != "histogram"}
    return [stated(each) for each in document] if isinstance(document, list) else document


@pytest.fixture(scope="module")
def four() -> Mapping[str, Any]:
    indexes = [index("one"), index("two", "KEYS_ONLY"), index("none", of="ttl")]
    profile, _ = read(FOUR, expiry=ExpirySetting("t", "ENABLED"), GlobalSecondaryIndexes=indexes)
    document: dict[str, Any] = stated(profile.to_json())
    return document


def test_every_figure_of_four_items(four: Mapping[str, Any]) -> None:
    assert list(map(item_bytes, FOUR)) == SIZES
    assert (four["partition_key"], four["described_items"], four["described_bytes"]) == (["pk"], 4, WHOLE)
    assert four["reading"] == {
        **{"segments": 1, "segments_read": 1, "items": 4, "requests": 1, "read_units": 1.0, "dollars": 0.0},
        **{"is_exact": True, "is_cut": False, "seed": 1},
    }
    assert four["items"] == {
        **{"count": 4, "bytes": WHOLE, "mean_bytes": WHOLE / 4, "above": {"4": 0.25, "64": 0.0, "256": 0.0}},
        **{"read_units": (1 + 2 + 1 + 1) / 4 * 0.5, "write_units": (1 + 5 + 1 + 1) / 4, "deepest": 2},
        "read_rounding": pytest.approx(1 - WHOLE / (5 * 4096), abs=1e-6),
        "write_rounding": pytest.approx(1 - WHOLE / (8 * 1024), abs=1e-6),
    }
    collections = four["collections"]
    assert (collections["count"], collections["items"]) == (3, {"50": 1.0, "90": 2.0, "99": 2.0})
    assert (collections["largest_items"], collections["largest_bytes"]) == (2, SIZES[0] + SIZES[1])
    assert collections["bytes"]["50"] == 31.0
    assert collections["top"] == dict.fromkeys(("10%", "1%", "0.1%")), "of three collections, none is a tenth"
    assert (collections["unseen_larger"], collections["local_index_part"]) == (None, None)


def test_every_figure_of_the_attributes_of_four_items(four: Mapping[str, Any]) -> None:
    attributes = {one.pop("name"): one for one in map(dict, four["attributes"])}
    assert list(attributes) == ["text", "pk", "sk", "m", "t", "n", "ik"], "the largest first"
    names = {name: (one["presence"], one["types"], one["forms"]) for name, one in attributes.items()}
    assert names == {
        "text": (0.25, {"S": 1.0}, {}),
        "pk": (1.0, {"S": 1.0}, {}),
        "sk": (1.0, {"S": 1.0}, {}),
        "m": (0.25, {"M": 1.0}, {}),
        "t": (0.5, {"N": 1.0}, {"epoch seconds": 0.5}),
        "n": (0.5, {"N": 0.5, "S": 0.5}, {"number as text": 0.5}),
        "ik": (0.25, {"S": 1.0}, {}),
    }
    text = attributes["text"]
    assert (text["mean_bytes"], text["bytes_share"]) == (5004.0, pytest.approx(5004 / WHOLE, abs=1e-6))
    assert text["name_share"] == pytest.approx(4 / WHOLE, abs=1e-6)
    assert attributes["pk"]["mean_bytes"] == 8.0
    assert attributes["pk"]["name_share"] == pytest.approx(2 * 4 / WHOLE, abs=1e-6)
    assert four["time_to_live"] == {
        **{"attribute": "t", "status": "ENABLED", "presence": 0.5},
        "states": {"in the future": 0.25, "more than five years in the past, never deleted": 0.25},
    }


def test_every_figure_of_the_indexes_of_four_items(four: Mapping[str, Any]) -> None:
    whole, keys, none = four["indexes"]
    assert (none["items"], none["same_content"]) == (0.0, [])
    assert whole == {
        **{"name": "one", "kind": "global index", "partition_key": ["ik"], "projection": "ALL", "items": 0.25},
        **{"mean_bytes": SIZES[1], "write_units": 5 / 4, "same_keys": ["two"], "same_content": []},
        "dollars_a_month": pytest.approx((SIZES[1] + 100) / 1e9 * 0.25, abs=1e-6),
    }
    assert {**keys, "dollars_a_month": 0.0} == {
        **{"name": "two", "kind": "global index", "partition_key": ["ik"], "projection": "KEYS_ONLY", "items": 0.25},
        **{"mean_bytes": 2 + 6 + 2 + 7 + 2 + 1, "write_units": 1 / 4, "same_keys": ["one"], "same_content": []},
        "dollars_a_month": 0.0,
    }


def intervals(document: Any) -> Iterator[Mapping[str, float]]:
    """Yield every interval of a profile's document."""
    if isinstance(document, dict) and {"estimate", "low", "high"} == document.keys():
        yield document
    elif isinstance(document, dict | list):
        for each in document.values() if isinstance(document, dict) else document:
            yield from intervals(each)


@pytest.mark.parametrize("described", [{}, {"ItemCount": 0, "TableSizeBytes": 0}])
def test_a_profile_that_ends_in_its_first_segment_says_what_was_read_and_bounds_nothing(
    described: Mapping[str, Any],
) -> None:
    plan = ReadingPlan(4, 2, budget(), None if described else 1e6)
    profile, _ = read(ITEMS, stop_after=3, plan=plan, GlobalSecondaryIndexes=[index("one")], **described)
    assert (figures(profile, "reading")["segments_read"], figures(profile, "reading")["is_cut"]) == (0, True)
    document = profile.to_json()
    apart = [one for one in intervals(document) if not one["low"] <= one["estimate"] <= (one["high"] or inf)]
    assert apart == []
    items = figures(profile, "items")
    assert items["mean_bytes"].estimate == items["bytes"].low / items["count"].low
    assert not items["mean_bytes"].is_bounded
    shares = {one.name: one.presence for one in figures(profile, "attributes")}
    assert shares == dict.fromkeys(("pk", "sk", "ik"), Interval(1.0, 0.0, 1.0))
    assert document["collections"]["unseen_larger"] is None
    assert "Reading stopped within a segment" in profile_page(profile)


def test_what_a_table_costs_follows_from_its_bytes_items_and_keys() -> None:
    large: Items = [{**item, "note": {"S": "n" * 9000}} for item in ITEMS]
    profile, _ = read(large)
    money, whole = figures(profile, "money"), sum(map(item_bytes, large))
    gigabytes = (whole + 100 * 2000) / 1e9  # an item takes 100 bytes more (developer guide, on storage)
    assert (money["table_class"], money["billing"], money["storage_region"]) == ("Standard", "on demand", "us-east-1")
    assert money["storage"].estimate == pytest.approx(0.25 * gigabytes)
    assert money["storage_other_class"].estimate == pytest.approx(0.1 * gigabytes)
    # Standard-IA saves 60 % of the storage, and its requests cost 25 % more.
    assert money["infrequent_access_pays_below"] == pytest.approx(0.25 * gigabytes * 0.6 / 0.25)
    unit = 0.125e-6
    assert {name: way.estimate for name, way in money["ways"].items()} == {
        "scan or count all items": pytest.approx(whole / 4096 / 2 * unit),
        "list the keys, at most": pytest.approx(
            400 * 3 * 0.5 * unit
        ),  # the first item of each key: three steps of 4 KB
        "export to S3": pytest.approx(0.1 * whole / 1e9),
    }
    marker = money["marker_index"]
    size = 400 * ((2 + 4) * 2 + (2 + 6))  # the table's key, and the partition key once more
    assert marker["listing"] == pytest.approx(size / 4096 / 2 * unit)
    assert marker["storage"] == pytest.approx(0.25 * (2 * size + 100 * 2 * 400) / 1e9)
    saved = money["ways"]["list the keys, at most"].estimate - marker["listing"]
    assert marker["pays_after"] == pytest.approx(2 * 400 * 0.625e-6 / saved)
    assert f'markers pay after</th><td class="figure">{marker["pays_after"]:.0f} listings' in profile_page(profile)


def test_a_profile_of_a_page_that_is_not_all_says_nothing() -> None:
    """Somebody ends the reading after the first page of a table whose size is unknown: it is no segment."""
    profile, _ = read(ITEMS, stop_after=1, plan=ReadingPlan(1000, 1000, budget(), None))
    document = stated(profile.to_json())
    assert (document["reading"]["requests"], document["reading"]["items"]) == (1, 0)
    assert (document["items"]["deepest"], document["collections"]["largest_bytes"]) == (0, 0)


def test_partitions_follow_from_the_size_and_the_throughput_that_describe_table_shows() -> None:
    warm: dict[str, Any] = {"WarmThroughput": {"ReadUnitsPerSecond": 12_000, "WriteUnitsPerSecond": 9_000}}
    profile, _ = read(ITEMS, **warm)
    assert (figures(profile, "skew")["partitions_by_size"], figures(profile, "skew")["partitions_by_throughput"]) == (
        1,
        9,
    )
    assert "9 or more" in profile_page(profile)
    assert figures(read(ITEMS, **PROVISIONED)[0], "skew")["partitions_by_throughput"] == 3
    unknown, _ = read(ITEMS)
    assert figures(unknown, "skew")["partitions_by_throughput"] is None
    assert "by throughput" not in profile_page(unknown)


def test_an_even_table_has_about_a_tenth_of_its_bytes_in_the_fullest_tenth_and_an_uneven_one_more() -> None:
    plan = ReadingPlan(40, 40, budget(), 100.0)
    huge: Items = [{"pk": {"S": "huge"}, "sk": {"S": f"s{n:05}"}} for n in range(3000)]
    even, uneven = (figures(read(items, plan=plan)[0], "skew")["fullest_tenth"] for items in (ITEMS, [*ITEMS, *huge]))
    assert 0.1 < even.estimate < 0.25
    assert uneven.low == uneven.high > 0.5
    assert figures(read(ITEMS)[0], "skew")["fullest_tenth"] is None  # one segment


def test_provisioned_capacity_is_that_of_the_table_and_its_global_indexes() -> None:
    own = {**index("one"), "ProvisionedThroughput": {"ReadCapacityUnits": 1_000, "WriteCapacityUnits": 100}}
    capacity = figures(read(ITEMS, **PROVISIONED, GlobalSecondaryIndexes=[own])[0], "money")["capacity"]
    assert capacity == pytest.approx(730 * (10_000 * 0.00013 + 600 * 0.00065))
    assert figures(read(ITEMS)[0], "money")["capacity"] is None


def prefixed(*groups: tuple[str, int]) -> Items:
    """Return collections of one item each, so many with each prefix."""
    return [
        {"pk": {"S": f"{name}{n:05}"}, "sk": {"S": f"{name}#{n:05}"}} for name, count in groups for n in range(count)
    ]


@pytest.mark.parametrize(
    ("rest", "rare", "named"),
    [
        (200, 9, False),
        (200, 10, True),
        (200, 11, True),
        (1990, 19, False),  # of 2,009 collections
        (1980, 20, True),  # 1 % of 2,000
        (1970, 21, True),
    ],
)
def test_a_prefix_is_named_from_ten_collections_and_one_in_a_hundred_on(rest: int, rare: int, named: bool) -> None:
    profile, _ = read(prefixed(("COMMON", rest), ("RARE", rare)))
    assert [one.prefix for one in figures(profile, "entity_types")] == ["COMMON", *(["RARE"] if named else [])]
