from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from local import sample_table
from local.listing import full_scan, one_item_skip_scan, parallel_scan

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def test_is_the_same_for_the_same_seed() -> None:
    orders = {"customer-1": 30, "customer-2": 1}
    assert sample_table.customers() == sample_table.customers()
    assert list(sample_table.items(orders)) == list(sample_table.items(orders))


def test_is_another_for_another_seed() -> None:
    orders = {"customer-1": 30}
    assert sample_table.customers(1) != sample_table.customers(2)
    assert list(sample_table.items(orders, seed=1)) != list(sample_table.items(orders, seed=2))


def test_item_collections_are_skewed() -> None:
    counts = sorted(sample_table.customers().values())
    assert 200 < sum(counts) / len(counts) < 300
    assert 50 < counts[len(counts) // 2] < 90
    assert counts[-1] > 5_000
    assert sum(counts[-len(counts) // 10 :]) > 0.5 * sum(counts)


def test_what_was_loaded_is_what_is_there(dynamodb: DynamoDBClient) -> None:
    orders = {"customer-1": 60, "customer-2": 1, "customer-3": 7}
    written: list[int] = []
    sample_table.create(dynamodb, "SampleTable")
    loaded = sample_table.load(dynamodb, "SampleTable", orders, on_written=written.append)

    assert written == [25, 50, 68]
    assert dynamodb.scan(TableName="SampleTable", Select="COUNT")["Count"] == 68
    full = full_scan(dynamodb, "SampleTable", "customer")
    one_item = one_item_skip_scan(dynamodb, "SampleTable", "customer", "order")
    parallel = parallel_scan(dynamodb, "SampleTable", "customer", segments=3)
    assert sorted(full.keys) == sorted(one_item.keys) == sorted(parallel.keys) == sorted(loaded) == sorted(orders)
    assert parallel.requests == 3
    assert parallel.read_units >= full.read_units == 3.0
    assert one_item.requests == len(orders) + 1  # the last finds nothing


def test_an_engine_that_refuses_items_stops_the_loading(dynamodb: DynamoDBClient) -> None:
    with pytest.raises(sample_table.LoadError, match=r"table NoSuchTable: 400 .*ResourceNotFound"):
        sample_table.load(dynamodb, "NoSuchTable", {"customer-1": 1})
