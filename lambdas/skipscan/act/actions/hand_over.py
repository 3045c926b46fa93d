"""Hand the keys to a Lambda function, and wait for its answer, or send them to an SQS queue.

A FIFO queue drops what is sent twice within five minutes.
"""

import re
from dataclasses import dataclass, field
from typing import Self

from skipscan import form
from skipscan.act.action import Action, arn
from skipscan.inputs.field import count, only

MOST_KEYS = 1_000  # in one call or message
WORKER_CALLS = 100.0  # a second: to a function that answers in a sixth of a second


class KeysAction(Action):
    """Hands keys to a function or queue, which receives them again after a retry."""

    @property
    def effect(self) -> str:
        return f"Nothing is written to the table; {self.target} receives the keys."

    is_idempotent = False


@dataclass(frozen=True)
class Invoke(KeysAction):
    target: str = field(metadata={form.AS: "function"})
    keys_together: int = field(metadata={form.AS: "keys_per_call"})

    name = "invoke"
    summary = "Hand the keys to a Lambda function."
    permissions = ("lambda:InvokeFunction",)
    targets = re.compile(r"arn:aws[a-z-]*:lambda:[a-z0-9-]+:[0-9]{12}:function:[a-zA-Z0-9_-]{1,64}(:[a-zA-Z0-9$_-]+)?")
    target_field = "invoke.function"
    requests_per_second = WORKER_CALLS
    bytes_together = 4_000_000  # Lambda takes 6 MB

    @classmethod
    def parse(cls, document: object) -> Self:
        given = only(
            document, ("function", "keys_per_call"), what="invoke", example='{"function": "arn:aws:lambda:..."}'
        )
        keys = count("invoke.keys_per_call", given.get("keys_per_call"), MOST_KEYS, "a call may have")
        return cls(arn(cls.target_field, given.get("function"), cls.targets, "a Lambda function"), keys or 100)

    repeat_means = "the function receives the same keys again, with the same id"


@dataclass(frozen=True)
class Send(KeysAction):
    target: str = field(metadata={form.AS: "queue"})
    keys_together: int = field(metadata={form.AS: "keys_per_message"})

    name = "send"
    summary = "Send the keys to an SQS queue."
    permissions = ("sqs:SendMessage", "sqs:GetQueueUrl")
    targets = re.compile(r"arn:aws[a-z-]*:sqs:[a-z0-9-]+:[0-9]{12}:([a-zA-Z0-9_-]{1,80}|[a-zA-Z0-9_-]{1,75}\.fifo)")
    target_field = "send.queue"
    bytes_together = 200_000  # SQS takes 1 MiB for all messages of a request together, and took 256 KiB until 2025
    tasks_together = 10  # messages that SQS takes in one request

    @classmethod
    def parse(cls, document: object) -> Self:
        given = only(document, ("queue", "keys_per_message"), what="send", example='{"queue": "arn:aws:sqs:..."}')
        keys = count("send.keys_per_message", given.get("keys_per_message"), MOST_KEYS, "a message may have")
        return cls(arn(cls.target_field, given.get("queue"), cls.targets, "an SQS queue"), keys or 1)

    repeat_means = "the queue receives the same keys again, with the same id"
