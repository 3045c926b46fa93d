"""The check before a follower writes: the table must still be the one whose stream it follows."""

import time
from collections.abc import Callable
from functools import partial
from itertools import repeat
from types import SimpleNamespace
from typing import Any

import pytest
from aws_lambda_powertools import Logger
from botocore.exceptions import ClientError

from skipscan.aws.clients import LONGEST_CALL_SECONDS
from skipscan.aws.faults import name_of
from skipscan.aws.follower import Follower, ItemEffect, Spent, follow_stream, followed_table
from skipscan.aws.function import Metrics
from skipscan.aws.rechecked import FRESH_SECONDS, Rechecked
from skipscan.copy.replica import Replica
from skipscan.copy.requests import replication
from skipscan.dynamodb.delivery import Change, Delivery, StreamRecord
from skipscan.dynamodb.step import ItemSteps
from skipscan.errors import TableError
from skipscan.items.assignments import Assignments
from skipscan.items.concatenation import Separator
from skipscan.loop.metric import Metric
from skipscan.markers.requests import marker_keeping
from skipscan.retrofit.item import set_attributes
from skipscan.retrofit.requests import attribute_keeping
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

    def followed(self) -> Rechecked:
        client: Any = self
        return followed_table(client, "Audit", STREAM, lambda: self.now)


def test_a_change_for_which_no_time_is_left_is_not_begun_and_is_delivered_again() -> None:
    begun: list[Change] = []

    def apply(change: Change) -> str:
        begun.append(change)
        return "done"

    effect: Any = SimpleNamespace(by=["pk"], done=frozenset({"done"}), apply=apply)
    delivery = Delivery((StreamRecord("1", KEY), StreamRecord("2", {"pk": {"S": "q"}})), ())
    times = iter([0.0, 1.0])
    followed = follow_stream(delivery, effect, until=1.0, clock=lambda: next(times))
    assert (dict(followed.outcomes), len(followed.failed), len(begun)) == ({"done": 1, "late": 1}, 1, 1)


def test_a_table_that_is_created_again_during_an_invocation_is_noticed() -> None:
    described = Described()
    followed = described.followed()
    followed.check()
    described.table["LatestStreamArn"] = "arn:another"
    described.now += FRESH_SECONDS
    with refused(TableError, 'table "Audit"', rule="has a new stream; the environment follows arn:stream"):
        followed.check()


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


def replicating(client: Any) -> ItemEffect:
    replica = Replica("Audit", "Audit-2", STREAM, "https://queue")
    return replication(client, replica, ["pk"], is_late=False, check=refuse)


def keeping(client: Any) -> ItemEffect:
    steps = partial(set_attributes, Assignments.parse({"made": "{pk}"}, Separator.REFUSE), "Audit", ("pk", "made"))
    return attribute_keeping(client, steps, ["pk"], check=refuse)


EFFECTS: dict[str, tuple[Callable[[Any], ItemEffect], dict[str, Any] | None, list[str]]] = {
    "a delete of the replicator": (replicating, None, ["get_item", "get_item"]),
    "a put of the replicator": (replicating, {"pk": {"S": "p"}}, ["get_item", "get_item"]),
    "an update of the attribute keeper": (keeping, {"pk": {"S": "p"}}, ["get_item"]),
    "a put of the marker keeper": (
        lambda client: marker_keeping(client, marker(), check=refuse),
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
        effect(client).apply(Change(KEY, (StreamRecord("1", KEY, "REMOVE"),)))
    assert [call.name for call in client.calls] == looks


# What all followers share: threads, the deadline, what comes again, what may be said of an error, and the lag.


class Made(ItemEffect):
    """An effect that does what a test says for each partition key."""

    def __init__(self, **ends: str | Exception) -> None:
        client: Any = None
        done, quiet = frozenset({"right", "odd"}), frozenset({"right"})
        super().__init__(client, ("pk",), self.steps, done=done, quiet=quiet, check=lambda: None)
        self.ends = ends
        self.applied: list[str] = []

    def steps(self, change: Change) -> ItemSteps:
        yield from ()
        self.applied.append(change.key["pk"]["S"])
        end = self.ends.get(change.key["pk"]["S"], "right")
        if isinstance(end, Exception):
            raise end
        return end


def record(identifier: str, pk: str, created: float | None = None) -> StreamRecord:
    return StreamRecord(identifier, {"pk": {"S": pk}}, "INSERT", created)


def context(remaining_ms: int = 300_000) -> Any:
    return SimpleNamespace(get_remaining_time_in_millis=lambda: remaining_ms)


def test_what_fails_comes_again_and_nothing_else() -> None:
    delivery = Delivery((record("1", "p"), record("2", "q"), record("3", "p"), record("4", "r")), ("5",))
    followed = follow_stream(delivery, Made(p=ValueError("p"), r="unsettled"), until=1.0, clock=lambda: 0.0)
    assert sorted(followed.failed) == ["1", "3", "4", "5"]
    assert followed.outcomes == {"ValueError": 1, "right": 1, "unsettled": 1}


def test_an_error_is_named_without_its_words() -> None:
    error = ClientError({"Error": {"Code": "ValidationException", "Message": "secret"}}, "PutItem")
    without_a_code = ClientError({"Error": {}}, "PutItem")
    assert [name_of(each) for each in (error, KeyError("secret"), without_a_code)] == [
        *("ValidationException", "KeyError", "ClientError")
    ]


def handled(delivery: Delivery, effect: Made) -> dict[str, Any]:
    return Follower(Logger(), Metrics("dev")).handle(Metric.KEEPER_LAG, delivery, effect, context(), table="Orders")


@pytest.mark.parametrize(("seconds", "is_late"), [(LONGEST_CALL_SECONDS - 1, True), (LONGEST_CALL_SECONDS + 60, False)])
def test_nothing_begins_that_may_take_longer_than_the_function_has(seconds: int, is_late: bool) -> None:
    effect, follower = Made(), Follower(Logger(), Metrics("dev"))
    answer = follower.handle(
        Metric.KEEPER_LAG, Delivery((record("1", "p"),), ()), effect, context(1000 * seconds), table="Orders"
    )
    assert answer == {"batchItemFailures": [{"itemIdentifier": "1"}] if is_late else []}
    assert effect.applied == ([] if is_late else ["p"])


def test_a_clock_that_is_behind_makes_no_negative_lag(capsys: pytest.CaptureFixture[str]) -> None:
    handled(Delivery((record("1", "p", time.time() + 60),), ()), Made())
    assert '"KeeperLagSeconds":[0.0]' in capsys.readouterr().out.replace(" ", "")


@pytest.mark.parametrize(("end", "level"), [("right", "INFO"), ("odd", "WARNING"), ("failed", "WARNING")])
def test_only_quiet_ends_are_logged_below_a_warning(end: str, level: str, caplog: pytest.LogCaptureFixture) -> None:
    handled(Delivery((record("1", "p"),), ()), Made(p=end))
    assert [entry.levelname for entry in caplog.records] == [level]
    (entry,) = caplog.records
    assert entry.getMessage() == ("followed" if level == "INFO" else "followed in part")
    assert entry.__dict__["counts"]["outcomes"] == {end: 1}
    assert entry.__dict__["counts"]["records"] == 1
    assert not any(entry.__dict__["counts"][name] for name in Spent().to_json())
