"""A table like the source: the customer's key is named, the account's default key must not be."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.copy.planning import _default_key, new_table, target_of
from skipscan.dynamodb.table_description import TableDescription
from tests.fakes.pages import paged
from tests.simulation.inputs.clock import Clock

KEY = "arn:aws:kms:us-east-1:123456789012:key/0a1b2c3d-0000-4000-8000-000000000000"


def described(key: str | None) -> TableDescription:
    encryption = {"SSEDescription": {"Status": "ENABLED", "SSEType": "KMS", "KMSMasterKeyArn": key}} if key else {}
    return TableDescription.from_json(
        {
            "TableName": "Old",
            "TableArn": "arn:aws:dynamodb:us-east-1:123456789012:table/Old",
            "TableStatus": "ACTIVE",
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
            **encryption,
        }
    )


@pytest.mark.parametrize(
    ("key", "default", "encryption"),
    [
        (None, None, None),
        (KEY, None, {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": KEY}),
        (KEY, KEY.replace("0a", "ff"), {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": KEY}),
        (KEY, KEY, {"Enabled": True, "SSEType": "KMS"}),
    ],
)
def test_the_key_is_the_sources(key: str | None, default: str | None, encryption: dict[str, object] | None) -> None:
    # https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_SSESpecification.html
    assert new_table(described(key), "New", default_key=default).get("SSESpecification") == encryption


class Creating:
    """DynamoDB without the target until it is created."""

    class exceptions:  # noqa: N801 (boto3's)
        class ResourceInUseException(Exception): ...  # noqa: N818

    meta = SimpleNamespace(region_name="us-east-1", endpoint_url="http://localhost")

    def __init__(self) -> None:
        self.calls: list[tuple[str, Any]] = []

    def describe_table(self, *, TableName: str) -> Any:  # noqa: N803 (boto3's)
        if not any(name == "create_table" for name, _ in self.calls):
            raise ClientError({"Error": {"Code": "ResourceNotFoundException", "Message": "no"}}, "DescribeTable")
        return {
            "Table": {
                "TableName": TableName,
                "TableArn": f"arn:aws:dynamodb:us-east-1:123456789012:table/{TableName}",
                "TableStatus": "ACTIVE",
                "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
                "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
            }
        }

    def create_table(self, **asked: Any) -> None:
        self.calls.append(("create_table", asked["TableName"]))

    def get_waiter(self, name: str) -> Any:
        return SimpleNamespace(wait=lambda TableName, **_: self.calls.append((name, TableName)))  # noqa: N803

    def update_continuous_backups(self, **asked: Any) -> None:
        self.calls.append(("update_continuous_backups", asked))


def test_a_new_table_can_be_restored_from_its_first_item_on() -> None:
    client: Any = Creating()
    keys: Any = None
    target_of(client, keys, described(None), "New", create=True, dry_run=False)
    recovery = {"PointInTimeRecoveryEnabled": True}
    asked = {"TableName": "New", "PointInTimeRecoverySpecification": recovery}
    # Only an active table takes the request.
    assert client.calls == [("create_table", "New"), ("table_exists", "New"), ("update_continuous_backups", asked)]


def test_a_new_table_is_asked_for_recovery_once_it_is_active(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, enabled = Clock(), []
    monkeypatch.setattr("botocore.waiter.time", clock)
    found = Creating()
    states = iter(["CREATING", "CREATING", "ACTIVE", "ACTIVE"])

    def describe(asked: Mapping[str, Any]) -> Any:
        described = found.describe_table(TableName=asked["TableName"])
        described["Table"] |= {"TableStatus": next(states), "TableId": "id-of-new"}
        return described

    def create(asked: Mapping[str, Any]) -> Any:
        found.create_table(**asked)
        return {}

    def enable(asked: Mapping[str, Any]) -> Any:
        enabled.append((asked["TableName"], clock.monotonic()))
        return {"ContinuousBackupsDescription": {}}

    client = paged("dynamodb", describe_table=describe, create_table=create, update_continuous_backups=enable)
    keys: Any = None
    target_of(client, keys, described(None), "New", create=True, dry_run=False)
    assert enabled == [("New", 4)]


@pytest.mark.parametrize("code", ["AccessDeniedException", "ThrottlingException"])
def test_a_default_key_that_cannot_be_asked_for_is_not_taken_for_none(code: str) -> None:
    """The source's key might be that one, which CreateTable refuses."""

    def refuse(**_: Any) -> None:
        raise ClientError({"Error": {"Code": code, "Message": ""}}, "DescribeKey")

    keys: Any = SimpleNamespace(describe_key=refuse)
    with pytest.raises(ClientError):
        _default_key(keys)
