"""The deployed keeper on the stream of a real table: its markers come and go with collections, and its rights suffice.

What it does with events in another order, repeated or old, while others write: `tests.simulation.histories` and
tests/unit/markers/keeper/test_model.py.
"""

import time
from collections.abc import Collection
from typing import Any

import pytest

from tests.engines.e2e.streams import KEPT, MARKER, Streams
from tests.fakes.attribute_value import Item

pytestmark = [pytest.mark.xdist_group("streams"), pytest.mark.in_order]

WAIT_SECONDS = 600.0
SORT_KEYS = ("-7", "1.5")


def item(name: str, sort_key: str) -> Item:
    return {"p.k": {"B": name.encode() + b"\xff"}, "size": {"N": sort_key}}


def wait_for_markers(streams: Streams, names: Collection[str]) -> None:
    """Wait until the index of markers has these collections alone."""
    deadline = time.monotonic() + WAIT_SECONDS
    while sorted(entry["GSI-pk"]["B"] for entry in scan(streams, "markers")) != [
        item(name, "0")["p.k"]["B"] for name in names
    ]:
        assert time.monotonic() < deadline, "the keeper does not come to the end of the stream"
        time.sleep(0.1)


def scan(streams: Streams, index: str) -> list[Any]:
    return list(streams.account.dynamodb.scan(TableName=KEPT.name, IndexName=index)["Items"])


def test_markers_equal_collections_once_the_stream_is_handled(streams: Streams) -> None:
    dynamodb = streams.account.dynamodb
    for name in ("a", "b", "c"):
        for sort_key in SORT_KEYS:
            dynamodb.put_item(TableName=KEPT.name, Item=item(name, sort_key))
    wait_for_markers(streams, "abc")
    for sort_key in SORT_KEYS:
        dynamodb.delete_item(TableName=KEPT.name, Key=item("b", sort_key))
    dynamodb.delete_item(TableName=KEPT.name, Key=item("c", SORT_KEYS[0]))
    dynamodb.delete_item(TableName=KEPT.name, Key=item("a", str(MARKER["size"])))  # by hand: it is put again
    wait_for_markers(streams, "ac")


def test_a_record_it_cannot_follow_is_named(streams: Streams) -> None:
    poison = {"eventName": "INSERT", "dynamodb": {"SequenceNumber": "7", "Keys": {"id": {"S": "?"}}}}
    assert streams.invoke(streams.followers[KEPT.name], [poison]) == {"batchItemFailures": [{"itemIdentifier": "7"}]}


def test_its_role_allows_every_call_it_made_and_no_other(streams: Streams) -> None:
    streams.check_rights(streams.followers[KEPT.name].rpartition(":")[2])
