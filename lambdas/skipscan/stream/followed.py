"""Whether a table still is the one whose stream is followed."""

from collections.abc import Mapping, Sequence

from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import OMITTED, TableError


def check_followed(table: TableDescription, stream: str) -> None:
    """Raise `TableError` unless the stream is the table's current one and the table is not being deleted.

    A table that was deleted and created again has the same name and another stream. Nobody deleted the items that it
    lacks.
    """
    if table.stream is None:
        raise TableError(
            f'table "{table.name}"',
            OMITTED,
            "has no stream, without which its changes cannot be followed",
            "switch it on (KEYS_ONLY is enough), write its ARN into cdk.json, and deploy",
        )
    if table.stream != stream:
        raise TableError(
            f'table "{table.name}"',
            OMITTED,
            f"has a new stream; the environment follows {stream}",
            "write the table's LatestStreamArn into cdk.json and deploy; if the table was created again, "
            "first remove its followers from cdk.json and deploy, which drops the changes of the old table",
        )
    if table.status == "DELETING":
        raise TableError(f'table "{table.name}"', OMITTED, "is being deleted", "nothing follows it any more")


MOST_READERS = 2
"""Readers of one shard at once; more are throttled (developer guide, "Reading and processing a stream")."""


def reader_warnings(table: TableDescription, followers: Mapping[str, Sequence[str]]) -> list[str]:
    """Return warnings about the stream of a table.

    `followers`: by table name, the environment's functions that read its stream.
    """
    names = followers.get(table.name, ())
    said = (
        f'the stream of table "{table.name}" is read by {len(names)} functions of this environment ({", ".join(names)})'
    )
    if len(names) >= MOST_READERS:
        return [
            f"{said}; DynamoDB allows {MOST_READERS} readers a shard and throttles more: a trigger of your own would "
            "be the third reader: do not add it, or remove one of these functions first"
        ]
    if names and table.is_global:
        return [
            f"{said}, and it is a global table; AWS recommends one function for each stream of a global table: do "
            "not add a trigger of your own"
        ]
    return []
