"""The blog's skip scan, as its sample does it: one item a request, one request at a time."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from skipscan.dynamodb.attribute_value import MAXIMUM

Scan = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def limit_1(scan: Scan) -> Iterator[Mapping[str, Any]]:
    """Yield every answer of a scan through a table with the keys pk and sk."""
    asked: dict[str, Any] = {"Limit": 1}
    while True:
        answer = scan(asked)
        yield answer
        if "LastEvaluatedKey" not in answer:
            return
        asked["ExclusiveStartKey"] = {"pk": answer["LastEvaluatedKey"]["pk"], "sk": MAXIMUM["S"]}
