"""What a profile says beyond its counts: partitions, indexes that are alike, markers, and prices of the region."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.dynamodb.prices import MONTHLY_US_EAST_1
from skipscan.listing.estimate.interval import Interval
from skipscan.profile.page import profile_page
from skipscan.profile.segments import ReadingPlan
from tests.unit.profile.tables import Items, budget, index, read

ITEMS: Items = [{"pk": {"S": f"k{n % 400:03}"}, "sk": {"S": f"s{n:05}"}, "ik": {"S": "x"}} for n in range(2000)]
PROVISIONED: dict[str, Any] = {
    "BillingModeSummary": {"BillingMode": "PROVISIONED"},
    "ProvisionedThroughput": {"ReadCapacityUnits": 9_000, "WriteCapacityUnits": 500},
}


def test_partitions_follow_from_the_size_and_the_throughput_that_describe_table_shows() -> None:
    warm: dict[str, Any] = {"WarmThroughput": {"ReadUnitsPerSecond": 12_000, "WriteUnitsPerSecond": 9_000}}
    profile, _ = read(ITEMS, **warm)
    assert (profile.skew.partitions_by_size, profile.skew.partitions_by_throughput) == (1, 9)
    assert "9 or more" in profile_page(profile)
    assert read(ITEMS, **PROVISIONED)[0].skew.partitions_by_throughput == 3
    unknown, _ = read(ITEMS)
    assert unknown.skew.partitions_by_throughput is None
    assert "by throughput" not in profile_page(unknown)


def test_an_even_table_has_about_a_tenth_of_its_bytes_in_the_fullest_tenth_and_an_uneven_one_more() -> None:
    plan = ReadingPlan(40, 40, budget(), 100.0, 0.5)
    huge: Items = [{"pk": {"S": "huge"}, "sk": {"S": f"s{n:05}"}} for n in range(3000)]
    even, uneven = (read(items, plan=plan)[0].skew.top for items in (ITEMS, [*ITEMS, *huge]))
    assert even is not None
    assert uneven is not None
    assert 0.1 < even.estimate < 0.25
    assert uneven.low == uneven.high > 0.5
    assert read(ITEMS)[0].skew.top is None  # one segment


def test_indexes_with_the_same_items_and_attributes_have_equal_content() -> None:
    by_both = {
        **index("both"),
        "KeySchema": [{"AttributeName": "ik", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    }
    indexes = [index("one"), by_both, index("keys", "KEYS_ONLY")]
    profile, _ = read(ITEMS, GlobalSecondaryIndexes=indexes)
    assert {one.name: (list(one.same_keys), list(one.same_content)) for one in profile.indexes} == {
        "one": (["keys"], ["both"]),
        "both": ([], ["one"]),
        "keys": (["one"], []),
    }
    assert "one and both have equal content" in profile_page(profile)


def test_an_index_that_lacks_one_item_has_other_content() -> None:
    other = {**index("other"), "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}
    lacking: Items = [*ITEMS, {"pk": {"S": "last"}, "sk": {"S": "s"}}]
    for items, alike in ((ITEMS, ["other"]), (lacking, [])):
        profile, _ = read(items, GlobalSecondaryIndexes=[index("one"), other])
        assert list(profile.indexes[0].same_content) == alike


def test_a_marker_index_pays_after_the_listings_that_save_what_its_markers_cost() -> None:
    large = [{**item, "note": {"S": "n" * 3000}} for item in ITEMS]
    profile, _ = read(large)
    marker = profile.money.marker_index
    assert marker is not None
    assert marker.set_up == pytest.approx(2 * 400 * 0.625e-6)
    saved = profile.money.ways["list the keys, at most"].estimate - marker.listing
    assert marker.pays_after == pytest.approx(marker.set_up / saved)
    assert "markers pay after" in profile_page(profile)


def test_markers_never_pay_where_each_collection_has_one_small_item() -> None:
    profile, _ = read([{"pk": {"S": f"k{n}"}, "sk": {"S": "s"}} for n in range(500)])
    marker = profile.money.marker_index
    assert marker is not None
    assert marker.pays_after is None


def test_provisioned_capacity_is_that_of_the_table_and_its_global_indexes() -> None:
    own = {**index("one"), "ProvisionedThroughput": {"ReadCapacityUnits": 1_000, "WriteCapacityUnits": 100}}
    capacity = read(ITEMS, **PROVISIONED, GlobalSecondaryIndexes=[own])[0].money.capacity
    assert capacity == pytest.approx(730 * (10_000 * 0.00013 + 600 * 0.00065))
    assert read(ITEMS)[0].money.capacity is None


def test_storage_has_the_prices_of_the_region_that_the_page_names() -> None:
    dearer = replace(MONTHLY_US_EAST_1, region="sa-east-1", stored_gb=replace(MONTHLY_US_EAST_1.stored_gb))
    dearer = replace(dearer, stored_gb=replace(dearer.stored_gb, dollars_per_million=375_000.0))
    profile, here = read(ITEMS, monthly=dearer)[0], read(ITEMS)[0]
    assert profile.money.storage.estimate == pytest.approx(1.5 * here.money.storage.estimate)
    assert profile.money.storage_other_class == here.money.storage_other_class
    assert "prices of sa-east-1" in profile_page(profile)


def test_a_table_of_infrequent_access_is_stored_at_its_price() -> None:
    classed: dict[str, Any] = {"TableClassSummary": {"TableClass": "STANDARD_INFREQUENT_ACCESS"}}
    profile, standard = read(ITEMS, **classed)[0], read(ITEMS)[0]
    assert profile.money.table_class == "Standard-IA"
    assert profile.money.storage == standard.money.storage_other_class
    assert isinstance(profile.money.storage_other_class, Interval)
