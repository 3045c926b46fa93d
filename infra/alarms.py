"""The alarms of an environment, and its monitoring. Each alarm needs a person to act; the page "Operate" says how."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from aws_cdk import Annotations, Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from skipscan.loop.metric import Metric

from .dashboard import Dashboard
from .environment import Environment, Schedule
from .follower import Follower
from .metrics import PERIOD, of_environment, of_function, of_machine
from .names import free

A = TypeVar("A", bound=cloudwatch.AlarmBase)

OVER_ESTIMATE = 1.5
"""A run above this multiple of its planned read units raises the alarm: the estimate's error is a few percent."""

THROTTLED_PERIODS, OF_PERIODS = 3, 12
"""A table on demand refuses some requests while it grows; a quarter of an hour is longer than that. A batch emits its
metrics when it ends and may take 780 s, so the periods need not be adjacent, but must lie within one hour."""

BEHIND_HOURS, BEHIND_PERIODS = 1, 3
"""A follower that makes no progress loses changes after 24 hours, for which DynamoDB keeps a stream's records, and late
looks after 4 days. A new follower begins with the last 24 hours, so a few old records are no reason for an alarm."""

SKIPPED_RUNS, WEEK_HOURS = 2, 168
"""An alarm looks back a week at most (CloudWatch user guide, "Evaluating an alarm")."""


class ScheduleAlarms(Construct):
    """The alarms of an environment's schedules. `dead_letters`: the queue of the schedules, if there are any."""

    def __init__(self, scope: Construct, id: str, *, environment: Environment, dead_letters: sqs.IQueue | None) -> None:
        super().__init__(scope, id)
        self._environment = environment
        topic = environment.alarm_topic
        self._action = actions.SnsAction(sns.Topic.from_topic_arn(self, "Topic", topic)) if topic else None
        enabled = [each for each in environment.schedules if each.enabled]
        self.alarms: list[cloudwatch.AlarmBase] = [self._late(each) for each in enabled if each.late_after_hours]
        self.alarms += [self._skipped(each) for each in enabled if each.overlap == "skip"]
        if dead_letters:
            why = (
                "A schedule could not start its run, after all retries: the message in the dead-letter queue shows why"
            )
            self.alarms.append(self._not_empty("not-started", why, dead_letters))

    def _late(self, schedule: Schedule) -> cloudwatch.AlarmBase:
        """Return a composite alarm: the table has had no finished run for this long, and it has had one before.

        The second alarm keeps its state while it has no data, so once it is in ALARM it stays there. Until then the
        first one would fire for lack of data, from the first deployment on.
        """
        table = self._environment.table_name(str(schedule.input["table"]))
        name = f"{self._environment.deployment}-late-{schedule.name}"
        hour = Duration.hours(1)
        finished = of_environment(Metric.RUNS_FINISHED, self._environment.name, "Sum", hour, table=table)
        none = self._alarm(
            f"{name}-none",
            f"Part of {name}: table {table} has had no finished run for {schedule.late_after_hours} hours",
            finished,
            threshold=1,
            comparison=cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
            periods=schedule.late_after_hours or 1,
            missing=cloudwatch.TreatMissingData.BREACHING,  # a run that never started emits nothing
            sends=False,
        )
        before = self._alarm(
            f"{name}-before",
            f"Part of {name}: table {table} has had a finished run since this alarm was created",
            finished,
            threshold=1,
            missing=cloudwatch.TreatMissingData.IGNORE,
            sends=False,
        )
        return self._send(
            cloudwatch.CompositeAlarm(
                self,
                free(self, f"late-{schedule.name}"),
                composite_alarm_name=name,
                alarm_description=f"Table {table} has had no finished run for {schedule.late_after_hours} hours",
                alarm_rule=cloudwatch.AlarmRule.all_of(
                    *(cloudwatch.AlarmRule.from_alarm(each, cloudwatch.AlarmState.ALARM) for each in (none, before))
                ),
            )
        )

    def _skipped(self, schedule: Schedule) -> cloudwatch.Alarm:
        table = self._environment.table_name(str(schedule.input["table"]))
        return self._alarm(
            f"{self._environment.deployment}-skipped-{schedule.name}",
            f"Two runs of table {table} within a week were skipped because an earlier one had not finished",
            of_environment(Metric.RUNS_SKIPPED, self._environment.name, "Sum", Duration.hours(1), table=table),
            threshold=1,
            datapoints=SKIPPED_RUNS,
            periods=WEEK_HOURS,
        )

    def _not_empty(self, name: str, description: str, queue: sqs.IQueue) -> cloudwatch.Alarm:
        """Return an alarm of a queue that only a person empties."""
        return self._alarm(
            f"{self._environment.deployment}-{name}",
            description,
            queue.metric_approximate_number_of_messages_visible(period=PERIOD, statistic="Maximum"),
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
        datapoints: int | None = None,
        missing: cloudwatch.TreatMissingData = cloudwatch.TreatMissingData.NOT_BREACHING,
        sends: bool = True,
    ) -> cloudwatch.Alarm:
        alarm = cloudwatch.Alarm(
            self,
            free(self, name.removeprefix(f"{self._environment.deployment}-")),
            alarm_name=name,
            alarm_description=description,
            metric=metric,
            threshold=threshold,
            comparison_operator=comparison,
            evaluation_periods=periods,
            datapoints_to_alarm=datapoints,
            treat_missing_data=missing,
        )
        return self._send(alarm) if sends else alarm

    def _send(self, alarm: A) -> A:
        if self._action:
            alarm.add_alarm_action(self._action)
            alarm.add_ok_action(self._action)
        return alarm


