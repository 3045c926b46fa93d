"""The schedules that start the state machine, and the dead-letter queue of failed starts."""

from aws_cdk import Duration, Stack, TimeZone
from aws_cdk import aws_iam as iam
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_scheduler_targets as targets
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from .environment import Environment
from .grant import allow, arn_here, via
from .names import free
from .queues import dead_letters


def add_schedules(scope: Construct, environment: Environment, machine: sfn.StateMachine) -> sqs.Queue | None:
    """Add a schedule of EventBridge Scheduler, `<deployment>-<schedule>`, for each one of the environment.

    Returns the queue for starts whose retries all failed; `None` without schedules.
    """
    place = Construct(scope, "Schedules")
    key = environment.encryption.executions
    if not environment.schedules:
        return None
    failed, role = dead_letters(place, "DeadLetters", "the schedules"), _role(place)
    if key:
        allow(role, ["kms:Decrypt", "kms:GenerateDataKey"], [key], conditions=via(place, "states"))
    for schedule in environment.schedules:
        window = schedule.flexible_minutes
        made = scheduler.Schedule(
            place,
            free(place, schedule.name),
            schedule_name=f"{environment.deployment}-{schedule.name}",
            schedule=scheduler.ScheduleExpression.expression(schedule.expression, TimeZone.of(schedule.timezone)),
            time_window=scheduler.TimeWindow.flexible(Duration.minutes(window)) if window else None,
            target=targets.StepFunctionsStartExecution(
                machine,
                input=scheduler.ScheduleTargetInput.from_object({**schedule.input, "overlap": schedule.overlap}),
                dead_letter_queue=failed,
                role=role,
                retry_attempts=schedule.retries,
                max_event_age=Duration.minutes(schedule.retry_minutes) if schedule.retry_minutes else None,
            ),
            enabled=schedule.enabled,
        )
        # A rate schedule starts at once, and would be denied until its role has its policy.
        made.node.add_dependency(role)
    return failed


def _role(scope: Construct) -> iam.Role:
    """Return the role of the schedules. It is in the deployment, so that company-wide role settings reach it."""
    group = arn_here(scope, "scheduler", "schedule-group/default")
    source = {"StringEquals": {"aws:SourceAccount": Stack.of(scope).account, "aws:SourceArn": group}}
    principal = iam.ServicePrincipal("scheduler.amazonaws.com", conditions=source)
    return iam.Role(scope, "Role", assumed_by=principal)
