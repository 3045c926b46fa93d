"""How far one worker of a retrofit has come."""

from dataclasses import dataclass
from typing import Self

from skipscan.items.progress import ItemProgress
from skipscan.retrofit.tally import Tally


@dataclass(frozen=True)
class RetrofitProgress(ItemProgress[Tally]):
    """A worker's place between two batches of a retrofit."""

    @classmethod
    def start(cls, worker: int) -> Self:
        return cls(worker, Tally())
