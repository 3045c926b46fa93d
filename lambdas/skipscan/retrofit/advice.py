"""When no retrofit is needed: since November 2025 a global index may have several attributes as its keys.

DynamoDB fills such an index from the attributes as they are. A query by all parts of the partition key then needs no
concatenated attribute (developer guide, "Multi-attribute keys": up to four for the partition key and four for the sort
key).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import SourceKind, TableDescription
from skipscan.items.assignments import Assignment, Assignments
from skipscan.items.concatenation import SCALARS

MOST_KEY_ATTRIBUTES = 4


def advice(assignments: Assignments, items: Sequence[Item], description: TableDescription) -> list[dict[str, Any]]:
    """Return the indexes that would serve without a retrofit, one for each target that such an index can replace.

    `items`: a sample, for the types of the source attributes.
    """
    found = []
    for assignment in assignments.assignments:
        index = _index(assignment, items, description)
        if index is not None:
            found.append(
                {
                    "needless": assignment.name,
                    "because": (
                        f"a global index with {', '.join(assignment.value.sources)} as its partition key answers the "
                        f"same queries, and DynamoDB maintains it: you need no attribute {assignment.name}, no "
                        "retrofit and no keeper"
                    ),
                    "index": index,
                    "see": "developer guide, Global secondary indexes, Multi-attribute keys (since November 2025)",
                }
            )
    return found


def _index(assignment: Assignment, items: Sequence[Item], description: TableDescription) -> dict[str, Any] | None:
    sources = assignment.value.sources
    template = assignment.value.template
    if not 1 <= len(sources) <= MOST_KEY_ATTRIBUTES or len(sources) != len(template.placeholders):
        return None
    types = dict(description.attribute_types)
    for name in sources:
        kinds = {next(iter(item[name])) for item in items if name in item} or {types.get(name, "")}
        if len(kinds) != 1 or not kinds <= set(SCALARS):
            return None  # the index would omit an item with another type, or the item could not be written any more
        types[name] = kinds.pop()
    name, sort, projection = _existing_index(assignment, description)
    return {
        "AttributeDefinitions": [{"AttributeName": n, "AttributeType": types[n]} for n in (*sources, *sort)],
        "GlobalSecondaryIndexUpdates": [
            {
                "Create": {
                    "IndexName": name,
                    "KeySchema": [
                        *({"AttributeName": n, "KeyType": "HASH"} for n in sources),
                        *({"AttributeName": n, "KeyType": "RANGE"} for n in sort if n not in sources),
                    ],
                    "Projection": projection,
                }
            }
        ],
    }


def _existing_index(
    assignment: Assignment, description: TableDescription
) -> tuple[str, tuple[str, ...], Mapping[str, Any]]:
    """Return a name, the sort keys and the projection of the index that has the target as its partition key."""
    for index in description.indexes:
        if index.kind is SourceKind.GLOBAL_INDEX and [attribute.name for attribute in index.partition_key] == [
            assignment.name
        ]:
            sort = tuple(attribute.name for attribute in index.sort_key)
            return f"{index.name}-keys", sort, index.projection_request
    return "by-" + "-".join(assignment.value.sources), (), {"ProjectionType": "ALL"}
