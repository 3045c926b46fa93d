"""A table like the source: the customer's key is named, the account's default key must not be."""

import pytest

from skipscan.aws.plans.copy_target import new_table
from skipscan.dynamodb.table_description import TableDescription

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
