"""Emits metrics as lines of a function's log (EMF): CloudWatch reads them there, without a call or a permission."""

from collections.abc import Mapping
from dataclasses import dataclass

from aws_lambda_powertools.metrics import EphemeralMetrics

from skipscan.metrics.metric import BY_ENVIRONMENT, BY_TABLE, ENVIRONMENT, NAMESPACE, TABLE, Metric


@dataclass(frozen=True)
class Metrics:
    """Emits the metrics of an environment's functions."""

    environment: str

    def emit(self, figures: Mapping[Metric, float], *, table: str = "", **properties: str) -> None:
        """Emit values, one line for each set of dimensions that any of them has.

        `table`: its name, for metrics of a table. `properties`, such as the run, are in the lines but are no
        dimensions.
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
