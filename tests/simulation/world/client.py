"""The clients of the functions: each call happens when and as a world wants it."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from tests.fakes.s3 import paginator
from tests.simulation.world.fault import Call, Kind

KINDS = {
    "Scan": Kind.SCAN,
    "Query": Kind.SCAN,
    "GetItem": Kind.ITEM,
    "PutItem": Kind.WRITE,
    "UpdateItem": Kind.WRITE,
    "DeleteItem": Kind.WRITE,
    "SendMessageBatch": Kind.SEND,
    "Invoke": Kind.SEND,
    "HeadObject": Kind.READ,
    "GetObject": Kind.READ,
    "ListObjectsV2": Kind.READ,
}
"""By operation; any other describes something."""


class Callee(Protocol):
    def call(self, call: Call) -> Any: ...


class Client:
    """A client of boto3. `service`: returns what answers a call at the moment at which the call is made."""

    def __init__(self, world: Callee, service: Callable[[], Any]) -> None:
        self._world, self._service = world, service

    def __getattr__(self, name: str) -> Any:
        if name == "get_paginator":
            return lambda operation: paginator(self.list_objects_v2, operation)
        if name in {"exceptions", "meta"}:
            return getattr(self._service(), name)
        if name == "unread":  # of the lean client alone
            raise AttributeError(name)
        operation = name.title().replace("_", "")

        def call(**asked: Any) -> Any:
            kind = put_kind(asked["Key"]) if operation == "PutObject" else KINDS.get(operation, Kind.DESCRIBE)
            return self._world.call(Call(operation, kind, asked, lambda: getattr(self._service(), name)(**asked)))

        setattr(self, name, call)
        return call


def put_kind(name: str) -> Kind:
    """Return the kind of a put by the object's name."""
    parts = {"/keys/": Kind.PART, "/failed/": Kind.PART, "/checkpoints/": Kind.CHECKPOINT}
    return next((kind for folder, kind in parts.items() if folder in name), Kind.DOCUMENT)


def written_key(asked: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the key of the item that a call writes, perhaps with the rest of the item."""
    found: Mapping[str, Any] = asked.get("Key") or asked["Item"]
    return found
