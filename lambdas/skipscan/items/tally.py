"""What a job over all items has done and consumed so far."""

from abc import abstractmethod
from dataclasses import dataclass

from skipscan.scan.figures import Figures


@dataclass(frozen=True)
class ItemTally(Figures):
    """`items`: that the job was to write, each once. `conflicts`: writes whose condition failed.

    `write_units`: as DynamoDB reported them; those of conflicts are computed, for it does not report them.
    `throttles`: requests refused for want of throughput, and made again.
    """

    items: int = 0
    requests: int = 0
    conflicts: int = 0
    throttles: int = 0
    read_units: float = 0.0
    write_units: float = 0.0

    @property
    @abstractmethod
    def lines(self) -> int:
        """How many lines the parts hold."""

    @property
    @abstractmethod
    def passed(self) -> int:
        """Items that lie behind the walks, those of a verification included."""
