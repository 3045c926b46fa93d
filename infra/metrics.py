"""The metrics that the functions emit, as dashboards and alarms query them."""

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch

from skipscan.loop.metric import ENVIRONMENT, NAMESPACE, TABLE, Metric

PERIOD = Duration.minutes(5)
OF_EACH_TABLE = "${PROP('Dim.table')}"
"""The label of each table's line, in CloudWatch's syntax."""


def of_environment(
    metric: Metric, environment: str, statistic: str, period: Duration = PERIOD, *, table: str | None = None
) -> cloudwatch.Metric:
    """Return a metric of all tables together, or of one. `table`: its name."""
    return cloudwatch.Metric(
        namespace=NAMESPACE,
        metric_name=metric.title,
        dimensions_map={ENVIRONMENT: environment, **({TABLE: table} if table else {})},
        statistic=statistic,
        period=period,
    )


def of_each_table(
    metric: Metric, environment: str, statistic: str, *, label: str = OF_EACH_TABLE, per_second: bool = False
) -> cloudwatch.MathExpression:
    """Return one line for each table with data. New tables appear without a deployment."""
    schema = f"{{{NAMESPACE},{ENVIRONMENT},{TABLE}}}"
    query = f'{schema} MetricName="{metric.title}" {ENVIRONMENT}="{environment}"'
    seconds = PERIOD.to_seconds()
    search = f"SEARCH('{query}', '{statistic}', {seconds:.0f})"
    return cloudwatch.MathExpression(
        expression=f"{search} / {seconds:.0f}" if per_second else search,
        using_metrics={},
        label=label,
        period=PERIOD,
    )


def of_machine(arn: str, metric: str, *, label: str | None = None) -> cloudwatch.Metric:
    """Return a count that Step Functions emits for a state machine."""
    return cloudwatch.Metric(
        namespace="AWS/States",
        metric_name=metric,
        dimensions_map={"StateMachineArn": arn},
        label=label,
        statistic="Sum",
        period=PERIOD,
    )


def of_function(name: str, metric: str, statistic: str, *, label: str | None = None) -> cloudwatch.Metric:
    """Return a metric that Lambda emits for a function."""
    return cloudwatch.Metric(
        namespace="AWS/Lambda",
        metric_name=metric,
        dimensions_map={"FunctionName": name},
        label=label,
        statistic=statistic,
        period=PERIOD,
    )
