"""What a job has done and consumed so far."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self


@dataclass(frozen=True)
class ActCounts:
    """Figures that add up over requests, batches and workers.

    `keys`: settled, each once, and so the sum of those up to `failed`. `put`, `deleted`, `sent` (to a function or a
    queue): done. `present`: an item is there that is not to be touched. `absent`: there is nothing to delete.
    `failed`: listed with the reason. `requests`: answered, retries included. `write_units`: as DynamoDB reported them;
    those of refused conditions are computed, for it does not report them. `throttles`: requests refused for want of
    throughput, and made again.
    """

    keys: int = 0
    put: int = 0
    present: int = 0
    deleted: int = 0
    absent: int = 0
    sent: int = 0
    failed: int = 0
    requests: int = 0
    write_units: float = 0.0
    throttles: int = 0

    def __add__(self, other: Self) -> Self:
        return type(self)(*(getattr(self, name) + getattr(other, name) for name in _NAMES))

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(**{name: document[name] for name in _NAMES})


_NAMES = tuple(field.name for field in fields(ActCounts))
