from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from local import sample_table
from local.listing import full_scan, one_item_skip_scan, parallel_scan

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def test_what_was_loaded_is_what_is_there(shared_dynamodb: DynamoDBClient) -> None:
    orders = {"customer-1": 60, "customer-2": 1, "customer-3": 7}
    written: list[int] = []
    sample_table.create(shared_dynamodb, "SampleTable")
    loaded = sample_table.load(shared_dynamodb, "SampleTable", orders, on_written=written.append)

    assert written == [25, 50, 68]
    assert shared_dynamodb.scan(TableName="SampleTable", Select="COUNT")["Count"] == 68
    full = full_scan(shared_dynamodb, "SampleTable", "customer")
    one_item = one_item_skip_scan(shared_dynamodb, "SampleTable", "customer", "order")
    parallel = parallel_scan(shared_dynamodb, "SampleTable", "customer", segments=3)
    assert sorted(full.keys) == sorted(one_item.keys) == sorted(parallel.keys) == sorted(loaded) == sorted(orders)
    assert parallel.requests == 3
    assert parallel.read_units >= full.read_units == 3.0
    assert one_item.requests == len(orders) + 1  # the last finds nothing


def test_an_engine_that_refuses_items_stops_the_loading(shared_dynamodb: DynamoDBClient) -> None:
    with pytest.raises(sample_table.LoadError, match=r"table NoSuchTable: 400 .*ResourceNotFound"):
        sample_table.load(shared_dynamodb, "NoSuchTable", {"customer-1": 1})
