"""Sends SQS messages. A message counts as sent only if the queue's answer acknowledges it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skipscan.aws.faults import THROTTLING

NOT_ACKNOWLEDGED = "NotAcknowledged"
"""The code of a message that the answer does not mention: a truncated or empty answer acknowledges nothing."""

BATCH_MESSAGES = 10
"""The most that SQS takes in one request (API reference, SendMessageBatch)."""


@dataclass(frozen=True)
class Refusal:
    """A message that was not sent. `code`: SQS's own. `is_final`: SQS would refuse the message again.

    A throttled message is never final, whoever SQS says is at fault: it calls the throttling of a queue's key the
    sender's.
    """

    code: str
    is_final: bool


def send(client: Any, url: str, entries: Sequence[Mapping[str, Any]]) -> list[Refusal | None]:
    """Send up to ten messages; return, for each in order, `None` if the queue has it, or why not.

    `entries`: as SendMessageBatch takes them, without `Id`. Raises what SQS raises for the request as a whole.
    """
    numbered = [{"Id": str(number), **entry} for number, entry in enumerate(entries)]
    answer = client.send_message_batch(QueueUrl=url, Entries=numbered)
    taken = {entry.get("Id") for entry in answer.get("Successful", ())}
    failed = {entry.get("Id"): entry for entry in answer.get("Failed", ())}
    return [_refusal(entry["Id"], taken, failed) for entry in numbered]


def _refusal(id: str, taken: set[Any], failed: Mapping[Any, Mapping[str, Any]]) -> Refusal | None:
    if id in failed:
        code = str(failed[id].get("Code") or NOT_ACKNOWLEDGED)
        return Refusal(code, is_final=failed[id].get("SenderFault") is True and code not in THROTTLING)
    return None if id in taken else Refusal(NOT_ACKNOWLEDGED, is_final=False)
