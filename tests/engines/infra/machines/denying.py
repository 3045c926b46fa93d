"""What AWS denies to a worker from its first turn on, and how an execution has to end then."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from skipscan.aws.bucket import Bucket
from tests.engines.infra.machines.interpreter import Ended, Function, Interpreter
from tests.fakes.handlers.execution import BUCKET, Machine
from tests.fakes.hostile.client import Hostile
from tests.fakes.hostile.refusal import Refusal

STORAGE = {
    "no permission": ("the object is not there, or may not be listed", "writing is not allowed: allow s3:PutObject on"),
    "no bucket": ("the bucket is gone", "the bucket does not exist: correct its name, or deploy the environment again"),
    "a disabled key": ("the results' key is disabled", "(KMS.DisabledException): enable the key of the bucket"),
    "a denied key": ("the results' key may not be used", "allow kms:Decrypt and kms:GenerateDataKey on it"),
}
TABLE = {
    "no permission": (
        "the table may not be used",
        "AccessDeniedException (HTTP status 400, request HOSTILE): allow",
    ),
    "a denied key": (
        "the table's key may not be used",
        "enable its KMS key, and allow kms:Decrypt",
    ),
}
BUDGETS: dict[str, dict[str, float]] = {"without a budget": {}, "with a budget": {"max_write_units": 50}}
SHOWN = "a denied key"
"""Of each, the one that is tried with every run of the tests."""


def denials(names: Iterable[Any]) -> list[Any]:
    """Return the names of denials as parameters: all but one with the long tests. Of a tuple its last counts."""
    return [name if SHOWN in (name, name[-1]) else pytest.param(name, marks=pytest.mark.long) for name in names]


class Denying:
    """The functions of a job, to which AWS denies something from their first turn on; it counts what they write."""

    def __init__(self, machine: Machine, writes: tuple[str, ...]) -> None:
        worker: Any = machine.worker
        self.s3 = Hostile(machine.s3, "s3")
        self.dynamodb = Hostile(worker.dynamodb, "dynamodb")
        worker.function.storage = Bucket(self.s3, BUCKET)  # type: ignore[arg-type]
        worker.dynamodb = self
        self.writes, self.written = writes, 0

    def __getattr__(self, name: str) -> Any:
        self.written += name in self.writes
        return getattr(self.dynamodb, name)

    def from_now_on(self, refusal: Refusal, *operations: str) -> None:
        client = self.s3 if refusal.service == "s3" else self.dynamodb
        client.refuse(refusal, *operations)


def turned_against(turn: Function, deny: Callable[[], None]) -> Function:
    """Return a state's function whose AWS call is denied as soon as it is invoked."""

    def first(event: dict[str, Any]) -> Any:
        deny()
        return turn(event)

    return first


def check_ended(ended: Ended, machines: Interpreter, turn: str, sentence: str, *, turns: int = 1) -> None:
    """`turns`: two where a first batch may have done something before it was denied anything, which is committed."""
    assert (ended.status, ended.error) == ("FAILED", "DeniedError")
    assert ended.cause is not None
    assert sentence in ended.cause
    assert machines.waits == []  # no attempt but the first
    assert machines.calls.count(turn) <= turns
