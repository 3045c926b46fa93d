"""A table to copy to, made like the one that is copied: the same keys and indexes, on demand."""

from collections.abc import Mapping
from typing import Any


def new_table(description: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return CreateTable's parameters for a table like the one that DescribeTable describes so (`Table` document).

    Local indexes can be made with their table alone. What is set on a table beside its keys and indexes (streams, time
    to live, tags, policies) is its owner's to choose again.
    """
    made: dict[str, Any] = {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": description["AttributeDefinitions"],
        "KeySchema": description["KeySchema"],
    }
    for field in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
        if description.get(field):
            made[field] = [
                {part: entry[part] for part in ("IndexName", "KeySchema", "Projection")} for entry in description[field]
            ]
    key = description.get("SSEDescription", {})
    if key.get("SSEType") == "KMS" and "KMSMasterKeyArn" in key:
        made["SSESpecification"] = {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": key["KMSMasterKeyArn"]}
    return made
