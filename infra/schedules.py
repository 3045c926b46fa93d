"""The schedules that start the state machine, and the dead-letter queue of failed starts."""

from aws_cdk import Duration, Stack, TimeZone
from aws_cdk import aws_iam as iam
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_scheduler_targets as targets
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from .environment import Schedule
from .grant import acknowledge, allow, via
from .names import free


class Schedules(Construct):
    """One EventBridge Scheduler schedule, `<name>-<schedule>`, for each schedule of the environment.

    `key`: the machine's KMS key, if it has one. `dead_letters`: the queue for starts whose retries all failed; `None`
    without schedules.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        name: str,
        schedules: tuple[Schedule, ...],
        machine: sfn.StateMachine,
        key: str | None = None,
    ) -> None:
        super().__init__(scope, id)
        self.dead_letters = self._queue() if schedules else None
        role = self._role() if schedules else None
        if role and key:
            allow(role, ["kms:Decrypt", "kms:GenerateDataKey"], [key], conditions=via(Stack.of(self), "states"))
        for schedule in schedules:
            made = scheduler.Schedule(
                self,
                free(self, schedule.name),
                schedule_name=f"{name}-{schedule.name}",
                schedule=scheduler.ScheduleExpression.expression(schedule.expression, TimeZone.of(schedule.timezone)),
                time_window=_window(schedule),
                target=targets.StepFunctionsStartExecution(
                    machine,
                    input=scheduler.ScheduleTargetInput.from_object({**schedule.input, "overlap": schedule.overlap}),
                    dead_letter_queue=self.dead_letters,
                    role=role,
                    retry_attempts=schedule.retries,
                    max_event_age=Duration.minutes(schedule.retry_minutes) if schedule.retry_minutes else None,
                ),
                enabled=schedule.enabled,
            )
            if role:
                # A rate schedule starts at once, and would be denied until its role has its policy.
                made.node.add_dependency(role)

    def _role(self) -> iam.Role:
        """Return the role of the schedules. It is in this construct, so that company-wide role settings reach it."""
        stack = Stack.of(self)
        group = f"arn:{stack.partition}:scheduler:{stack.region}:{stack.account}:schedule-group/default"
        source = {"StringEquals": {"aws:SourceAccount": stack.account, "aws:SourceArn": group}}
        principal = iam.ServicePrincipal("scheduler.amazonaws.com", conditions=source)
        return iam.Role(self, "Role", assumed_by=principal)

    def _queue(self) -> sqs.Queue:
        queue = sqs.Queue(
            self,
            "DeadLetters",
            encryption=sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            retention_period=Duration.days(14),
        )
        acknowledge(queue, "AwsSolutions-SQS3", "It is a dead-letter queue itself: the one of the schedules.")
        return queue


def _window(schedule: Schedule) -> scheduler.TimeWindow:
    if schedule.flexible_minutes is None:
        return scheduler.TimeWindow.off()
    return scheduler.TimeWindow.flexible(Duration.minutes(schedule.flexible_minutes))
