"""Schedules, with a role and a dead-letter queue like those of the environment."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from botocore.exceptions import ClientError

from verify.check import check, hold
from verify.errors import NotTriedError
from verify.function import machine, make_role
from verify.kit import Kit
from verify.thing import TAG, Kind

SCHEDULER = "https://docs.aws.amazon.com/scheduler/latest/UserGuide"
START_SECONDS = 60
"""How long after its creation a schedule starts: its role is known everywhere by then."""

PATIENCE_SECONDS = 240.0


def group(kit: Kit) -> str:
    """Return the name of a group of the kit's own, which is removed with its schedules."""

    def make() -> str:
        name = kit.record(Kind.SCHEDULES, kit.name("schedules"))
        kit.client("scheduler").create_schedule_group(Name=name, Tags=kit.tags)
        return name

    return kit.once("schedule group", make)


def queue(kit: Kit) -> str:
    """Return the URL of a queue of the kit's own."""

    def make() -> str:
        name = kit.name("dead-letters")
        url = kit.client("sqs").create_queue(QueueName=name, tags={TAG: kit.deployment.environment})["QueueUrl"]
        return kit.record(Kind.QUEUE, str(url))

    return kit.once("queue", make)


def scheduled(kit: Kit) -> str:
    """Return the ARN of a machine that one schedule starts, beside another whose start is denied."""

    def make() -> str:
        started, missing = machine(kit, "scheduled", {"Done": {"Type": "Succeed"}}), kit.name("denied")
        dead_letters = kit.arn("sqs", kit.name("dead-letters"))
        source = {
            "aws:SourceAccount": started.split(":")[4],
            "aws:SourceArn": kit.arn("scheduler", f"schedule-group/{group(kit)}"),
        }
        queue(kit)
        trust = {"Principal": {"Service": "scheduler.amazonaws.com"}, "Action": "sts:AssumeRole"}
        role = make_role(
            kit,
            "schedule-role",
            {"Effect": "Allow", **trust, "Condition": {"StringEquals": source}},
            {"Effect": "Allow", "Action": "states:StartExecution", "Resource": started},
            {"Effect": "Allow", "Action": "sqs:SendMessage", "Resource": dead_letters},
        )
        for name, arn in ("started", started), ("denied", kit.arn("states", f"stateMachine:{missing}")):
            _create(
                kit,
                name,
                {
                    "Arn": arn,
                    "RoleArn": role,
                    "Input": json.dumps({"schedule": name}),
                    "RetryPolicy": {"MaximumRetryAttempts": 0},
                    "DeadLetterConfig": {"Arn": dead_letters},
                },
            )
        return started

    return kit.once("schedules", make)


def _create(kit: Kit, name: str, target: dict[str, Any]) -> None:
    """Create a schedule that starts its target once, soon."""

    def create() -> bool | None:
        at = datetime.now(UTC) + timedelta(seconds=START_SECONDS)
        try:
            kit.client("scheduler").create_schedule(
                Name=name,
                GroupName=group(kit),
                ScheduleExpression=f"at({at:%Y-%m-%dT%H:%M:%S})",
                FlexibleTimeWindow={"Mode": "OFF"},
                Target=target,
            )
        except ClientError as error:
            # A new role takes seconds until EventBridge Scheduler can assume it.
            if error.response["Error"]["Code"] != "ValidationException" or "role" not in str(error):
                raise
            return None
        return True

    kit.until("a role that EventBridge Scheduler can assume", create, seconds=60)


@check(
    "schedule",
    "A schedule starts a state machine with a role that trusts only the schedule's group.",
    source=f"{SCHEDULER}/cross-service-confused-deputy-prevention.html",
    breaks="No schedule of the environment starts a run.",
    dollars=0.0001,
    seconds=90.0,
)
def schedule(kit: Kit) -> str:
    arn, client = scheduled(kit), kit.client("stepfunctions")

    def look() -> list[Any] | None:
        return client.list_executions(stateMachineArn=arn)["executions"] or None

    found = kit.until("an execution that the schedule starts", look, seconds=PATIENCE_SECONDS)
    asked = json.loads(client.describe_execution(executionArn=found[0]["executionArn"])["input"])
    hold(asked == {"schedule": "started"}, f"the execution has another input: {asked}")
    return "started with its input"


@check(
    "schedule-dead-letter",
    "A start that is denied goes to the schedule's dead-letter queue.",
    source=f"{SCHEDULER}/configuring-schedule-dlq.html",
    breaks="Nothing tells that a schedule does not start its runs.",
    seconds=30.0,
)
def schedule_dead_letter(kit: Kit) -> str:
    scheduled(kit)
    client = kit.client("sqs")

    def look() -> Any:
        asked = {"QueueUrl": queue(kit), "WaitTimeSeconds": 5, "MessageAttributeNames": ["All"]}
        return client.receive_message(**asked).get("Messages") or None

    [message] = kit.until("a dead letter", look, seconds=min(PATIENCE_SECONDS, kit.patience_seconds))
    code = message.get("MessageAttributes", {}).get("ERROR_CODE", {}).get("StringValue", "no code")
    if json.loads(message["Body"]) != {"schedule": "denied"}:
        raise NotTriedError(f"the schedule that is allowed to start was refused: {code}")
    return f"the dead letter has the input, and {code}"
