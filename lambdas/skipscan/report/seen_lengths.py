"""How long item collections are, as far as pages showed it: Kaplan and Meier's estimate over doubling lengths."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from skipscan.report.record import BatchRecord

FEW = 50
"""So many collections must have got to a length for their end to say anything of those that did."""

NEARLY_NONE = 0.0005


@dataclass(frozen=True)
class Bar:
    """The share of item collections that have `shortest` to `longest` items; `None`: or more."""

    shortest: int
    longest: int | None
    share: float

    @property
    def label(self) -> str:
        if self.longest is None:
            return f"{self.shortest:,} or more"
        return f"{self.shortest:,}" if self.shortest == self.longest else f"{self.shortest:,} to {self.longest:,}"


@dataclass(frozen=True)
class SeenLengths:
    """`whole`: collections seen from their first item to their last. `cut`: by the end of a page."""

    whole: int
    cut: int
    bars: tuple[Bar, ...]

    @property
    def median(self) -> str | None:
        """The lengths in which the median lies; `None` if no page told so much."""
        below = 0.0
        for bar in self.bars:
            below += bar.share
            if below >= 0.5:
                return None if bar.longest is None else bar.label
        return None


def seen_lengths(batches: Iterable[BatchRecord]) -> SeenLengths:
    """Return what all batches saw.

    A collection that a page's end cut off lasted at least so long: it counts among those that may end at smaller
    lengths, and not at its own. What outlasted nearly every page is told as one share.
    """
    ended, cut = Counter[int](), Counter[int]()
    for batch in batches:
        ended.update(batch.ended)
        cut.update(batch.cut)
    whole, cut_off = ended.total(), cut.total()
    at_risk, left = whole + cut_off, 1.0
    least = min(FEW, at_risk / 10)
    known, shares = 0, dict[int, float]()
    for length in sorted(ended.keys() | cut.keys()):
        if at_risk < least:
            break
        known = length
        exposed = at_risk - cut[length]
        share = left * ended[length] / exposed if exposed else 0.0
        if share:
            octave = 1 << length.bit_length() - 1
            shares[octave] = shares.get(octave, 0.0) + share
        left -= share
        at_risk -= ended[length] + cut[length]
    outlasted = left > NEARLY_NONE
    octaves = [1 << power for power in range(known.bit_length())]
    if outlasted and octaves and known < 2 * octaves[-1] - 1:
        left += shares.get(octaves.pop(), 0.0)  # of which only the beginning was seen
    bars = [Bar(octave, 2 * octave - 1, shares.get(octave, 0.0)) for octave in octaves]
    if outlasted and known:
        bars.append(Bar(2 * octaves[-1] if octaves else 1, None, left))
    return SeenLengths(whole, cut_off, tuple(bars))
