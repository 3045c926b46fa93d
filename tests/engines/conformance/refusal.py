"""Whether an engine refuses a request that can never succeed."""

from typing import Any

from botocore.exceptions import ClientError

from tests.engines.conformance.engine import Engine


def refused(engine: Engine, code: str = "ValidationException", **parameters: Any) -> bool:
    """True when the Scan fails with the code; an error with another code is raised."""
    try:
        engine.scan(**parameters)
    except ClientError as error:
        if error.response["Error"]["Code"] == code:
            return True
        raise
    return False
