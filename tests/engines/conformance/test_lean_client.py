"""The lean client against boto3 on every engine: the same calls on twin tables have the same answers and errors.

One engine answers over TLS, too, as AWS does.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count, product
from typing import Any

import boto3
import botocore.session
import pytest
from botocore.exceptions import ClientError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from local import table as tables
from local.authority import Authority, authority
from local.checkout import ACCESS_KEY, REGION
from local.embedded import SESSION
from local.ministack import ministack
from skipscan.aws import clients
from skipscan.aws.lean import LeanClient
from tests.engines.conformance import dynamodb_local
from tests.engines.conformance.conftest import marks
from tests.engines.conformance.over_tls import over_tls
from tests.fakes.attribute_value import Item

ENGINES = ("dynalite", "dynamodb-local", "ministack")
OVER_TLS = "dynalite-over-tls"
NUMBERS = count(1)
LONG_NUMBER = "1234567890123456789012345678901234567.8"


@pytest.fixture(scope="module", autouse=True)
def no_bundle() -> Iterator[None]:
    """With an authority in the environment boto3 makes all calls over TLS."""
    with pytest.MonkeyPatch.context() as environment:
        for name in ("AWS_CA_BUNDLE", "REQUESTS_CA_BUNDLE"):
            environment.delenv(name, raising=False)
        yield


@dataclass(frozen=True)
class Server:
    """`authority`: of its certificate; `None` without TLS. `chunks`: sends long answers without their length."""

    url: str
    authority: Authority | None = None
    chunks: bool = False

    @property
    def session(self) -> boto3.Session:
        """Trusts that authority. The lean client gets another one: boto3 makes all calls of a session like this."""
        if self.authority is None:
            return SESSION
        core = botocore.session.Session()
        core.set_config_variable("ca_bundle", self.authority.ca_file)
        return boto3.Session(ACCESS_KEY, ACCESS_KEY, region_name=REGION, botocore_session=core)


@pytest.fixture(scope="session")
def dynamodb_local_server() -> Iterator[Server]:
    if reason := dynamodb_local.missing():
        pytest.skip(reason)
    with dynamodb_local.dynamodb_local() as url:
        yield Server(url, chunks=True)


@pytest.fixture(scope="session")
def ministack_server() -> Iterator[Server]:
    with ministack(dynamodb=None) as url:
        yield Server(url)


@pytest.fixture(scope="session")
def dynalite_server(dynalite: str) -> Server:
    return Server(dynalite)


@pytest.fixture(scope="session")
def dynalite_over_tls_server(dynalite: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    trusted = authority(tmp_path_factory.mktemp("tls"))
    with over_tls(dynalite, trusted) as url:
        yield Server(url, trusted)


class Twins:
    """A table for each client, of the same name but for its end; `notices` is why the lean one left calls to boto3."""

    def __init__(self, server: Server, type_: Any) -> None:
        self.notices: list[str] = []
        self._own, self._plain = (clients.dynamodb(server.session, 4, server.url) for _ in range(2))
        ca_file = server.authority.ca_file if server.authority else None
        self._lean: Any = LeanClient(self._own, SESSION, lambda reason, _: self.notices.append(reason), ca_file=ca_file)
        self.name = f"Twins{next(NUMBERS)}"
        for end in "LB":
            tables.create(
                self._plain,
                TableName=self.name + end,
                KeySchema=[{"AttributeName": "k", "KeyType": "HASH"}, {"AttributeName": "s", "KeyType": "RANGE"}],
                AttributeDefinitions=[
                    {"AttributeName": "k", "AttributeType": type_},
                    {"AttributeName": "s", "AttributeType": "N"},
                ],
                BillingMode="PAY_PER_REQUEST",
            )

    def call(self, name: str, **asked: Any) -> Any:
        """Return the answer, or the error, that both clients have."""
        ours = self._said(self._lean, name, TableName=self.name + "L", **asked)
        theirs = self._said(self._plain, name, TableName=self.name + "B", **asked)
        assert ours == theirs
        return ours

    def make_trials(self, key: Item) -> None:
        """Have the first read behind us, whose answer has the units of two."""
        self._lean.get_item(TableName=self.name + "L", Key=key)

    def close(self) -> None:
        self._own.close()
        self._plain.close()

    @staticmethod
    def _said(client: Any, name: str, **asked: Any) -> Any:
        try:
            answer = getattr(client, name)(ReturnConsumedCapacity="TOTAL", **asked)
        except ClientError as error:
            said: dict[str, Any] = {**error.response, "raised": type(error).__name__}
            said["Error"] = {**said["Error"], "Message": said["Error"]["Message"].replace(asked["TableName"], "")}
            del said["ResponseMetadata"]
            said.pop("message", None)
            return said
        answer["ConsumedCapacity"].pop("TableName", None)
        answer.pop("ResponseMetadata", None)
        return answer


@pytest.fixture(
    params=[
        *(pytest.param(name, marks=marks(name)) for name in ENGINES),
        pytest.param(OVER_TLS, marks=marks("dynalite")),
    ]
)
def asked_server(request: pytest.FixtureRequest) -> Server:
    return server_of(request)


def server_of(request: pytest.FixtureRequest) -> Server:
    """Return the server that the fixture's parameter names."""
    found: Server = request.getfixturevalue(f"{str(request.param).replace('-', '_')}_server")
    return found


