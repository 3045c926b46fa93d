"""The dashboard of an environment: work done, cost, errors."""

from collections.abc import Iterable, Sequence

from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from skipscan.loop.metric import Metric

from .environment import Environment
from .metrics import OF_EACH_TABLE, PERIOD, of_each_table, of_environment, of_function, of_machine

WIDTH = 8
"""A third of a row."""

MOST_ALARMS = 100
"""Of a widget (CloudWatch API reference, "Dashboard body structure and syntax", "Alarm widget properties object":
https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html)."""


class Dashboard(Construct):
    """The dashboard; its name is the deployment's with its region.

    `machines`: names and ARNs. `functions`: names. `alarms`: shown first.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        environment: Environment,
        machines: Sequence[tuple[str, str]],
        functions: Sequence[str],
        dead_letters: sqs.IQueue | None,
        alarms: Sequence[cloudwatch.AlarmBase],
    ) -> None:
        super().__init__(scope, id)
        self._environment = environment.name
        writes = len(machines) > 1  # every machine but the one of runs is of a job that writes
        rows: list[list[cloudwatch.IWidget]] = [
            [
                self._widget("Runs", *self._runs()),
                self._graph("Keys per second", Metric.KEYS, per_second=True),
                self._widget("Keys of finished runs", *self._against(Metric.RUN_KEYS, Metric.ESTIMATED_KEYS)),
            ],
            [
                self._units(writes=writes),
                self._widget(
                    "Read units of finished runs", *self._against(Metric.RUN_READ_UNITS, Metric.ESTIMATED_READ_UNITS)
                ),
                self._graph("Read units, actual to estimated", Metric.ESTIMATE_RATIO, "Maximum"),
            ],
            [
                self._graph("Dollars", Metric.RUN_DOLLARS),
                self._graph("Duration of runs, seconds", Metric.RUN_SECONDS, "Maximum"),
                self._graph("Duration of batches, seconds", Metric.BATCH_SECONDS, "Maximum"),
            ],
            [
                self._graph("Pages read", Metric.REQUESTS),
                self._graph("Throttled requests", Metric.THROTTLED_REQUESTS),
                self._graph("Batches ended early by an error", Metric.BATCH_ERRORS),
            ],
            [
                self._widget("Executions that failed", *_of_machines(machines, dead_letters)),
                self._widget(
                    "Errors of functions", *(of_function(name, "Errors", "Sum", label=name) for name in functions)
                ),
                self._widget(
                    "Duration of functions, ms",
                    *(of_function(name, "Duration", "Maximum", label=name) for name in functions),
                ),
            ],
        ]
        if writes:
            rows.insert(-1, self._jobs())
        if environment.followers:
            lags = (
                (Metric.KEEPER_LAG, "markers"),
                (Metric.ATTRIBUTE_KEEPER_LAG, "attribute"),
                (Metric.REPLICATOR_LAG, "copy"),
            )
            rows.insert(-1, [self._widget("Lag behind streams, seconds", *self._each_by_word(lags, "Maximum"))])
        some = [alarms[first : first + MOST_ALARMS] for first in range(0, len(alarms), MOST_ALARMS)]
        shown = (cloudwatch.AlarmStatusWidget(title="Alarms", alarms=each, width=3 * WIDTH, height=2) for each in some)
        rows[:0] = [[widget] for widget in shown]
        cloudwatch.Dashboard(
            self,
            "Dashboard",
            # Dashboards are global, so their names are unique in the account (API reference, PutDashboard).
            dashboard_name=f"{environment.deployment}-{environment.region}",
            period_override=cloudwatch.PeriodOverride.INHERIT,  # rates are divided by the period
            widgets=rows,
        )

    def _jobs(self) -> list[cloudwatch.IWidget]:
        outcomes = (
            (Metric.JOBS_FINISHED, "finished"),
            (Metric.JOBS_STOPPED, "stopped by its budget"),
            (Metric.JOBS_INCOMPLETE, "incomplete"),
        )
        items = (
            (Metric.JOB_WRITTEN_ITEMS, "written"),
            (Metric.JOB_FAILED_ITEMS, "failed"),
            (Metric.JOB_ENDED_KEYS, "ended"),
        )
        amounts = ((Metric.JOB_WRITE_UNITS, "write units"), (Metric.JOB_SECONDS, "seconds"))
        return [
            self._widget("Jobs", *self._each_by_word(outcomes)),
            self._widget("Items of finished jobs", *self._each_by_word(items)),
            self._widget("Write units and seconds of finished jobs", *self._each_by_word(amounts)),
        ]

    def _units(self, *, writes: bool) -> cloudwatch.IWidget:
        """Return the graph of consumed read units, with write units where jobs write."""
        if not writes:
            return self._graph("Read units", Metric.READ_UNITS)
        units = ((Metric.READ_UNITS, "read units"), (Metric.WRITE_UNITS, "write units"))
        return self._widget("Read and write units", *self._each_by_word(units))

    def _each_by_word(
        self, metrics: Iterable[tuple[Metric, str]], statistic: str = "Sum"
    ) -> Iterable[cloudwatch.IMetric]:
        for metric, word in metrics:
            yield of_each_table(metric, self._environment, statistic, label=f"{OF_EACH_TABLE} {word}")

    def _runs(self) -> Iterable[cloudwatch.IMetric]:
        outcomes = (
            (Metric.RUNS_FINISHED, "finished"),
            (Metric.RUNS_STOPPED, "stopped by its budget"),
            (Metric.RUNS_INCOMPLETE, "incomplete"),
            (Metric.RUNS_SKIPPED, "skipped"),
        )
        yield from self._each_by_word(outcomes)
        yield of_environment(Metric.PLANS_REFUSED, self._environment, "Sum").with_(label="refused")
        yield of_environment(Metric.LEAN_CLIENT_UNUSED, self._environment, "Sum").with_(label="workers on boto3 alone")

    def _against(self, actual: Metric, estimated: Metric) -> Iterable[cloudwatch.IMetric]:
        yield of_each_table(actual, self._environment, "Maximum")
        yield of_each_table(estimated, self._environment, "Maximum", label=f"{OF_EACH_TABLE} estimated")

    def _graph(
        self, title: str, metric: Metric, statistic: str = "Sum", *, per_second: bool = False
    ) -> cloudwatch.IWidget:
        """Return the graph of one metric, with a line for each table."""
        return self._widget(title, of_each_table(metric, self._environment, statistic, per_second=per_second))

    def _widget(self, title: str, *metrics: cloudwatch.IMetric) -> cloudwatch.IWidget:
        return cloudwatch.GraphWidget(
            title=title, left=list(metrics), width=WIDTH, left_y_axis=cloudwatch.YAxisProps(min=0, show_units=False)
        )


def _of_machines(machines: Iterable[tuple[str, str]], dead_letters: sqs.IQueue | None) -> Iterable[cloudwatch.IMetric]:
    for name, arn in machines:
        yield of_machine(arn, "ExecutionsFailed", label=name)
    if dead_letters:
        yield dead_letters.metric_approximate_number_of_messages_visible(
            label="schedules that could not start", statistic="Maximum", period=PERIOD
        )
