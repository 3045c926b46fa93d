"""An answer that a proxy repeats late: every later answer of its connection would be that of the request before."""

from typing import Any

import pytest
from botocore.exceptions import BotoCoreError
from botocore.parsers import ResponseParserError

from skipscan.aws import clients
from skipscan.aws.clients import Answered
from skipscan.aws.faults import fault
from skipscan.pace.pace import Fault
from tests.unit.aws.lean.conftest import Clients
from tests.unit.aws.lean.wire import PAGE, Wire, answer

ASKED: dict[str, Any] = {"TableName": "T", "ReturnConsumedCapacity": "TOTAL"}


def numbered(number: int) -> Any:
    """Return what answers with a page and a request id of its own, as DynamoDB does."""
    document = {**PAGE, "Items": [{"k": {"S": f"{number}"}}]}
    return lambda _: answer(document, **{"x-amzn-RequestId": f"{number:A>52}"})


def boto3(made: Clients, server: Wire) -> Any:
    client = clients.dynamodb(made.session, 1, server.url)
    made._closing.callback(client.close)
    return client


def lean(made: Clients, server: Wire) -> Any:
    return made.proven(server)


def found(client: Any) -> str:
    key: str = client.scan(**ASKED)["Items"][0]["k"]["S"]
    return key


def test_a_client_that_is_watched_again_takes_no_answer_for_repeated(make: Clients, server: Wire) -> None:
    client = boto3(make, server)
    clients.watch(client)
    server.replies.append(numbered(1))
    assert found(client) == "1"


@pytest.mark.parametrize("of", [boto3, lean])
@pytest.mark.parametrize("late", [1, 2, 5])
def test_a_repeated_answer_is_a_passing_fault_and_its_connection_is_not_used_again(
    make: Clients, server: Wire, of: Any, late: int
) -> None:
    """The first answer comes again in place of the one that is due, `late` requests later; the others follow it."""
    client = of(make, server)
    server.asked.clear()
    before = server.connections
    order = [*range(late), 0, *range(late, late + 3)]
    server.replies += map(numbered, order)
    assert [found(client) for _ in range(late)] == [f"{number}" for number in range(late)]
    with pytest.raises((BotoCoreError, ResponseParserError)) as repeated:
        found(client)
    assert fault(repeated.value) is Fault.PASSING
    assert "a-key-value" not in str(repeated.value)
    assert found(client) == f"{late}"
    connections = [asked.connection for asked in server.asked]
    assert connections[-1] > connections[-2]
    assert server.connections - before <= 2


def test_only_an_id_that_no_other_answer_can_have_tells_a_repeat() -> None:
    answered = Answered()
    for request_id in (None, "", "1", "short", "A" * 31):
        assert not any(answered.is_repeat(request_id) for _ in range(3))
    ids = [f"{number:0>36}" for number in range(64)]
    assert not any(map(answered.is_repeat, ids))
    assert all(map(answered.is_repeat, ids))


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_every_client_of_boto3_is_watched(make: Clients, scheme: str) -> None:
    client = clients.single(make.session, "sqs")
    make._closing.callback(client.close)
    manager: Any = client._endpoint.http_session._manager
    pool = manager.connection_from_url(f"{scheme}://localhost:1")
    assert "getresponse" in vars(pool.ConnectionCls)
    pool.close()