KEYS: dict[str, list[Any]] = {
    "S": ["a", '"B"', "\U0010ffff", 'line\nend "quoted"', "é" * 300],
    "N": ["0", "-12.5", "1E+125", LONG_NUMBER],
    "B": [b"a", b"\x00\xff", b'{"B": 1}', bytes(range(256))],
}
VALUES: Item = {
    "number": {"N": LONG_NUMBER},
    "numbers": {"NS": ["1", LONG_NUMBER]},
    "binary": {"B": b"\x00\xff"},
    "binaries": {"BS": [b"\x01", b"\x02\xff"]},
    "text": {"S": 'B": "'},
    "nothing": {"NULL": True},
    "flag": {"BOOL": False},
    "deep": {"M": {"B": {"L": [{"B": b"\xfe"}, {"M": {"BS": {"BS": [b"\x03"]}}}, {"N": "0.1"}, {"S": "-"}]}}},
}


@pytest.mark.parametrize("type_", KEYS)
def test_all_calls_have_the_same_answers(asked_server: Server, type_: str) -> None:
    with closing(Twins(asked_server, type_)) as twins:
        call = twins.call
        keys: list[Item] = [
            {"k": {type_: key}, "s": {"N": str(place)}} for key, place in product(KEYS[type_], range(3))
        ]
        twins.make_trials(keys[0])
        for key in keys:
            call("put_item", Item={**key, **VALUES}, ConditionExpression="attribute_not_exists(k)")
        assert call("get_item", Key=keys[1], ConsistentRead=True)["Item"]["number"] == {"N": LONG_NUMBER}
        assert call("get_item", Key={**keys[1], "s": {"N": "99"}}).get("Item") is None
        refused = call(
            "put_item",
            Item=keys[0],
            ConditionExpression="attribute_not_exists(k)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
        assert refused["raised"] == "ConditionalCheckFailedException"

        page: dict[str, Any] = {}
        found: list[Any] = []
        while True:
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]} if "LastEvaluatedKey" in page else {}
            page = call("scan", Limit=4, **start)
            found += page["Items"]
            if "LastEvaluatedKey" not in page:
                break
        assert len(found) >= len(keys[::3])  # MiniStack orders numbers as texts
        assert all(item.items() >= VALUES.items() for item in found)
        query = {
            "KeyConditionExpression": "k = :k",
            "ExpressionAttributeValues": {":k": keys[0]["k"]},
            "ConsistentRead": True,
        }
        assert call("query", Limit=2, **query)["LastEvaluatedKey"] == keys[1]
        assert call("query", **query)["Count"] == 3

        change = {
            "UpdateExpression": "SET made = :m",
            "ExpressionAttributeValues": {":m": {"B": b"\xff"}, ":n": {"N": "1"}},
        }
        assert call("update_item", Key=keys[0], ConditionExpression="made = :n", **change)["raised"]
        change["ExpressionAttributeValues"].pop(":n")  # type: ignore[attr-defined]
        updated = call(
            "update_item", Key=keys[0], ReturnValues="ALL_NEW", ConditionExpression="attribute_exists(k)", **change
        )
        assert updated["Attributes"]["made"] == {"B": b"\xff"}
        deleted = {"ConditionExpression": "attribute_exists(k)", "ReturnValues": "ALL_OLD"}
        assert call("delete_item", Key=keys[0], **deleted)["Attributes"]["made"] == {"B": b"\xff"}
        assert call("delete_item", Key=keys[0], **deleted)["raised"] == "ConditionalCheckFailedException"
        assert twins.notices == []


