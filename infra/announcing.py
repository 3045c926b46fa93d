"""Announces a finished run: an event on a bus, a message to a topic; counts and names, never keys."""

from aws_cdk import Duration, Stack
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from aws_cdk import aws_stepfunctions as sfn
from aws_cdk import aws_stepfunctions_tasks as tasks
from aws_cdk.aws_stepfunctions import JsonPath
from constructs import Construct

from .environment import Announce
from .grant import allow

SOURCE, DETAIL_TYPE, VERSION = "skipscan", "Skipscan Run Finished", 1
ATTEMPTS = 4
"""Half a minute. An error after that is put into the output, under one name for the bus and another for the topic."""


class Announcing(Construct):
    """The states that announce. `end`: the next state, whether they succeed or not: the run is already finished."""

    def __init__(self, scope: Construct, id: str, *, announce: Announce, name: str, end: sfn.State) -> None:
        super().__init__(scope, id)
        self._bus, self._topic = announce.bus, announce.topic
        if self._bus and not self._bus.startswith("arn:"):
            stack = Stack.of(self)
            self._bus = f"arn:{stack.partition}:events:{stack.region}:{stack.account}:event-bus/{self._bus}"
        message = sfn.TaskInput.from_object(
            {
                "version": VERSION,
                "environment": name.removeprefix("skipscan-"),
                "execution": JsonPath.execution_id,
                "output": JsonPath.object_at("$"),
            }
        )
        self.start = end
        if self._topic:
            publish = tasks.SnsPublish(
                self,
                "Publish",
                topic=sns.Topic.from_topic_arn(self, "Topic", self._topic),
                message=message,
                subject=f"{name}: run finished",
                result_path=JsonPath.DISCARD,
            )
            self.start = forgiven(publish, self.start, attempts=ATTEMPTS, note="$.not_published")
        if self._bus:
            announce_ = tasks.EventBridgePutEvents(
                self,
                "Announce",
                entries=[
                    tasks.EventBridgePutEventsEntry(
                        source=SOURCE,
                        detail_type=DETAIL_TYPE,
                        detail=message,
                        event_bus=events.EventBus.from_event_bus_arn(self, "Bus", self._bus),
                    )
                ],
                result_path=JsonPath.DISCARD,
            )
            self.start = forgiven(announce_, self.start, attempts=ATTEMPTS, note="$.not_announced")

    def grant(self, role: iam.IRole) -> None:
        """Grant the state machine's role the use of the named bus and topic, and of no others."""
        if self._bus:
            allow(role, "events:PutEvents", [self._bus])
        if self._topic:
            allow(role, "sns:Publish", [self._topic])


def forgiven(state: sfn.TaskStateBase, following: sfn.State, *, attempts: int, note: str) -> sfn.TaskStateBase:
    """Return the state. The execution continues even if the state fails, because the work is already finished.

    `note`: where in the output the error of the last attempt is put.
    """
    state.add_retry(
        errors=[sfn.Errors.ALL],
        max_attempts=attempts,
        interval=Duration.seconds(2),
        backoff_rate=2,
        jitter_strategy=sfn.JitterType.FULL,
    )
    state.add_catch(following, result_path=note)
    state.next(following)
    return state
