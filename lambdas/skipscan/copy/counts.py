"""What a copy has done and consumed so far."""

from dataclasses import dataclass
from typing import Self

from skipscan.copy.copying import CopyOutcome
from skipscan.copy.reconciling import Side
from skipscan.items.progress import ItemCounts

COMPARED = {CopyOutcome.SAME, CopyOutcome.MISSING, CopyOutcome.SURPLUS, CopyOutcome.DIFFERENT}


@dataclass(frozen=True)
class CopyCounts(ItemCounts):
    """Every one of `items` is one of `copied`, `present`, `differing` and `refused`.

    `unset`: items that went over without the attributes that were to be set. `source_items`, `target_items`: those that
    a verification counted; `compared` of them were, and `missing`, `surplus` and `different` are what it found.
    `listed`: lines in the parts.
    """

    copied: int = 0
    present: int = 0
    differing: int = 0
    refused: int = 0
    unset: int = 0
    source_items: int = 0
    target_items: int = 0
    compared: int = 0
    missing: int = 0
    surplus: int = 0
    different: int = 0
    listed: int = 0

    @classmethod
    def of(cls, outcome: CopyOutcome, *, listed: bool) -> Self:
        """Return the tally of one item that was to be copied."""
        unset = int(listed and outcome is not CopyOutcome.REFUSED)
        return cls(items=1, unset=unset, listed=int(listed), **{outcome.value: 1})

    @classmethod
    def verifying(cls, side: Side, outcome: CopyOutcome) -> Self:
        """Return the tally of one item that a verification met in one of the tables."""
        counted = {f"{side}_items": 1, "compared": int(outcome in COMPARED)}
        if outcome in COMPARED - {CopyOutcome.SAME}:
            counted |= {outcome.value: 1, "listed": 1}
        return cls(**counted)

    @property
    def lines(self) -> int:
        return self.listed

    @property
    def moved(self) -> int:
        return self.items + self.source_items + self.target_items
