"""A service of which a role may call nothing."""

from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError


class Denied:
    """Any boto3 client whose every call AWS refuses; planning then continues without prices, slots and executions."""

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        def refused(*_: Any, **__: Any) -> Any:
            raise ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, operation)

        return refused
