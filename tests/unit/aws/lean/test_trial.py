"""The lean client makes no call before boto3 has been shown to do the same, and none that a setting leaves to boto3."""

from threading import Event
from typing import Any

import boto3
import pytest
from botocore import UNSIGNED
from botocore.exceptions import ClientError, ReadTimeoutError

from local.checkout import REGION
from skipscan.aws import lean
from skipscan.errors import InputError
from tests.refusal import refused
from tests.unit.aws.lean.conftest import CALLS, READ_SECONDS, WRITES, Clients, call
from tests.unit.aws.lean.wire import PAGE, Asked, Reply, Wire, answer, framed, usual

OTHER: dict[str, Any] = {**PAGE, "Items": [], "Count": 0}
THROTTLED = {"__type": "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException", "message": "slower"}
REFUSED = {"__type": "com.amazon.coral.service#InvalidSignatureException", "message": "signed in another way"}


def made_by_boto3(asked: Asked) -> bool:
    return "amz-sdk-invocation-id" in asked.headers


def makers(server: Wire) -> list[str]:
    return ["boto3" if made_by_boto3(asked) else "lean" for asked in server.asked]


def says(document: Any, status: str = "200 OK") -> Reply:
    return lambda _: answer(document, status)


LONG: dict[str, Any] = {**PAGE, "Items": [*PAGE["Items"], {"k": {"S": "2"}}], "Count": 2, "ScannedCount": 2}
LONG["ConsumedCapacity"] = {"TableName": "T", "CapacityUnits": 1.5}


@pytest.mark.parametrize("name", WRITES)
def test_no_write_is_sent_twice(make: Clients, server: Wire, name: str) -> None:
    client = make.lean(server.url)
    call(client, name)
    assert makers(server) == ["boto3"]  # no read has been compared yet
    call(client, "get_item")
    for _ in range(3):
        call(client, name)
    assert makers(server)[3:] == ["lean"] * 3


def test_a_throttled_read_before_a_first_write_is_to_be_repeated(make: Clients, server: Wire) -> None:
    client = make.lean(server.url)
    server.replies.append(says(THROTTLED, "400 Bad Request"))
    with pytest.raises(ClientError, match="ProvisionedThroughputExceeded"):
        client.read_first(TableName="T", Key={"k": {"S": "k"}}, ReturnConsumedCapacity="TOTAL")
    assert make.notices == []


TWO = {"k": {"S": "1"}}, {"k": {"S": "2"}}
DIFFERENCES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "order": ({"Items": [*TWO]}, {"Items": [*reversed(TWO)]}),
    "number of items": ({"Items": [*TWO]}, {"Items": [*TWO[:1]]}),
    "Count": ({"Count": 1}, {"Count": 2}),
    "ScannedCount": ({"ScannedCount": 1}, {"ScannedCount": 2}),
    "last key": ({"LastEvaluatedKey": TWO[0]}, {"LastEvaluatedKey": TWO[1]}),
    "units": ({"ConsumedCapacity": {"CapacityUnits": 0.5}}, {"ConsumedCapacity": {"CapacityUnits": 1.0}}),
}


@pytest.mark.parametrize("difference", DIFFERENCES)
def test_boto3_makes_all_calls_after_a_different_first_answer(make: Clients, server: Wire, difference: str) -> None:
    ours, theirs = ({**PAGE, **members} for members in DIFFERENCES[difference])
    server.replies += [lambda asked: answer(theirs if made_by_boto3(asked) else ours)] * 4
    client = make.lean(server.url)
    first = call(client, "scan")
    assert makers(server) == ["lean", "boto3"] * 2
    assert first["ConsumedCapacity"]["CapacityUnits"] == 2 * sum(
        page["ConsumedCapacity"]["CapacityUnits"] for page in (ours, theirs)
    )
    assert all(first[name] == theirs[name] for name in DIFFERENCES[difference][1] if name != "ConsumedCapacity")
    for name in CALLS:
        call(client, name)
    assert makers(server)[4:] == ["boto3"] * len(CALLS)
    assert make.notices == ["boto3 got a different answer"]


