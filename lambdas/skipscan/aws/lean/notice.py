"""How a deployed function says that boto3 makes its hot calls."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from skipscan.metrics.metric import Metric

if TYPE_CHECKING:
    from aws_lambda_powertools import Logger


def notice(environment: str, logger: "Logger") -> Callable[[str], None]:
    """Return what writes the reason to the log, and counts it in the environment's metrics."""

    def write(reason: str) -> None:
        # Imported when it is needed, which is hardly ever, and not at every cold start.
        from skipscan.aws.metrics import Metrics  # noqa: PLC0415

        logger.warning("boto3 makes the hot calls", reason=reason)
        Metrics(environment).tell({Metric.LEAN_CLIENT_UNUSED: 1})

    return write