class Alarms(ScheduleAlarms):
    """All alarms of an environment. `machines`: of runs and jobs, with name and ARN."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        environment: Environment,
        machines: Iterable[tuple[str, str]],
        dead_letters: sqs.IQueue | None,
        followers: Sequence[Follower],
    ) -> None:
        super().__init__(scope, id, environment=environment, dead_letters=dead_letters)
        of_machines = [self._failed(name, arn) for name, arn in machines]
        of_followers = [
            self._not_empty(
                name, f"The queue for {what} has a message, after all retries: the function's log shows why", queue
            )
            for each in followers
            for name, what, queue in each.failures
        ]
        of_followers += [self._behind(each) for each in followers]
        of_followers += [self._waiting(each, queue) for each in followers for queue in each.waiting]
        self.alarms = [*of_machines, self._throttled(), self._over_estimate(), *of_followers, *self.alarms]

    def _failed(self, name: str, arn: str) -> cloudwatch.Alarm:
        return self._alarm(
            f"{name}-failed",
            f"An execution of {name} failed: its error and cause show why",
            of_machine(arn, "ExecutionsFailed"),
            threshold=1,
        )

    def _behind(self, follower: Follower) -> cloudwatch.Alarm:
        """Return an alarm of the age of the records that Lambda gives to a follower."""
        return self._alarm(
            f"{follower.name}-behind",
            f"{follower.name} handles changes of {follower.table} more than {BEHIND_HOURS} hour after they were made",
            of_function(follower.name, "IteratorAge", "Maximum"),
            threshold=Duration.hours(BEHIND_HOURS).to_milliseconds(),
            comparison=cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
            datapoints=BEHIND_PERIODS,
            periods=OF_PERIODS,
        )

    def _waiting(self, follower: Follower, queue: sqs.IQueue) -> cloudwatch.Alarm:
        return self._alarm(
            f"{follower.name}-waiting",
            f"{follower.name} leaves messages in a queue of its own for more than {BEHIND_HOURS} hour",
            queue.metric_approximate_age_of_oldest_message(period=PERIOD, statistic="Maximum"),
            threshold=Duration.hours(BEHIND_HOURS).to_seconds(),
            comparison=cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
            datapoints=BEHIND_PERIODS,
            periods=OF_PERIODS,
        )

    def _throttled(self) -> cloudwatch.Alarm:
        return self._alarm(
            f"{self._environment.deployment}-throttled",
            f"DynamoDB refused requests of runs in {THROTTLED_PERIODS} periods of five minutes within an hour",
            of_environment(Metric.THROTTLED_REQUESTS, self._environment.name, "Sum"),
            threshold=1,
            datapoints=THROTTLED_PERIODS,
            periods=OF_PERIODS,
        )

    def _over_estimate(self) -> cloudwatch.Alarm:
        return self._alarm(
            f"{self._environment.deployment}-over-estimate",
            f"A run took more than {OVER_ESTIMATE:g} times the read units that its plan expected",
            of_environment(Metric.ESTIMATE_RATIO, self._environment.name, "Maximum"),
            threshold=OVER_ESTIMATE,
            comparison=cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
        )


def add_monitoring(watched: Construct, environment: Environment, dead_letters: sqs.IQueue | None) -> None:
    """Add alarms and a dashboard for every state machine, function and follower below `watched`."""
    everything = watched.node.find_all()
    place = Construct(watched, "Monitoring")
    machines = [
        (str(each.state_machine_name), each.attr_arn) for each in everything if isinstance(each, sfn.CfnStateMachine)
    ]
    functions = [str(each.function_name) for each in everything if isinstance(each, lambda_.CfnFunction)]
    followers = [each for each in everything if isinstance(each, Follower)]
    alarms: list[cloudwatch.AlarmBase] = []
    if environment.alarms:
        if not environment.alarm_topic:
            Annotations.of(place).add_info("alarms tell nobody: set monitoring.topic, or monitoring.alarms to false")
        alarms = Alarms(
            place,
            "Alarms",
            environment=environment,
            machines=machines,
            dead_letters=dead_letters,
            followers=followers,
        ).alarms
    if environment.dashboard:
        Dashboard(
            place,
            "Dashboard",
            environment=environment,
            machines=machines,
            functions=functions,
            dead_letters=dead_letters,
            alarms=alarms,
        )
