"""Sizes and delays that jobs and runs rest upon: of a state, and of a message."""

import json
import time
from typing import Any

from verify.check import check, hold
from verify.checks.functions import STATES
from verify.kit import Kit

ITEMS = 50
STATE_BYTES = 262_144
"""Of the input or result of a state."""

LONGEST_DELAY, SHORT_DELAY = 900, 5
SQS = "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide"


def map_of(kit: Kit, result_bytes: int) -> Any:
    """Return how an execution ended whose Map has a result of so many bytes."""
    text = "x" * (result_bytes // ITEMS - 3)  # quotes and a comma
    return kit.ended(kit.execute("sized", {"workers": list(range(ITEMS)), "text": text}))


@check(
    "state-size",
    f"The result of a Map may have {STATE_BYTES:,} bytes, and a larger one fails with States.DataLimitExceeded.",
    source=f"{STATES}/service-quotas.html",
    breaks="A run with many workers fails before Finish, or plans could have more workers.",
    dollars=0.006,
    seconds=10.0,
)
def state_size(kit: Kit) -> str:
    fits, exceeds = (map_of(kit, size) for size in (STATE_BYTES - 4_096, STATE_BYTES + 4_096))
    hold(fits["status"] == "SUCCEEDED", f"a result of {STATE_BYTES - 4_096:,} bytes is {fits.get('error')}")
    hold(exceeds["status"] == "FAILED", f"a result of {STATE_BYTES + 4_096:,} bytes is {exceeds['status']}")
    hold(exceeds.get("error") == "States.DataLimitExceeded", f"a larger result is {exceeds.get('error')}")
    return f"a Map's result of {STATE_BYTES - 4_096:,} bytes passes, one of {STATE_BYTES + 4_096:,} does not"


@check(
    "delayed-message",
    f"SQS holds a message back for the {LONGEST_DELAY} s that it names, and counts it as delayed.",
    source=f"{SQS}/sqs-message-timers.html",
    breaks="A replicator's late look comes too early, or a cut-over does not wait for it.",
    seconds=20.0,
)
def delayed_message(kit: Kit) -> str:
    client, url = kit.client("sqs"), kit.queue("delayed")
    sent = time.monotonic()
    entries = [
        {"Id": str(delay), "MessageBody": str(delay), "DelaySeconds": delay} for delay in (LONGEST_DELAY, SHORT_DELAY)
    ]
    answer = client.send_message_batch(QueueUrl=url, Entries=entries)
    hold(len(answer.get("Successful", ())) == len(entries), f"SQS refused {json.dumps(answer.get('Failed'))}")

    def look() -> list[Any] | None:
        return client.receive_message(QueueUrl=url, WaitTimeSeconds=1).get("Messages") or None

    [message] = kit.until("the message that is delayed for a short time", look, seconds=60)
    waited = time.monotonic() - sent
    hold(
        message["Body"] == str(SHORT_DELAY) and waited >= SHORT_DELAY - 1,
        f"{message['Body']} came after {waited:.1f} s",
    )
    requested = ["ApproximateNumberOfMessagesDelayed"]

    def count() -> int | None:
        found = client.get_queue_attributes(QueueUrl=url, AttributeNames=requested)["Attributes"]
        return int(found[requested[0]]) or None

    delayed = kit.until("the count of delayed messages", count, seconds=60)  # counts are approximate for a minute
    hold(delayed == 1, f"{delayed} messages are delayed; 1 was expected")
    return f"a message delayed for {SHORT_DELAY} s came after {waited:.1f} s, and one is still delayed"
