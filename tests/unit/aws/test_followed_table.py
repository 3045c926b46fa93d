"""The check before a follower writes: the table must still be the one whose stream it follows."""

from collections.abc import Callable
from itertools import repeat
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.follower import FollowedTable, ItemEffect
from skipscan.aws.table import FRESH_SECONDS
from skipscan.copy.replica import Replica
from skipscan.copy.requests import Replication
from skipscan.dynamodb.delivery import Change, StreamRecord
from skipscan.errors import TableError
from skipscan.items.assignments import Assignments
from skipscan.items.concatenation import Separator
from skipscan.markers.requests import Markers
from skipscan.retrofit.item import Setting
from skipscan.retrofit.requests import AttributeKeeping
from tests.fakes.faulty import faulty
from tests.fakes.small_table import DESCRIPTION, STREAM
from tests.refusal import failed, refused
from tests.unit.markers.sample import marker

KEY = {"pk": {"S": "p"}}
THROTTLED = ClientError({"Error": {"Code": "ThrottlingException", "Message": "Rate exceeded"}}, "DescribeTable")


class Described:
    """DescribeTable of a table that a test changes, and a clock. `error`: raised instead."""

    meta = SimpleNamespace(endpoint_url="https://dynamodb.us-east-1.amazonaws.com", region_name="us-east-1")

    def __init__(self) -> None:
        self.table: dict[str, Any] = {**DESCRIPTION, "TableName": "Audit"}
        self.error: Exception | None = None
        self.now = 100.0
        self.takes_seconds = 0.0
        self.calls = 0

    def describe_table(self, **_: Any) -> dict[str, Any]:
        self.calls += 1
        self.now += self.takes_seconds
        if self.error:
            raise self.error
        return {"Table": self.table}

    def followed(self) -> FollowedTable:
        client: Any = self
        return FollowedTable(client, "Audit", STREAM, lambda: self.now)


def test_a_table_that_is_created_again_during_an_invocation_is_noticed() -> None:
    described = Described()
    followed = described.followed()
    followed.check()
    described.table["LatestStreamArn"] = "arn:another"
    described.now += FRESH_SECONDS
    with refused(TableError, 'table "Audit"', rule="has a new stream; the environment follows arn:stream"):
        followed.check()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"StreamSpecification": {"StreamEnabled": False}}, "has no stream"),
        ({"TableStatus": "DELETING"}, "is being deleted"),
    ],
)
def test_a_table_that_cannot_be_followed_is_refused(changed: dict[str, Any], said: str) -> None:
    described = Described()
    described.table |= changed
    with refused(TableError, 'table "Audit"', rule=said):
        described.followed().check()


def test_a_refusal_is_shared_and_is_not_the_last_word() -> None:
    described = Described()
    described.error, described.takes_seconds = THROTTLED, 30.0
    followed = described.followed()
    for _ in range(8):
        with pytest.raises(ClientError):
            followed.check()
    assert described.calls == 1
    described.error = None
    described.now += FRESH_SECONDS
    followed.check()


def requested(source: dict[str, Any] | None) -> Any:
    """Return a table with one item in every place, and its copy."""

    def get_item(_: object, asked: dict[str, Any]) -> dict[str, Any]:
        found = {"pk": {"S": "p"}, "sk": {"S": "#static"}} if asked["TableName"] == "Audit-2" else source
        return {**units, **({"Item": found} if found else {})}

    units = {"ConsumedCapacity": {"CapacityUnits": 1.0}}
    return faulty(None, {"get_item": repeat(get_item), "query": repeat({**units, "Items": [source]})})


def refuse() -> None:
    raise TableError("another table", rule="", remedy="")


def replication(client: Any) -> Replication:
    replica = Replica("Audit", "Audit-2", STREAM, "https://queue")
    return Replication(client, replica, ["pk"], is_late=False, check=refuse)


def keeping(client: Any) -> AttributeKeeping:
    assignments = Assignments.parse({"made": "{pk}"}, Separator.REFUSE)
    return AttributeKeeping(client, Setting(assignments, "Audit", ("pk", "made")), ["pk"], check=refuse)


EFFECTS: dict[str, tuple[Callable[[Any], ItemEffect], dict[str, Any] | None, list[str]]] = {
    "a delete of the replicator": (replication, None, ["get_item", "get_item"]),
    "a put of the replicator": (replication, {"pk": {"S": "p"}}, ["get_item", "get_item"]),
    "an update of the attribute keeper": (keeping, {"pk": {"S": "p"}}, ["get_item"]),
    "a put of the marker keeper": (
        lambda client: Markers(client, marker(), check=refuse),
        {"pk": {"S": "p"}, "sk": {"S": "a"}},
        ["query"],
    ),
}


@pytest.mark.parametrize(("effect", "source", "looks"), EFFECTS.values(), ids=EFFECTS)
def test_every_follower_checks_the_table_after_its_looks_and_before_it_writes(
    effect: Callable[[Any], ItemEffect], source: dict[str, Any] | None, looks: list[str]
) -> None:
    client = requested(source)
    with failed(TableError, "another table"):
        effect(client).settle(Change(KEY, (StreamRecord("1", KEY, "REMOVE"),)))
    assert [call.name for call in client.calls] == looks
