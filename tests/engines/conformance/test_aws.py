"""The engine `aws` cannot run here: its guards, its names and its removal, on moto."""

import time
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from tests.engines.conformance import aws as module
from tests.engines.conformance.aws import PREFIX, TAG, VARIABLE, AwsEngine, Place, aws, place
from tests.engines.conformance.sample import items, table

HERE = Place("123456789012", "eu-central-1")
"""moto's own account."""

TABLE, ITEMS = table("S", "S"), items("S", "S")


@pytest.fixture(autouse=True)
def account() -> Iterator[None]:
    with mock_aws(), pytest.MonkeyPatch.context() as patched:
        patched.setattr(time, "sleep", lambda seconds: None)
        yield


def client() -> Any:
    return boto3.Session().client("dynamodb", HERE.region)


def tables() -> list[str]:
    names: list[str] = client().list_tables()["TableNames"]
    return names


@pytest.mark.parametrize(
    "said", ["", "1", HERE.account, HERE.region, f"{HERE.account}/", f"{HERE.account}/mars", "1/eu-west-1"]
)
def test_it_refuses_without_an_account_and_a_region(said: str) -> None:
    with pytest.raises(pytest.UsageError, match=f"{VARIABLE} is '{said}'; it needs an account and a region"):
        place({VARIABLE: said})
    assert place({}) is None
    assert place({VARIABLE: "123456789012/us-gov-west-1"}) == ("123456789012", "us-gov-west-1")


def test_it_refuses_another_account_before_it_says_or_makes_anything() -> None:
    said: list[str] = []
    with pytest.raises(pytest.UsageError, match="the credentials are for account 123456789012"):
        aws(Place("111111111111", HERE.region), said.append).__enter__()
    assert said == []


def test_every_table_has_the_prefix_and_the_tag_and_is_removed_at_the_end() -> None:
    client().create_table(**{**TABLE.request(), "TableName": "Orders"})
    with aws(HERE, lambda line: None) as engine:
        engine.load(TABLE, ITEMS)
        [name] = set(tables()) - {"Orders"}
        assert name == f"{PREFIX}{engine.launch}-{TABLE.name}"
        described = client().describe_table(TableName=name)["Table"]
        tags = client().list_tags_of_resource(ResourceArn=described["TableArn"])["Tags"]
        assert tags == [{"Key": TAG, "Value": engine.launch}]
        page = engine.scan(TableName=TABLE.name, ReturnConsumedCapacity="TOTAL")
        assert (page["Count"], page["ConsumedCapacity"]["TableName"]) == (len(ITEMS), TABLE.name)
        assert engine.describe(TABLE.name)["TableName"] == TABLE.name
    assert tables() == ["Orders"]


def test_what_was_made_is_removed_after_an_error() -> None:
    def load(engine: AwsEngine) -> None:
        engine.load(TABLE, ITEMS)
        engine.client.put_item(TableName=TABLE.name, Item={})

    with pytest.raises(ClientError), aws(HERE, lambda line: None) as engine:
        load(engine)
    assert tables() == []


def test_no_table_is_made_that_would_cost_more_than_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    with aws(HERE, lambda line: None) as engine:
        monkeypatch.setattr(module, "MOST_DOLLARS", 0.00001)
        with pytest.raises(AssertionError, match="would cost more than"):
            engine.load(TABLE, ITEMS)
        assert tables() == []