@pytest.mark.refused_by_aws
@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("scan", {"Limit": 0}),
        ("scan", {"ProjectionExpression": "#k"}),
        ("get_item", {"Key": {"k": {"N": "1"}}}),
        ("put_item", {"Item": {"k": {"S": ""}, "s": {"N": "1"}}}),
        ("update_item", {"Key": {"k": {"S": "a"}, "s": {"N": "1"}}, "UpdateExpression": "SET"}),
        ("delete_item", {"Key": {}}),
    ],
)
def test_what_is_refused_is_refused_in_the_same_words(asked_server: Server, name: str, asked: dict[str, Any]) -> None:
    with closing(Twins(asked_server, "S")) as twins:
        twins.make_trials({"k": {"S": "k"}, "s": {"N": "1"}})
        twins.call(name, **asked)
        assert twins.notices == []


def test_an_answer_in_many_pieces_is_the_same(asked_server: Server) -> None:
    """Some 800 KB of JSON: many reads of the socket, and over TLS fifty records.

    DynamoDB Local does not say its length, and boto3 reads it.
    """
    with closing(Twins(asked_server, "S")) as twins:
        items: list[Item] = [
            {
                "k": {"S": "k"},
                "s": {"N": str(number)},
                "v": {"S": "é\x01" * 60_000},
                "b": {"B": bytes([number]) * 99_999},
            }
            for number in range(2)
        ]
        twins.make_trials({"k": {"S": "k"}, "s": {"N": "1"}})
        for item in items:
            twins.call("put_item", Item=item)
        assert twins.call("scan")["Items"] == items
        assert twins.call("get_item", Key={"k": {"S": "k"}, "s": {"N": "1"}})["Item"] == items[1]
        assert twins.notices == (["an answer is encoded, or has no length"] if asked_server.chunks else [])


VALUE = st.recursive(
    st.builds(lambda text: {"S": text}, st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
    | st.builds(lambda binary: {"B": binary}, st.binary(min_size=1, max_size=20))
    | st.builds(lambda number: {"N": str(number)}, st.integers(-(10**37), 10**37))
    | st.sampled_from([{"NULL": True}, {"BOOL": True}, {"BS": [b"\x00"]}, {"NS": ["1"]}, {"SS": ["B"]}]),
    lambda inner: (
        st.builds(lambda members: {"L": members}, st.lists(inner, max_size=3))
        | st.builds(lambda members: {"M": members}, st.dictionaries(st.sampled_from(["B", "BS", "x y"]), inner))
    ),
    max_leaves=6,
)


@pytest.mark.xdist_group("dynalite")
@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(value=VALUE)
def test_any_value_comes_back_as_by_boto3(twins: Twins, value: Any) -> None:
    item = {"k": {"S": "k"}, "s": {"N": "1"}, "v": value}
    twins.call("put_item", Item=item)
    assert twins.call("get_item", Key={"k": {"S": "k"}, "s": {"N": "1"}})["Item"]["v"] == value
    assert twins.call("scan")["Items"][0]["v"] == value
    assert twins.notices == []


@pytest.fixture(scope="module", params=["dynalite", OVER_TLS])
def twins(request: pytest.FixtureRequest) -> Iterator[Twins]:
    with closing(Twins(server_of(request), "S")) as made:
        made.make_trials({"k": {"S": "k"}, "s": {"N": "1"}})
        yield made
