"""A table to copy to: the same keys and indexes as the copied table, on demand."""

from typing import Any

from skipscan.dynamodb.table_description import Kind, TableDescription, key_schema


def new_table(description: TableDescription, name: str, *, default_key: str | None) -> dict[str, Any]:
    """Return CreateTable's parameters for a table like the described one.

    Local indexes can only be created with their table. Other settings (streams, time to live, tags, policies) are for
    the owner to choose again. `default_key`: the ARN of the account's AWS managed key for DynamoDB, which CreateTable
    does not accept (API reference, SSESpecification).
    """
    made: dict[str, Any] = {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind} for name, kind in description.attribute_types.items()
        ],
        "KeySchema": key_schema(description.partition_key, description.sort_key),
    }
    for kind, field in ((Kind.LOCAL_INDEX, "LocalSecondaryIndexes"), (Kind.GLOBAL_INDEX, "GlobalSecondaryIndexes")):
        if indexes := [index for index in description.indexes if index.kind is kind]:
            made[field] = [
                {
                    "IndexName": index.name,
                    "KeySchema": key_schema(index.partition_key, index.sort_key),
                    "Projection": index.projection_request,
                }
                for index in indexes
            ]
    if description.kms_key is not None:
        own = {} if description.kms_key == default_key else {"KMSMasterKeyId": description.kms_key}
        made["SSESpecification"] = {"Enabled": True, "SSEType": "KMS", **own}
    return made
