"""What a worker hands from batch to batch besides its place: what it owes, and what others may have consumed for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True)
class Spending:
    """`paid_off`: when the rate allows the next page, in seconds since 1970, for no other clock outlives a Lambda.

    `unseen`: units that requests took at most whose answers were lost. `allotted`: what all committed batches had
    declared. `lost`: what attempts that did not commit had declared.
    """

    paid_off: float = 0.0
    unseen: float = 0.0
    allotted: float = 0.0
    lost: float = 0.0

    @property
    def uncounted(self) -> float:
        """Units that count against a budget and are in no counts."""
        return self.unseen + self.lost

    def to_json(self) -> dict[str, Any]:
        return dict(vars(self))

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(**document)
