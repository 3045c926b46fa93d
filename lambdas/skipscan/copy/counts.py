"""What a copy has done and consumed so far."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from skipscan.copy.copying import CopyOutcome
from skipscan.copy.reconciling import Side
from skipscan.items.progress import ItemCounts

COMPARED = {CopyOutcome.SAME, CopyOutcome.MISSING, CopyOutcome.SURPLUS, CopyOutcome.DIFFERENT}


@dataclass(frozen=True)
class CopyCounts(ItemCounts):
    """Each of the `items` is one of `copied`, `present`, `differing` and `refused`.

    `unset`: items copied without the attributes that were to be set. `source_items`, `target_items`: counted by a
    verification; it compared `compared` of them and found `missing`, `surplus` and `different` ones. `listed`: lines in
    the parts.
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
        """Return the counts of one item to copy."""
        unset = int(listed and outcome is not CopyOutcome.REFUSED)
        return cls(items=1, unset=unset, listed=int(listed), **{outcome.value: 1})

    @classmethod
    def verifying(cls, side: Side, outcome: CopyOutcome) -> Self:
        """Return the counts of one item that a verification read in one of the tables."""
        counted = {f"{side}_items": 1, "compared": int(outcome in COMPARED)}
        if outcome in COMPARED - {CopyOutcome.SAME}:
            counted |= {outcome.value: 1, "listed": 1}
        return cls(**counted)

    @property
    def outcomes(self) -> Mapping[str, int]:
        copied = self.nonzero("copied", "present", "differing", "refused", "unset")
        found = {"compared": self.compared, "missing": self.missing}
        found |= {"surplus": self.surplus, "different": self.different}
        return copied | (found if self.compared else {})

    @property
    def lines(self) -> int:
        return self.listed

    @property
    def units_done(self) -> int:
        return self.items + self.source_items + self.target_items
