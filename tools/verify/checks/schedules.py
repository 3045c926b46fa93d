"""Schedules, with a role and a dead-letter queue like those of the environment."""

import json
from typing import Any

from verify.check import check, hold
from verify.errors import NotTriedError
from verify.kit import Kit

SCHEDULER = "https://docs.aws.amazon.com/scheduler/latest/UserGuide"
PATIENCE_SECONDS = 240.0


@check(
    "schedule",
    "A schedule starts a state machine with a role that trusts only the schedule's group.",
    source=f"{SCHEDULER}/cross-service-confused-deputy-prevention.html",
    breaks="No schedule of the environment starts a run.",
    dollars=0.0001,
    seconds=90.0,
)
def schedule(kit: Kit) -> str:
    arn, client = kit.arn("states", "stateMachine:", "scheduled"), kit.client("stepfunctions")

    def look() -> list[Any] | None:
        return client.list_executions(stateMachineArn=arn)["executions"] or None

    found = kit.until("an execution that the schedule starts", look, seconds=PATIENCE_SECONDS)
    requested = json.loads(client.describe_execution(executionArn=found[0]["executionArn"])["input"])
    hold(requested == {"schedule": "started"}, f"the execution has another input: {requested}")
    return "started with its input"


@check(
    "schedule-dead-letter",
    "A start that is denied goes to the schedule's dead-letter queue.",
    source=f"{SCHEDULER}/configuring-schedule-dlq.html",
    breaks="Nothing tells that a schedule does not start its runs.",
    seconds=30.0,
)
def schedule_dead_letter(kit: Kit) -> str:
    client, url = kit.client("sqs"), kit.queue("dead-letters")

    def look() -> Any:
        requested = {"QueueUrl": url, "WaitTimeSeconds": 5, "MessageAttributeNames": ["All"]}
        return client.receive_message(**requested).get("Messages") or None

    [message] = kit.until("a dead letter", look, seconds=min(PATIENCE_SECONDS, kit.patience_seconds))
    code = message.get("MessageAttributes", {}).get("ERROR_CODE", {}).get("StringValue", "no code")
    if json.loads(message["Body"]) != {"schedule": "denied"}:
        raise NotTriedError(f"the schedule that is allowed to start was refused: {code}")
    return f"the dead letter has the input, and {code}"
