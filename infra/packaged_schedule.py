"""The one schedule of the packaged template: its parameters, and its resources if a table is named."""

from dataclasses import replace

import aws_cdk as cdk
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from .alarms import ScheduleAlarms
from .environment import Environment, Schedule
from .names import is_given, parameter
from .restricted import restrict
from .schedules import Schedules

SCHEDULE = ("Schedule", "ScheduleTimezone", "ScheduleInput")
"""The template's parameters."""
NO_INPUT = "{}"
NAME = "schedule"
"""The schedule's full name is `skipscan-<environment>-schedule`."""


class PackagedSchedule(Construct):
    """Starts a run of a table at the times in the parameters, with the alarms of a schedule."""

    def __init__(
        self, scope: Construct, id: str, *, environment: Environment, table: str, machine: sfn.StateMachine
    ) -> None:
        super().__init__(scope, id)
        stack = cdk.Stack.of(self)
        expression = parameter(
            stack,
            "Schedule",
            r"|(cron|rate)\([^()]{1,200}\)",
            "When to list the first table, like cron(0 3 * * ? *) or rate(1 day); or nothing",
        )
        timezone = parameter(
            stack,
            "ScheduleTimezone",
            "[A-Za-z0-9_+/-]{1,50}",
            "Time zone of a cron expression, like Europe/Berlin",
            default="UTC",
        )
        document = parameter(
            stack,
            "ScheduleInput",
            r"\{[\s\S]{0,3000}\}",
            'Input of the scheduled runs, in JSON; {} means {"table": <the first table>}',
            default=NO_INPUT,
        )
        schedule = Schedule(
            name=NAME,
            expression=expression,
            timezone=timezone,
            input={"table": table},
            enabled=True,
            flexible_minutes=None,
            retries=None,
            retry_minutes=None,
            late_after_hours=None,
            overlap="skip",
        )
        schedules = Schedules(self, "Schedules", name=environment.deployment, schedules=(schedule,), machine=machine)
        watched = replace(environment, schedules=(schedule,))
        ScheduleAlarms(self, "Alarms", environment=watched, dead_letters=schedules.dead_letters)
        restrict(self, environment.company)
        self._take_input(document)
        given = is_given(stack, "ScheduleGiven", expression)
        for each in self.node.find_all():
            if isinstance(each, cdk.CfnResource):
                each.cfn_options.condition = given

    def _take_input(self, document: str) -> None:
        condition = is_given(cdk.Stack.of(self), "ScheduleInputGiven", document, NO_INPUT)
        for each in self.node.find_all():
            if isinstance(each, scheduler.CfnSchedule) and isinstance(
                target := each.target, scheduler.CfnSchedule.TargetProperty
            ):
                chosen = cdk.Fn.condition_if(condition.logical_id, document, target.input)
                each.add_property_override("Target.Input", chosen)
