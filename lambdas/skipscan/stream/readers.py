"""How many may read one stream, and what to say where no reader may be added."""

from collections.abc import Mapping, Sequence
from typing import Any

MOST_READERS = 2
"""Readers of one shard at once; more are throttled (developer guide, "Reading and processing a stream")."""


def reader_warnings(description: Mapping[str, Any], followers: Mapping[str, Sequence[str]]) -> list[str]:
    """Return warnings about the stream of the table that DescribeTable describes so.

    `followers`: by the name of a table, the functions of the environment that read its stream.
    """
    table = description["TableName"]
    names = followers.get(table, ())
    said = f'the stream of table "{table}" is read by {len(names)} functions of this environment ({", ".join(names)})'
    if len(names) >= MOST_READERS:
        return [
            f"{said}; DynamoDB allows {MOST_READERS} readers a shard and throttles more: a trigger of your own would "
            "be the third, so leave it out or take one of these out first"
        ]
    if names and description.get("Replicas"):
        return [
            f"{said}, and it is a global table, whose streams AWS advises to read by one function: "
            "leave a trigger of your own out"
        ]
    return []
