"""How many items the next page may evaluate: the one decision of a skip scan that money hangs on.

A page is billed in steps of 4 KB (developer guide, "Read consistency and capacity"), so as many items as fit
into the first step cost what a single one does.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

STEP_BYTES = 4096


@dataclass
class LimitPolicy:
    """The Limit that is expected to fill one step of 4 KB.

    `items_per_step` starts from what DescribeTable says, which may be hours old or zero, and is corrected by what
    pages really consume. A page that filled its Limit within one step only says "at least so many": the policy
    then tries a few more.
    """

    items_per_step: float = 1.0

    @classmethod
    def expecting(cls, item_bytes: float) -> Self:
        """Return the policy for an average item size in bytes; 0 if nobody knows."""
        return cls(STEP_BYTES / item_bytes if item_bytes >= 1 else 1.0)

    def limit(self) -> int:
        return max(1, int(self.items_per_step))

    def observe(self, limit: int, evaluated: int, steps: float) -> None:
        """Learn from a page: the items it evaluated and the steps of 4 KB it was billed for."""
        if steps > 1:
            # The last step is half full on average.
            self.items_per_step += (evaluated / (steps - 0.5) - self.items_per_step) / 4
        elif evaluated >= limit:
            self.items_per_step = min(self.items_per_step * 1.125, evaluated + 1.0)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(**document)
