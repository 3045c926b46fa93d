"""The schedules that start the state machine."""

from aws_cdk import TimeZone
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_scheduler_targets as targets
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from .environment import Schedule


class Schedules(Construct):
    """One schedule of EventBridge Scheduler for each that the environment names, `<name>-<schedule>`."""

    def __init__(
        self, scope: Construct, id: str, *, name: str, schedules: tuple[Schedule, ...], machine: sfn.StateMachine
    ) -> None:
        super().__init__(scope, id)
        for schedule in schedules:
            scheduler.Schedule(
                self,
                schedule.name,
                schedule_name=f"{name}-{schedule.name}",
                schedule=scheduler.ScheduleExpression.expression(schedule.expression, TimeZone.of(schedule.timezone)),
                target=targets.StepFunctionsStartExecution(
                    machine, input=scheduler.ScheduleTargetInput.from_object(schedule.input)
                ),
                enabled=schedule.enabled,
            )
