"""Metrics as lines of a function's log, which CloudWatch reads them from (EMF): no call, and no permission for one."""

from collections.abc import Mapping
from dataclasses import dataclass

from aws_lambda_powertools.metrics import EphemeralMetrics

from skipscan.metric import ENVIRONMENT, NAMESPACE, TABLE, Metric


@dataclass(frozen=True)
class Metrics:
    """What functions of that environment tell."""

    environment: str

    def tell(self, figures: Mapping[Metric, float], *, table: str | None, **properties: str) -> None:
        """Write figures down, if there are any, as one line.

        `table`: its name, for metrics of a table. `properties`, such as the run, are in the line and no dimensions.
        """
        if not figures:
            return
        line = EphemeralMetrics(namespace=NAMESPACE, service="")  # a service would be one more dimension
        line.add_dimension(ENVIRONMENT, self.environment)
        if table is not None:
            line.add_dimension(TABLE, table)
        for metric, value in figures.items():
            line.add_metric(metric.title, metric.unit, value)
        for name, text in properties.items():
            line.add_metadata(name, text)
        line.flush_metrics()
