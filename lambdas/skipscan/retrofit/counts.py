"""What a retrofit has done and consumed so far."""

from dataclasses import dataclass
from typing import Self

from skipscan.items.progress import ItemCounts
from skipscan.retrofit.settling import RetrofitOutcome


@dataclass(frozen=True)
class RetrofitCounts(ItemCounts):
    """Every one of `items` is one of `written` to `contended`.

    `verified`: items looked at once more at the end; `wrong`: those that had not what the template makes. `indexed`:
    the entries that the counted indexes must have because of them.
    """

    written: int = 0
    right: int = 0
    gone: int = 0
    lacking: int = 0
    refused: int = 0
    contended: int = 0
    verified: int = 0
    wrong: int = 0
    indexed: int = 0

    @classmethod
    def of(cls, outcome: RetrofitOutcome) -> Self:
        """Return the tally of one item that was to be settled."""
        return cls(items=1, **{outcome.value: 1})

    @classmethod
    def verifying(cls, outcome: RetrofitOutcome, entries: int) -> Self:
        """Return the tally of one item that was looked at again; why one could not be set is counted already."""
        return cls(verified=1, wrong=int(outcome is RetrofitOutcome.WRONG), indexed=entries)

    @property
    def lines(self) -> int:
        """Of items that could not be set, and of those found wrong afterwards."""
        return self.lacking + self.refused + self.contended + self.wrong

    @property
    def moved(self) -> int:
        return self.items + self.verified
