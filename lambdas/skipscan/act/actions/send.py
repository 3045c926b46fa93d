"""Send the keys to an SQS queue. A FIFO queue drops what is sent twice within five minutes."""

import re
from dataclasses import dataclass
from typing import Any, Self

from skipscan.act.action import Action, Service, arn
from skipscan.inputs.field import count, only

MOST_KEYS = 1_000  # in one message


@dataclass(frozen=True)
class Send(Action):
    queue: str
    keys_per_message: int

    name = "send"
    summary = "Send the keys to an SQS queue."
    service = Service.SQS
    permissions = ("sqs:SendMessage", "sqs:GetQueueUrl")
    targets = re.compile(r"arn:aws[a-z-]*:sqs:[a-z0-9-]+:[0-9]{12}:([a-zA-Z0-9_-]{1,80}|[a-zA-Z0-9_-]{1,75}\.fifo)")
    bytes_together = 200_000  # SQS takes 1 MiB for all messages of a request together, and took 256 KiB until 2025
    tasks_together = 10  # messages that SQS takes in one request

    @classmethod
    def parse(cls, document: Any) -> Self:
        given = only(document, ("queue", "keys_per_message"), what="send", example='{"queue": "arn:aws:sqs:..."}')
        keys = count("send.keys_per_message", given.get("keys_per_message", 1), MOST_KEYS, "a message may have")
        return cls(arn("send.queue", given.get("queue"), cls.targets, "an SQS queue"), keys or 1)

    def to_json(self) -> dict[str, Any]:
        return {"queue": self.queue, "keys_per_message": self.keys_per_message}

    @property
    def keys_together(self) -> int:
        return self.keys_per_message

    @property
    def is_idempotent(self) -> bool:
        return False

    @property
    def repeat_means(self) -> str:
        return "the queue receives the same keys again, with the same id"

    @property
    def target(self) -> str:
        return self.queue
