"""The one schedule of the packaged template, and its notices of finished runs: their parameters and resources."""

from dataclasses import replace

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_sns as sns
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from skipscan.inputs.names import topic_arn
from skipscan.inputs.schedule_expression import TIMEZONE

from .alarms import ScheduleAlarms
from .environment import EVERY_TABLE, NO_TABLE, Announce, Environment, Schedule
from .grant import arn_here
from .names import is_given, parameter
from .restricted import restrict
from .schedules import add_schedules

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
            must_be="like cron(0 3 * * ? *) or rate(1 day), or nothing",
        )
        timezone = parameter(
            stack,
            "ScheduleTimezone",
            "[A-Za-z0-9_+/-]{1,50}",
            "Time zone of a cron expression, like Europe/Berlin",
            must_be=TIMEZONE,
            default="UTC",
        )
        document = parameter(
            stack,
            "ScheduleInput",
            r"\{[\s\S]{0,3000}\}",
            'Input of the scheduled runs, in JSON; {} means {"table": <the first table>}',
            must_be="a JSON object of up to 3,000 characters",
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
        scheduled = replace(environment, schedules=(schedule,))
        dead_letters = add_schedules(self, scheduled, machine)
        ScheduleAlarms(self, "Alarms", environment=scheduled, dead_letters=dead_letters)
        restrict(self, environment.company)
        self._take_input(document)
        given = is_given(stack, "ScheduleGiven", expression)
        _only_if(given, self)

    def _take_input(self, document: str) -> None:
        condition = is_given(cdk.Stack.of(self), "ScheduleInputGiven", document, NO_INPUT)
        for each in self.node.find_all():
            if isinstance(each, scheduler.CfnSchedule) and isinstance(
                target := each.target, scheduler.CfnSchedule.TargetProperty
            ):
                chosen = cdk.Fn.condition_if(condition.logical_id, document, target.input)
                each.add_property_override("Target.Input", chosen)


NOTIFY = ("NotifyEmail", "NotifyTopic", "NotifyOnlyIfChanged")
"""The template's parameters."""
NO_TOPIC = "none"
ANY_TOPIC = topic_arn()
A_TOPIC = "the ARN of a standard SNS topic, or none"


class PackagedNotices(Construct):
    """Publishes finished runs to the topic of the parameters, or to a topic of its own that sends an e-mail.

    `own_topic`: its ARN, or no value; CloudWatch may publish to it.
    """

    def __init__(self, scope: Construct, id: str, *, environment: Environment) -> None:
        super().__init__(scope, id)
        stack = cdk.Stack.of(self)
        email = parameter(
            stack,
            "NotifyEmail",
            r"|[^\s@]{1,64}@[^\s@]{1,255}",
            "E-mail address that gets a sentence about every finished run, and alarms without a topic, or nothing",
            must_be="an e-mail address, or nothing",
        )
        topic = parameter(
            stack,
            "NotifyTopic",
            f"{NO_TOPIC}|{ANY_TOPIC}",
            "ARN of your SNS topic for finished runs, in place of an e-mail address, or none",
            must_be=A_TOPIC,
            default=NO_TOPIC,
        )
        changed = cdk.CfnParameter(
            stack,
            "NotifyOnlyIfChanged",
            default="no",
            allowed_values=["no", "yes"],
            description="Whether a run is left out whose comparison found no difference",
        ).value_as_string
        is_topic = cdk.Fn.condition_not(cdk.Fn.condition_equals(topic, NO_TOPIC))
        is_email = cdk.Fn.condition_not(cdk.Fn.condition_equals(email, ""))
        given = cdk.CfnCondition(stack, "NotifyGiven", expression=cdk.Fn.condition_or(is_email, is_topic))
        theirs = cdk.CfnCondition(stack, "NotifyTopicGiven", expression=is_topic)
        only_if_changed = cdk.CfnCondition(stack, "NotifyIfChanged", expression=cdk.Fn.condition_equals(changed, "yes"))
        own = cdk.CfnCondition(
            stack, "NotifyByEmail", expression=cdk.Fn.condition_and(is_email, cdk.Fn.condition_not(is_topic))
        )
        name = f"{environment.deployment}-finished"
        self._make_topic(name, email, own)
        arn = arn_here(self, "sns", name)
        self.own_topic = cdk.Fn.condition_if(own.logical_id, arn, cdk.Aws.NO_VALUE)
        self.announce = Announce(
            bus=None,
            topic=cdk.Fn.condition_if(theirs.logical_id, topic, arn).to_string(),
            published=_tables(given),
            only_if_changed=_tables(only_if_changed),
        )

    def _make_topic(self, name: str, email: str, condition: cdk.CfnCondition) -> None:
        topic = sns.Topic(self, "Topic", topic_name=name, display_name="Skipscan", enforce_ssl=True)
        # https://docs.aws.amazon.com/sns/latest/dg/sns-access-policy-use-cases.html
        # (Allow CloudWatch alarms in an account to publish)
        topic.add_to_resource_policy(
            iam.PolicyStatement(
                principals=[iam.ServicePrincipal("cloudwatch.amazonaws.com")],
                actions=["sns:Publish"],
                resources=[topic.topic_arn],
                conditions={"StringEquals": {"aws:SourceAccount": cdk.Stack.of(self).account}},
            )
        )
        sns.Subscription(self, "Email", topic=topic, protocol=sns.SubscriptionProtocol.EMAIL, endpoint=email)
        _only_if(condition, self)


def _only_if(condition: cdk.CfnCondition, made: Construct) -> None:
    """Make every resource of a construct under a condition."""
    for each in made.node.find_all():
        if isinstance(each, cdk.CfnResource):
            each.cfn_options.condition = condition


def _tables(condition: cdk.CfnCondition) -> str:
    return cdk.Fn.condition_if(condition.logical_id, EVERY_TABLE, NO_TABLE).to_string()
