from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

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


class Impatient(BaseHTTPRequestHandler):
    """An engine that closes every connection after an answer, without a word."""

    protocol_version = "HTTP/1.1"
    written: list[dict[str, Any]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.written += [put["PutRequest"]["Item"] for puts in body["RequestItems"].values() for put in puts]
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None: ...


def test_an_engine_may_close_idle_connections() -> None:
    Impatient.written = []
    orders = {"customer-1": 200}
    with ThreadingHTTPServer(("127.0.0.1", 0), Impatient) as engine:
        thread = Thread(target=engine.serve_forever, args=(0.01,))
        thread.start()
        client: Any = SimpleNamespace(meta=SimpleNamespace(endpoint_url=f"http://127.0.0.1:{engine.server_port}"))
        try:
            sample_table.load(client, "Any", orders)
        finally:
            engine.shutdown()
            thread.join()
    dates = [item["order"]["S"] for item in Impatient.written]
    assert sorted(dates) == sorted(item["order"]["S"] for item in sample_table.items(orders))
