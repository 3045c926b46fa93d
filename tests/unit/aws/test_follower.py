"""What all followers share: threads, the deadline, what comes again, what may be said of an error, and the lag."""

import time
from types import SimpleNamespace
from typing import Any

import pytest
from aws_lambda_powertools import Logger
from botocore.exceptions import ClientError

from skipscan.aws.clients import LONGEST_CALL_SECONDS
from skipscan.aws.follower import Follower, ItemEffect, follow_stream, name_of
from skipscan.aws.function import Metrics
from skipscan.dynamodb.delivery import Change, Delivery, StreamRecord
from skipscan.loop.metric import Metric


class Made(ItemEffect):
    """An effect that does what a test says for each partition key."""

    done = frozenset({"right", "odd"})
    quiet = frozenset({"right"})

    def __init__(self, **ends: str | Exception) -> None:
        client: Any = None
        super().__init__(client, ("pk",), check=lambda: None)
        self.ends = ends
        self.settled: list[str] = []

    def settle(self, change: Change) -> str:
        self.settled.append(change.key["pk"]["S"])
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
    return Follower(Logger(), Metrics("dev"), Metric.KEEPER_LAG).handle(delivery, effect, context(), table="Orders")


@pytest.mark.parametrize(("seconds", "is_late"), [(LONGEST_CALL_SECONDS - 1, True), (LONGEST_CALL_SECONDS + 60, False)])
def test_nothing_begins_that_may_take_longer_than_the_function_has(seconds: int, is_late: bool) -> None:
    effect, follower = Made(), Follower(Logger(), Metrics("dev"), Metric.KEEPER_LAG)
    answer = follower.handle(Delivery((record("1", "p"),), ()), effect, context(1000 * seconds), table="Orders")
    assert answer == {"batchItemFailures": [{"itemIdentifier": "1"}] if is_late else []}
    assert effect.settled == ([] if is_late else ["p"])


def test_a_clock_that_is_behind_makes_no_negative_lag(capsys: pytest.CaptureFixture[str]) -> None:
    handled(Delivery((record("1", "p", time.time() + 60),), ()), Made())
    assert '"KeeperLagSeconds":[0.0]' in capsys.readouterr().out.replace(" ", "")
