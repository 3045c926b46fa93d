"""What a run has found and consumed so far."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from operator import add, attrgetter
from typing import Any, Self


@dataclass(frozen=True)
class Counts:
    """Figures that add up over pages, batches and workers; every one is measured.

    `items`: evaluated, and so billed. `requests`: pages received. `read_units`: as DynamoDB reported them.
    `skips_ignored`: walks in which the engine did not honour a skip, so that they went on page by page.
    `throttles`: requests that DynamoDB refused for want of throughput, and that were made again.
    """

    keys: int = 0
    items: int = 0
    requests: int = 0
    read_units: float = 0.0
    skips_ignored: int = 0
    throttles: int = 0

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(add, _figures(self), _figures(other)))

    @classmethod
    def total(cls, parts: Iterable[Self]) -> Self:
        return sum(parts, cls())

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(**{f.name: document[f.name] for f in fields(cls)})


_figures = attrgetter(*(f.name for f in fields(Counts)))
