"""The alarms of an environment: each is about something that a person has to look at. docs/operate.md says how."""

from collections.abc import Iterable

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from skipscan.inputs.names import table_name
from skipscan.metrics.metric import Metric

from .environment import Environment, Schedule
from .metrics import PERIOD, of_environment, of_machine, of_table

OVER_ESTIMATE = 1.5
"""How many times its plan's read units a run may take: the estimate's error is a few percent."""

THROTTLED_PERIODS = 3
"""A table on demand refuses some requests for as long as it takes to grow; a quarter of an hour is more than that."""


class Alarms(Construct):
    """`machines`: of runs and jobs, with name and ARN. `dead_letters`: of the schedules, if there are any."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        environment: Environment,
        machines: Iterable[tuple[str, str]],
        dead_letters: sqs.IQueue | None,
    ) -> None:
        super().__init__(scope, id)
        self._environment = environment
        self._action = self._send_to(environment.monitoring.topic)
        self.alarms = [self._failed(name, arn) for name, arn in machines]
        self.alarms += [self._throttled(), self._over_estimate()]
        self.alarms += [self._late(each) for each in environment.schedules if each.enabled and each.late_after_hours]
        if dead_letters:
            self.alarms.append(self._not_started(dead_letters))

    def _failed(self, name: str, arn: str) -> cloudwatch.Alarm:
        return self._alarm(
            f"{name}-failed",
            f"An execution of {name} failed: its error and cause say why",
            of_machine(arn, "ExecutionsFailed"),
            threshold=1,
        )

    def _throttled(self) -> cloudwatch.Alarm:
        return self._alarm(
            f"{self._environment.deployment}-throttled",
            "DynamoDB has refused requests of runs for a quarter of an hour",
            of_environment(Metric.THROTTLED_REQUESTS, self._environment.name, "Sum"),
            threshold=1,
            periods=THROTTLED_PERIODS,
        )

    def _over_estimate(self) -> cloudwatch.Alarm:
        return self._alarm(
            f"{self._environment.deployment}-over-estimate",
            f"A run took more than {OVER_ESTIMATE:g} times the read units that its plan expected",
            of_environment(Metric.ESTIMATE_RATIO, self._environment.name, "Maximum"),
            threshold=OVER_ESTIMATE,
            comparison=cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
        )

    def _late(self, schedule: Schedule) -> cloudwatch.Alarm:
        table = table_name(str(schedule.input["table"]))
        return self._alarm(
            f"{self._environment.deployment}-late-{schedule.name}",
            f"Table {table} has had no finished run for {schedule.late_after_hours} hours",
            of_table(Metric.RUNS_FINISHED, self._environment.name, table, "Sum", Duration.hours(1)),
            threshold=1,
            comparison=cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
            periods=schedule.late_after_hours or 1,
            missing=cloudwatch.TreatMissingData.BREACHING,  # a run that never came tells nothing
        )

    def _not_started(self, dead_letters: sqs.IQueue) -> cloudwatch.Alarm:
        return self._alarm(
            f"{self._environment.deployment}-not-started",
            "A schedule could not start its run, whatever was tried: the message in the dead-letter queue says why",
            dead_letters.metric_approximate_number_of_messages_visible(period=PERIOD, statistic="Maximum"),
            threshold=1,
        )

    def _alarm(
        self,
        name: str,
        description: str,
        metric: cloudwatch.IMetric,
        *,
        threshold: float,
        comparison: cloudwatch.ComparisonOperator = cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        periods: int = 1,
        missing: cloudwatch.TreatMissingData = cloudwatch.TreatMissingData.NOT_BREACHING,
    ) -> cloudwatch.Alarm:
        alarm = cloudwatch.Alarm(
            self,
            name.removeprefix(f"{self._environment.deployment}-"),
            alarm_name=name,
            alarm_description=description,
            metric=metric,
            threshold=threshold,
            comparison_operator=comparison,
            evaluation_periods=periods,
            treat_missing_data=missing,
        )
        if self._action:
            alarm.add_alarm_action(self._action)
            alarm.add_ok_action(self._action)
        return alarm

    def _send_to(self, topic: str | None) -> actions.SnsAction | None:
        return actions.SnsAction(sns.Topic.from_topic_arn(self, "Topic", topic)) if topic else None
