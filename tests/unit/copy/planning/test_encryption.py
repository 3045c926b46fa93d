"""A table like the source: the customer's key is named, the account's default key must not be."""

from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.copy.planning import _default_key, new_table, target_of
from skipscan.dynamodb.table_description import TableDescription
from tests.fakes.faulty import faulty
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


def test_a_new_table_is_asked_for_recovery_once_it_is_active(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only an active table takes the request. So it can be restored from its first item on."""
    clock, enabled = Clock(), list[float]()
    monkeypatch.setattr("botocore.waiter.time", clock)
    table = {
        "TableName": "New",
        "TableArn": "arn:aws:dynamodb:us-east-1:123456789012:table/New",
        "TableId": "id-of-new",
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    }
    statuses = ["CREATING", "CREATING", "ACTIVE", "ACTIVE"]
    answers: list[Any] = [{"Table": {**table, "TableStatus": status}} for status in statuses]

    def enable(*_: object) -> dict[str, Any]:
        enabled.append(clock.monotonic())
        return {}

    steps = {"describe_table": ["ResourceNotFoundException", *answers], "create_table": [{}]}
    client = faulty(None, {**steps, "update_continuous_backups": [enable]})
    keys: Any = None
    target_of(client, keys, described(None), "New", create=True, dry_run=False)
    recovery = {"PointInTimeRecoveryEnabled": True}
    assert client.asked("update_continuous_backups") == [
        {"TableName": "New", "PointInTimeRecoverySpecification": recovery}
    ]
    assert (len(client.asked("create_table")), enabled) == (1, [4])


@pytest.mark.parametrize("code", ["AccessDeniedException", "ThrottlingException"])
def test_a_default_key_that_cannot_be_asked_for_is_not_taken_for_none(code: str) -> None:
    """The source's key might be that one, which CreateTable refuses."""

    def refuse(**_: Any) -> None:
        raise ClientError({"Error": {"Code": code, "Message": ""}}, "DescribeKey")

    keys: Any = SimpleNamespace(describe_key=refuse)
    with pytest.raises(ClientError):
        _default_key(keys)
