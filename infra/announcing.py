"""Announces a finished run: an event on a bus, a message to a topic; counts and names, never keys.

An e-mail from the topic has one sentence for people. All other subscribers get the event's detail as JSON.
"""

from collections.abc import Sequence

from aws_cdk import Duration
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from aws_cdk import aws_stepfunctions as sfn
from aws_cdk import aws_stepfunctions_tasks as tasks
from aws_cdk.aws_stepfunctions import Condition, JsonPath
from constructs import Construct

from skipscan.inputs.names import VERIFIED

from .environment import EVERY_TABLE, NO_TABLE, Announce
from .grant import allow, arn_here, via

SOURCE, DETAIL_TYPE, VERSION = "skipscan", "Skipscan Run Finished", 1
ATTEMPTS = 4
"""Half a minute. An error after that is put into the output, under one name for the bus and another for the topic."""


class Announcing(Construct):
    """The states that announce. `end`: the next state, whether they succeed or not: the run is already finished."""

    def __init__(self, scope: Construct, id: str, *, announce: Announce, name: str, end: sfn.State) -> None:
        super().__init__(scope, id)
        self._bus, self._topic = announce.bus, announce.topic
        if self._bus and not self._bus.startswith("arn:"):
            self._bus = arn_here(self, "events", f"event-bus/{self._bus}")
        output = sfn.Pass(self, "Output of the run", input_path="$.output")
        output.next(end)
        following: sfn.State = output
        if self._topic:
            publish = tasks.SnsPublish(
                self,
                "Publish",
                topic=sns.Topic.from_topic_arn(self, "Topic", self._topic),
                message=sfn.TaskInput.from_object(
                    {
                        "default": JsonPath.json_to_string(JsonPath.object_at("$")),
                        "email": JsonPath.string_at("$.output.notice"),
                    }
                ),
                message_per_subscription_type=True,
                subject=f"{name}: run finished",
                result_path=JsonPath.DISCARD,
            )
            forgiven(publish, output, attempts=ATTEMPTS, note="$.output.not_published")
            following = self._if_due(announce, publish, output)
        if self._bus:
            announce_ = tasks.EventBridgePutEvents(
                self,
                "Announce",
                entries=[
                    tasks.EventBridgePutEventsEntry(
                        source=SOURCE,
                        detail_type=DETAIL_TYPE,
                        detail=sfn.TaskInput.from_json_path_at("$"),
                        event_bus=events.EventBus.from_event_bus_arn(self, "Bus", self._bus),
                    )
                ],
                result_path=JsonPath.DISCARD,
            )
            following = forgiven(announce_, following, attempts=ATTEMPTS, note="$.output.not_announced")
        announcement = sfn.Pass(
            self,
            "Announcement",
            parameters={
                "version": VERSION,
                "environment": name.removeprefix("skipscan-"),
                "execution": JsonPath.execution_id,
                "output": JsonPath.object_at("$"),
            },
        )
        announcement.next(following)
        # The runs of `make verify` are nobody's business: they are over tables of its own.
        of_verify = Condition.string_matches("$.table", f"{VERIFIED}*")
        is_over_one = Condition.and_(Condition.is_present("$.table"), of_verify)
        self.start = sfn.Choice(self, "Run of make verify?").when(is_over_one, end).otherwise(announcement)

    def _if_due(self, announce: Announce, publish: sfn.State, end: sfn.State) -> sfn.State:
        """Return the states that publish a run unless its table is not published, or it is the same as the run before.

        A run without a comparison is published: nothing says that its keys are the same.
        """
        not_due = []
        if announce.published != EVERY_TABLE:
            not_due.append(Condition.not_(Condition.string_matches("$.output.table", announce.published)))
        if announce.only_if_changed != NO_TABLE:
            silent = Condition.string_matches("$.output.table", announce.only_if_changed)
            same = (Condition.number_equals(f"$.output.diff.{change}_keys", 0) for change in ("new", "vanished"))
            not_due.append(Condition.and_(silent, Condition.is_present("$.output.diff"), *same))
        if not not_due:
            return publish
        choice = sfn.Choice(self, "Notice due?")
        for condition in not_due:
            choice.when(condition, end)
        choice.otherwise(publish)
        return choice

    def grant(self, role: iam.IRole, topic_keys: Sequence[str]) -> None:
        """Grant the state machine's role the use of the named bus and topic, and of no others."""
        if self._bus:
            allow(role, "events:PutEvents", [self._bus])
        if self._topic:
            allow(role, "sns:Publish", [self._topic])
        if self._topic and topic_keys:
            # SNS developer guide, "Key management": what a publisher needs. A key of another account allows nothing
            # without it (KMS developer guide, "Allowing users in other accounts to use a KMS key").
            allow(role, ["kms:GenerateDataKey", "kms:Decrypt"], topic_keys, conditions=via(self, "sns"))


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
