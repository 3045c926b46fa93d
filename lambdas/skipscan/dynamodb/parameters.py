"""Parameters that several requests to DynamoDB share."""

from collections.abc import Iterable
from typing import Any

from skipscan.dynamodb.source import Item


def projection(attributes: Iterable[str], letter: str = "k") -> dict[str, Any]:
    """Return the parameters of a request that returns these attributes only. `letter`: of the placeholders.

    Placeholders, because an attribute may have a reserved word, a dot or a dash in its name.
    """
    names = {f"#{letter}{number}": name for number, name in enumerate(attributes)}
    return {"ProjectionExpression": ",".join(names), "ExpressionAttributeNames": names}


def after(start_key: Item | None) -> dict[str, Any]:
    """Return the parameter of a page that begins after a key; none for the first page."""
    return {} if start_key is None else {"ExclusiveStartKey": start_key}
