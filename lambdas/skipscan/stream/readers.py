"""How many readers a stream may have, and the refusal of one too many."""

from collections.abc import Mapping, Sequence

from skipscan.dynamodb.table_description import TableDescription

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
            "be the third, so leave it out or take one of these out first"
        ]
    if names and table.is_global:
        return [
            f"{said}, and it is a global table, whose streams AWS advises to read by one function: "
            "leave a trigger of your own out"
        ]
    return []
