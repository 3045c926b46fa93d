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
            "be the third reader: do not add it, or remove one of these functions first"
        ]
    if names and table.is_global:
        return [
            f"{said}, and it is a global table; AWS recommends one function for each stream of a global table: do "
            "not add a trigger of your own"
        ]
    return []
