"""Why the last attempt at a batch committed nothing. Step Functions shows that on the worker's own page alone."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Failure:
    """`batch`: the number of the batch. `at`: ISO 8601. `error`: the class's name. `cause`: never with a key value."""

    worker: int
    batch: int
    at: str
    error: str
    cause: str

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Failure":
        return cls(**{name: document[name] for name in cls.__dataclass_fields__})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        return f"worker {self.worker}: {self.error}: {self.cause}"
