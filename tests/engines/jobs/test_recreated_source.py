"""A source that was deleted and created again: its lacks are no deletes, and the replicator writes nothing of it."""

import json
import os
from typing import Any

import pytest

from skipscan.errors import TableError
from tests.engines.jobs.conftest import Copied
from tests.engines.jobs.engine import STREAM

pytestmark = pytest.mark.xdist_group("dynalite")

AGAIN = {"batchItemFailures": [{"itemIdentifier": "m0"}]}


def create_again(copied: Copied, *items: dict[str, Any]) -> None:
    """Replace the source by a table of the same name with these items alone."""
    client = copied.engine.client
    for id_ in copied.items():
        client.delete_item(TableName=copied.table, Key={"id": {"S": id_}})
    for item in items:
        client.put_item(TableName=copied.table, Item=item)
    copied.engine.created = "2026-02-02T00:00:00.000"


def with_a_look_outstanding(copied: Copied) -> dict[str, dict[str, Any]]:
    """Copy a table, and change an item, whose late look is queued then; return the new table's items."""
    copied.load()
    copied.run(verify=False)
    newer = {**copied.items()["111aaa"], "resourceName": {"S": "newer"}}
    copied.engine.client.put_item(TableName=copied.table, Item=newer)
    copied.follow("111aaa")
    assert copied.target == copied.expected
    return copied.target


def test_a_late_look_deletes_nothing_for_a_source_that_was_created_again_empty(
    copied: Copied, caplog: pytest.LogCaptureFixture
) -> None:
    before = with_a_look_outstanding(copied)
    create_again(copied)
    assert copied.look_again() == AGAIN
    assert copied.target == before
    assert vars(caplog.records[-1])["counts"]["outcomes"] == {TableError.__name__: 1}


def test_a_late_look_of_the_deleted_table_is_not_followed_if_the_new_stream_is_deployed(
    copied: Copied, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = with_a_look_outstanding(copied)
    create_again(copied)
    replica = json.loads(os.environ["SKIPSCAN_REPLICA"])
    deployed = {**replica, "stream": STREAM.format(copied.table, copied.engine.created)}
    monkeypatch.setenv("SKIPSCAN_REPLICA", json.dumps(deployed))
    assert copied.look_again() == AGAIN
    assert copied.target == before
    assert vars(caplog.records[-1])["counts"]["unreadable"] == 1
    assert copied.follow("111aab") == {"batchItemFailures": []}
    assert copied.target.keys() == before.keys() - {"111aab"}


def test_old_records_of_the_stream_delete_nothing_either(copied: Copied) -> None:
    before = with_a_look_outstanding(copied)
    create_again(copied)
    assert copied.follow("111aab") == {"batchItemFailures": [{"itemIdentifier": "0"}]}
    assert copied.target == before
