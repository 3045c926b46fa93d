"""What a retrofit has done and consumed so far."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from skipscan.items.progress import ItemCounts
from skipscan.retrofit.settling import RetrofitOutcome


@dataclass(frozen=True)
class RetrofitCounts(ItemCounts):
    """Each of the `items` is one of `written` to `contended`.

    `verified`: items that were read again at the end. `wrong`: those without the template's value. `indexed`: entries
    that the counted indexes must have for them.
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
        """Return the counts of one item to set."""
        return cls(items=1, **{outcome.value: 1})

    @classmethod
    def verifying(cls, outcome: RetrofitOutcome, entries: int) -> Self:
        """Return the counts of one item that was read again. An item that could not be set is counted already."""
        return cls(verified=1, wrong=int(outcome is RetrofitOutcome.WRONG), indexed=entries)

    @property
    def outcomes(self) -> Mapping[str, int]:
        set_ = self.nonzero("written", "right", "gone", "lacking", "refused", "contended")
        return set_ | ({"verified": self.verified, "wrong": self.wrong} if self.verified else {})

    @property
    def lines(self) -> int:
        """Return the lines: of items that could not be set, and of those found wrong."""
        return self.lacking + self.refused + self.contended + self.wrong

    @property
    def units_done(self) -> int:
        return self.items + self.verified
