"""The target of a copy: an existing table, or one created like the source, with a tag for retries to find it."""

from contextlib import suppress
from typing import Any, Protocol

from botocore.exceptions import ClientError

from skipscan.aws import table
from skipscan.aws.services import DynamoDBClient
from skipscan.dynamodb.table_description import SourceKind, TableDescription, key_schema
from skipscan.errors import TableError, leave_out

COPY_OF = "skipscan:copy-of"
"""The tag of a table that a copy created. Its value is the source's TableId, because names recur."""

DEFAULT_KEY = "alias/aws/dynamodb"


class Keys(Protocol):
    """The part of KMS's client that is used here."""

    def describe_key(self, *, KeyId: str) -> Any: ...  # noqa: N803 (theirs)


def target_of(
    client: DynamoDBClient, keys: Keys, description: TableDescription, name: str, *, create: bool, dry_run: bool
) -> TableDescription:
    """Return the target's description. If it is to be created, create it; for a dry run describe the future table.

    For some minutes after a table was created, raises DynamoDB's ContinuousBackupsUnavailableException: a retry of the
    plan then finds the created table. Raises `TableError` for a target that does not exist, and for one that would
    lack the source's vector indexes.
    """
    try:
        found = table.describe(client, name)
    except TableError:
        if not create:
            raise
    else:
        is_own = create and not dry_run and not table.has_recovery(client, name) and _is_own(client, found, description)
        return _protected(client, name) if is_own else found
    if description.vector_indexes:
        raise TableError(
            "create",
            True,
            f'table "{description.name}" has vector indexes '
            f"({', '.join(description.vector_indexes)}), which a copy does not create",
            (
                f'create table "{name}" yourself, with the vector indexes that it needs, switch point-in-time '
                "recovery on, and ",
                leave_out("create"),
            ),
        )
    if dry_run:
        parameters = new_table(description, name, default_key=None)
        billing = {"BillingModeSummary": {"BillingMode": parameters["BillingMode"]}}
        return TableDescription.from_json({**parameters, **billing, "TableStatus": "ACTIVE"})
    parameters = new_table(description, name, default_key=_default_key(keys) if description.kms_key else None)
    with suppress(client.exceptions.ResourceInUseException):  # another attempt created it a moment ago
        client.create_table(**parameters, Tags=[{"Key": COPY_OF, "Value": _identity(description)}])
    return _protected(client, name)


def _protected(client: DynamoDBClient, name: str) -> TableDescription:
    """Wait for a table, enable its point-in-time recovery, and return its description."""
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 2, "MaxAttempts": 60})
    client.update_continuous_backups(
        TableName=name, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
    )
    return table.describe(client, name)


def _is_own(client: DynamoDBClient, found: TableDescription, source: TableDescription) -> bool:
    """Return whether a copy of this same source created the table."""
    own = {"Key": COPY_OF, "Value": _identity(source)}
    pages = client.get_paginator("list_tags_of_resource").paginate(ResourceArn=found.arn)
    return any(own in page["Tags"] for page in pages)


def _identity(source: TableDescription) -> str:
    """Return the source's TableId. For engines without one it is made from the ARN."""
    return source.table_id or source.arn[-256:]


def _default_key(keys: Keys) -> str | None:
    """Return the ARN of the account's AWS managed key for DynamoDB, which CreateTable does not accept."""
    try:
        return str(keys.describe_key(KeyId=DEFAULT_KEY)["KeyMetadata"]["Arn"])
    except ClientError as error:
        if error.response["Error"]["Code"] == "NotFoundException":
            return None
        raise


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
    for kind, field in (
        (SourceKind.LOCAL_INDEX, "LocalSecondaryIndexes"),
        (SourceKind.GLOBAL_INDEX, "GlobalSecondaryIndexes"),
    ):
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
