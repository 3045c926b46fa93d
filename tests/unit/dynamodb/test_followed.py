"""A table is followed by its current stream alone."""

from typing import Any

import pytest

from skipscan.dynamodb.delivery import check_followed
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import TableError
from tests.refusal import refused

STREAM = "arn:aws:dynamodb:us-east-1:111111111111:table/Orders/stream/2026-01-01T00:00:00.000"


def table(stream: str | None, status: str = "ACTIVE") -> TableDescription:
    document: dict[str, Any] = {
        "TableName": "Orders",
        "TableStatus": status,
        "KeySchema": [],
        "AttributeDefinitions": [],
    }
    if stream:
        document |= {"LatestStreamArn": stream, "StreamSpecification": {"StreamEnabled": True}}
    return TableDescription.from_json(document)


def test_the_table_of_the_stream_is_accepted() -> None:
    check_followed(table(STREAM), STREAM)
    check_followed(table(STREAM, "UPDATING"), STREAM)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (table(None), "has no stream"),
        (table(f"{STREAM}1"), f"has a new stream; the environment follows {STREAM}$"),
        (table(STREAM, "DELETING"), "is being deleted"),
    ],
)
def test_any_other_is_refused_with_what_is_wrong(found: TableDescription, said: str) -> None:
    with refused(TableError, 'table "Orders"', rule=f"^{said}"):
        check_followed(found, STREAM)
