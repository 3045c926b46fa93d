"""How far one worker of a copy has come."""

from dataclasses import dataclass
from typing import Self

from skipscan.copy.tally import CopyTally
from skipscan.items.progress import ItemProgress


@dataclass(frozen=True)
class CopyProgress(ItemProgress[CopyTally]):
    """A worker's place between two batches of a copy."""

    @classmethod
    def start(cls, worker: int) -> Self:
        return cls(worker, CopyTally())
