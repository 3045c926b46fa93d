"""Hand the keys to a Lambda function and wait for its answer."""

import re
from dataclasses import dataclass
from typing import Any, Self

from skipscan.act.action import Action, Service, arn
from skipscan.inputs.field import count, only
from skipscan.listing.estimate.cost import WORKER_CALLS

MOST_KEYS = 1_000  # in one call


@dataclass(frozen=True)
class Invoke(Action):
    function: str
    keys_per_call: int

    name = "invoke"
    summary = "Hand the keys to a Lambda function."
    service = Service.LAMBDA
    permissions = ("lambda:InvokeFunction",)
    targets = re.compile(r"arn:aws[a-z-]*:lambda:[a-z0-9-]+:[0-9]{12}:function:[a-zA-Z0-9_-]{1,64}(:[a-zA-Z0-9$_-]+)?")
    requests_per_second = WORKER_CALLS
    bytes_together = 4_000_000  # Lambda takes 6 MB

    @classmethod
    def parse(cls, document: Any) -> Self:
        given = only(
            document, ("function", "keys_per_call"), what="invoke", example='{"function": "arn:aws:lambda:..."}'
        )
        keys = count("invoke.keys_per_call", given.get("keys_per_call", 100), MOST_KEYS, "a call may have")
        return cls(arn("invoke.function", given.get("function"), cls.targets, "a Lambda function"), keys or 100)

    def to_json(self) -> dict[str, Any]:
        return {"function": self.function, "keys_per_call": self.keys_per_call}

    @property
    def keys_together(self) -> int:
        return self.keys_per_call

    @property
    def is_idempotent(self) -> bool:
        return False

    @property
    def repeat_means(self) -> str:
        return "the function receives the same keys again, with the same id"

    @property
    def target(self) -> str:
        return self.function
