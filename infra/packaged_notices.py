"""The notices of finished runs in the packaged template: its parameters, and a topic for an e-mail address."""

import aws_cdk as cdk
from aws_cdk import aws_sns as sns
from constructs import Construct

from .environment import EVERY_TABLE, NO_TABLE, Announce, Environment
from .names import parameter

NOTIFY = ("NotifyEmail", "NotifyTopic", "NotifyOnlyIfChanged")
"""The template's parameters."""
NO_TOPIC = "none"
ANY_TOPIC = "arn:aws[a-z-]*:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_.-]{1,256}"


class PackagedNotices(Construct):
    """Publishes finished runs to the topic of the parameters, or to a topic of its own that sends an e-mail."""

    def __init__(self, scope: Construct, id: str, *, environment: Environment) -> None:
        super().__init__(scope, id)
        stack = cdk.Stack.of(self)
        email = parameter(
            stack,
            "NotifyEmail",
            r"|[^\s@]{1,64}@[^\s@]{1,255}",
            "E-mail address that gets a sentence about every finished run, or nothing",
        )
        topic = parameter(
            stack,
            "NotifyTopic",
            f"{NO_TOPIC}|{ANY_TOPIC}",
            "ARN of your SNS topic for finished runs, in place of an e-mail address, or none",
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
        arn = f"arn:{stack.partition}:sns:{stack.region}:{stack.account}:{name}"
        self.announce = Announce(
            bus=None,
            topic=cdk.Fn.condition_if(theirs.logical_id, topic, arn).to_string(),
            published=_tables(given),
            only_if_changed=_tables(only_if_changed),
        )

    def _make_topic(self, name: str, email: str, condition: cdk.CfnCondition) -> None:
        topic = sns.Topic(self, "Topic", topic_name=name, display_name="Skipscan", enforce_ssl=True)
        sns.Subscription(self, "Email", topic=topic, protocol=sns.SubscriptionProtocol.EMAIL, endpoint=email)
        for each in self.node.find_all():
            if isinstance(each, cdk.CfnResource):
                each.cfn_options.condition = condition


def _tables(condition: cdk.CfnCondition) -> str:
    return cdk.Fn.condition_if(condition.logical_id, EVERY_TABLE, NO_TABLE).to_string()
