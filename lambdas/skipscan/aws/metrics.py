"""Metrics as lines of a function's log, which CloudWatch reads them from (EMF): no call, and no permission for one."""

from collections.abc import Mapping
from dataclasses import dataclass

from aws_lambda_powertools.metrics import EphemeralMetrics

from skipscan.metrics.metric import BY_ENVIRONMENT, BY_TABLE, ENVIRONMENT, NAMESPACE, TABLE, Metric


@dataclass(frozen=True)
class Metrics:
    """What functions of that environment tell."""

    environment: str

    def emit(self, figures: Mapping[Metric, float], *, table: str = "", **properties: str) -> None:
        """Write figures down, one line for each set of dimensions that any of them has.

        `table`: its name, for metrics of a table. `properties`, such as the run, are in the lines and no dimensions.
        """
        values = {ENVIRONMENT: self.environment, TABLE: table}
        for dimensions in (BY_TABLE, BY_ENVIRONMENT):
            emitted = {metric: value for metric, value in figures.items() if dimensions in metric.dimensions}
            if emitted:
                _write(emitted, {name: values[name] for name in dimensions}, properties)


def _write(figures: Mapping[Metric, float], dimensions: Mapping[str, str], properties: Mapping[str, str]) -> None:
    line = EphemeralMetrics(namespace=NAMESPACE, service="")  # a service would be one more dimension
    for name, value in dimensions.items():
        line.add_dimension(name, value)
    for metric, figure in figures.items():
        line.add_metric(metric.title, metric.unit, figure)
    for name, value in properties.items():
        line.add_metadata(name, value)
    line.flush_metrics()
