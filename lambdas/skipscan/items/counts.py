"""What a job over all items has done and consumed so far."""

from dataclasses import dataclass

from skipscan.pace.counts import Counts


@dataclass(frozen=True)
class ItemCounts(Counts):
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