@pytest.mark.parametrize(("replies", "items"), [([OTHER] * 2, 0), ([OTHER, PAGE, PAGE], 1)])
def test_a_table_that_is_written_to_between_the_two_reads_is_read_without_boto3(
    make: Clients, server: Wire, replies: list[Any], items: int
) -> None:
    client = make.lean(server.url)
    server.replies += [usual, *map(says, replies)]
    first = call(client, "scan")
    asked = 1 + len(replies)
    assert (len(first["Items"]), first["ConsumedCapacity"]["CapacityUnits"]) == (items, 0.5 * asked)
    call(client, "scan")
    assert makers(server) == [*["lean", "boto3", "lean", "boto3"][:asked], "lean"]
    assert make.notices == []
    assert make.remarks == ["first answers differed, and then agreed: the table had changed"]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (says(REFUSED, "403 Forbidden"), "InvalidSignatureException, but boto3 got an answer"),
        (lambda _: framed(b"", **{"Content-Length": "9", "Connection": "close"}), "IncompleteReadError, but boto3 got"),
        (says({}), "ResponseParserError, but boto3 got an answer"),
    ],
)
def test_boto3_makes_all_calls_where_only_its_reads_are_answered(
    make: Clients, server: Wire, reply: Reply, reason: str
) -> None:
    client = make.lean(server.url)
    for _ in range(3):
        server.replies += [reply, usual]
        assert call(client, "scan")["Count"] == 1
    call(client, "scan")
    assert makers(server) == [*("lean", "boto3") * 3, "boto3"]
    [notices] = make.notices
    assert notices.startswith(reason)
    assert len(make.remarks) == 2


def test_an_answer_that_boto3_could_not_repeat_is_kept(make: Clients, server: Wire) -> None:
    client = make.lean(server.url)
    server.replies += [usual, says(THROTTLED, "400 Bad Request")]
    assert call(client, "scan")["ConsumedCapacity"]["CapacityUnits"] == 0.5
    call(client, "scan")
    assert makers(server) == ["lean", "boto3"] * 2
    assert make.notices == make.remarks == []


def test_boto3_makes_all_calls_where_only_the_lean_client_s_reads_are_answered(make: Clients, server: Wire) -> None:
    client = make.lean(server.url)
    for _ in range(3):
        server.replies += [usual, lambda _: None]
        assert call(client, "scan")["ConsumedCapacity"]["CapacityUnits"] == 0.5
    call(client, "scan")
    assert makers(server) == [*("lean", "boto3") * 3, "boto3"]
    assert make.notices == ["boto3 got no answer: ConnectionClosedError"]
    assert len(make.remarks) == 2


def test_a_write_whose_condition_fails_is_an_answer(make: Clients, server: Wire) -> None:
    failed = {"__type": "x#ConditionalCheckFailedException", "message": "m", "Item": {"b": {"B": "AP8="}}}
    client = make.lean(server.url)
    call(client, "get_item")
    for _ in range(2):
        server.replies.append(says(failed, "400 Bad Request"))
        with pytest.raises(client.exceptions.ConditionalCheckFailedException) as caught:
            call(client, "put_item")
        assert caught.value.response["Item"] == {"b": {"B": b"\x00\xff"}}
    assert makers(server)[2:] == ["lean"] * 2


def test_a_first_write_that_is_lost_is_not_sent_again(make: Clients, server: Wire) -> None:
    client = make.lean(server.url, read_seconds=READ_SECONDS)
    client._trial.needs_read = False
    gone = Event()

    def never(_: Asked) -> None:
        gone.wait(600)

    server.replies.append(never)
    with pytest.raises(ReadTimeoutError):
        call(client, "put_item")
    server.until_asked(1)
    gone.set()
    assert len(server.asked) == 1


@pytest.mark.parametrize("version", [UNSIGNED, "v3"])
def test_boto3_makes_all_calls_where_they_are_signed_in_another_way(make: Clients, server: Wire, version: Any) -> None:
    client = make.boto3(server.url, signature_version=version)
    call(lean.LeanClient(client, client_session(), make.notify), "scan")
    assert makers(server) == ["boto3"]
    assert make.notices == ["boto3's requests are not signed with Signature Version 4"]


def test_boto3_makes_all_calls_where_it_has_other_credentials(make: Clients, server: Wire) -> None:
    other = boto3.Session("another", "another", region_name=REGION)
    call(lean.LeanClient(make.boto3(server.url), other, make.notify), "scan")
    assert makers(server) == ["boto3"]
    assert make.notices == ["boto3 signs differently"]


def test_one_setting_leaves_all_calls_to_boto3(make: Clients, server: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIPSCAN_CLIENT", "boto3")
    client = lean.lean_dynamodb(client_session(), 4, server.url, notify=make.notify)
    for name in CALLS:
        call(client, name)
    client.close()
    assert makers(server) == ["boto3"] * len(CALLS)
    assert make.notices == []  # as requested


def test_a_setting_that_is_neither_is_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIPSCAN_CLIENT", "fast")
    with refused(InputError, "SKIPSCAN_CLIENT", "fast", rule='"lean" or "boto3"'):
        lean.lean_dynamodb(client_session(), 4, notify=lambda *_: None)


def client_session() -> boto3.Session:
    return boto3.Session("test", "test", region_name=REGION)
