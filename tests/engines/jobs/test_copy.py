"""A copy of the source's audit table: the functions as they are deployed, puts as an engine makes them."""

import json
import os
from typing import Any

import pytest

from local import audit_table
from skipscan.errors import BatchError, TableError
from tests.engines.jobs.conftest import Copied
from tests.engines.jobs.engine import STREAM, error
from tests.refusal import failed

pytestmark = pytest.mark.xdist_group("dynalite")

MADE = audit_table.ATTRIBUTE


def test_the_source_s_query_is_complete_in_the_new_table(copied: Copied) -> None:
    copied.load()
    output = copied.run()
    assert (output["items"], output["copied"], output["listed"]) == (5, 5, 0)
    assert audit_table.when(copied.engine.client, copied.table, "123ccc", "edited", "jane") == []
    assert audit_table.when(copied.engine.client, copied.to, "123ccc", "edited", "jane") == ["2017-05-01T00:00:25.000"]


def test_an_old_put_after_a_delete_was_followed_is_undone_by_the_late_look(copied: Copied) -> None:
    copied.load()

    def delete(name: str, parameters: dict[str, Any]) -> None:
        if name == "put_item" and parameters["Item"]["id"] == {"S": "111aab"}:
            copied.engine.client.delete_item(TableName=copied.table, Key={"id": {"S": "111aab"}})
            copied.follow("111aab")

    copied.engine.before = delete
    output = copied.run(verify=False)
    copied.engine.before = None
    assert output["copied"] == 5
    assert "111aab" in copied.target
    assert copied.look_again() == {"batchItemFailures": []}
    assert copied.target == copied.expected
    assert "111aab" not in copied.target


def test_nothing_is_written_where_the_late_look_cannot_be_promised(copied: Copied, monkeypatch: Any) -> None:
    copied.load()

    def refuse(**_: Any) -> dict[str, Any]:
        return {"Failed": [{"Id": "0", "Code": "InternalError"}]}

    monkeypatch.setattr(copied.queue, "send_message_batch", refuse)
    with failed(BatchError, "SendMessageBatch with InternalError"):
        copied.follow("111aaa")
    assert copied.target == {}


@pytest.mark.parametrize("code", ["ValidationException", "ItemCollectionSizeLimitExceededException"])
def test_what_the_new_table_refuses_is_listed_and_its_late_look_fails(copied: Copied, code: str) -> None:
    odd = {"id": {"S": "odd"}, "timestamp": {"S": "t"}, MADE: {"S": "x"}, "resourceId": {"S": "r"}}
    copied.load(0, odd)
    copied.engine.fail("put_item", error(code), key="odd")
    output = copied.run(verify=False)
    assert (output["copied"], output["refused"]) == (5, 1)
    assert [(line["key"], line["problem"]) for line in copied.listed()] == [({"id": {"S": "odd"}}, "refused")]
    assert copied.follow("odd") == {"batchItemFailures": []}
    queued = len(copied.queue.entries)
    assert copied.look_again() == {"batchItemFailures": [{"itemIdentifier": "m0"}]}
    assert len(copied.queue.entries) == queued, "a message that comes again must not bring others with it"


# A source that was deleted and created again: its lacks are no deletes, and the replicator writes nothing of it.


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
