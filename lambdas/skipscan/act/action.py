"""What a job does for each key of a run."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from skipscan.errors import InputError
from skipscan.inputs.field import count, flag, only
from skipscan.inputs.quoted import quoted
from skipscan.templates.item import ItemTemplate

MARK = "skipscan_job"
"""The attribute by which an item is known as put by a job: its value is the job's name."""

FUNCTION_ARN = re.compile(r"arn:aws[a-z-]*:lambda:[a-z0-9-]+:[0-9]{12}:function:[a-zA-Z0-9_-]{1,64}(:[a-zA-Z0-9$_-]+)?")
QUEUE_ARN = re.compile(r"arn:aws[a-z-]*:sqs:[a-z0-9-]+:[0-9]{12}:[a-zA-Z0-9_-]{1,75}(\.fifo)?")

MOST_KEYS = 1_000
"""In one call or message."""

CALL_BYTES, MESSAGE_BYTES = 4_000_000, 200_000
"""Of keys in one call or message; Lambda takes 6 MB, and SQS 256 KiB for all messages of a request together."""

MESSAGES = 10  # that SQS takes in one request

MOST_BYTES = 32_768
"""Of a put_item or delete_item: it rides in state, which holds 256 KiB."""


@dataclass(frozen=True)
class PutItem:
    """Put an item into each item collection; `overwrite`: even where one with that key is."""

    item: ItemTemplate
    overwrite: bool

    name = "put_item"

    @classmethod
    def parse(cls, document: object) -> Self:
        given = only(document, ("item", "overwrite"), what="put_item", example='{"item": {"sk": "#static"}}')
        return cls(_template("put_item.item", given), flag("put_item.overwrite", given.get("overwrite", False)))

    def to_json(self) -> dict[str, Any]:
        return {"item": self.item.document, "overwrite": self.overwrite}


@dataclass(frozen=True)
class DeleteItem:
    """Delete one item of each item collection; `condition`: only where it has these attribute values."""

    key: ItemTemplate
    condition: ItemTemplate | None

    name = "delete_item"

    @classmethod
    def parse(cls, document: object) -> Self:
        given = only(document, ("key", "if"), what="delete_item", example='{"key": {"sk": "#static"}}')
        condition = ItemTemplate.parse(given["if"], "delete_item.if") if "if" in given else None
        return cls(_template("delete_item.key", given), condition)

    def to_json(self) -> dict[str, Any]:
        return {"key": self.key.document, "if": self.condition and self.condition.document}


@dataclass(frozen=True)
class Undo:
    """Delete what a job has put, and nothing else. `item`: that job's template."""

    job: str
    item: ItemTemplate

    name = "undo"

    @classmethod
    def parse(cls, document: Mapping[str, Any]) -> Self:
        return cls(document["job"], ItemTemplate.parse(document["item"], "undo.item"))

    def to_json(self) -> dict[str, Any]:
        return {"job": self.job, "item": self.item.document}


@dataclass(frozen=True)
class Invoke:
    """Hand the keys to a Lambda function and wait for its answer."""

    function: str
    keys_per_call: int

    name = "invoke"

    @classmethod
    def parse(cls, document: object) -> Self:
        given = only(
            document, ("function", "keys_per_call"), what="invoke", example='{"function": "arn:aws:lambda:..."}'
        )
        keys = count("invoke.keys_per_call", given.get("keys_per_call", 100), MOST_KEYS, "a call may have")
        return cls(_arn("invoke.function", given.get("function"), FUNCTION_ARN, "a Lambda function"), keys or 100)

    def to_json(self) -> dict[str, Any]:
        return {"function": self.function, "keys_per_call": self.keys_per_call}


@dataclass(frozen=True)
class Send:
    """Send the keys to an SQS queue. A FIFO queue drops what is sent twice within five minutes."""

    queue: str
    keys_per_message: int

    name = "send"

    @classmethod
    def parse(cls, document: object) -> Self:
        given = only(document, ("queue", "keys_per_message"), what="send", example='{"queue": "arn:aws:sqs:..."}')
        keys = count("send.keys_per_message", given.get("keys_per_message", 1), MOST_KEYS, "a message may have")
        return cls(_arn("send.queue", given.get("queue"), QUEUE_ARN, "an SQS queue"), keys or 1)

    def to_json(self) -> dict[str, Any]:
        return {"queue": self.queue, "keys_per_message": self.keys_per_message}


Action = PutItem | DeleteItem | Undo | Invoke | Send
WRITING = (PutItem, DeleteItem, Undo)
_BY_NAME: dict[str, type[Action]] = {kind.name: kind for kind in (PutItem, DeleteItem, Undo, Invoke, Send)}


def to_json(action: Action) -> dict[str, Any]:
    return {action.name: action.to_json()}


def from_json(document: Mapping[str, Any]) -> Action:
    """Return the action of a document {"<name>": {...}}; raise `InputError` where it is wrong."""
    ((name, content),) = document.items()
    action = _BY_NAME[name].parse(content)
    if len(json.dumps(action.to_json(), default=repr)) > MOST_BYTES:
        raise InputError(f"{name} has more than {MOST_BYTES} characters as JSON; state could not carry it: write less")
    return action


def _template(name: str, given: Mapping[str, object]) -> ItemTemplate:
    return ItemTemplate.parse(given.get(name.partition(".")[2]), name)


def _arn(name: str, value: object, pattern: re.Pattern[str], what: str) -> str:
    if isinstance(value, str) and pattern.fullmatch(value):
        return value
    raise InputError(f"{name} is {quoted(value)}; it must be the ARN of {what}: correct it")
