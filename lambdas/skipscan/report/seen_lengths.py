"""How long item collections are, as far as pages showed it: Kaplan and Meier's estimate over doubling lengths."""

from collections.abc import Iterable
from dataclasses import dataclass

from skipscan.key_rate import EDGES
from skipscan.report.record import BatchRecord

FEW = 50
"""So many collections must have got to a length for their end to say anything of those that did."""


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
    def at_most_half(self) -> str | None:
        """The bar in which the median lies; `None` if no page told so much."""
        below = 0.0
        for bar in self.bars:
            below += bar.share
            if below >= 0.5:
                return None if bar.longest is None else bar.label
        return None


def seen_lengths(batches: Iterable[BatchRecord]) -> SeenLengths:
    """Return what all batches saw.

    A collection that a page's end cut off lasted at least so long; in its own stretch it counts half. The share that
    outlasted every page is told as such.
    """
    ended, cut = [0.0] * len(EDGES), [0.0] * len(EDGES)
    for batch in batches:
        for sums, figures in ((ended, batch.ended), (cut, batch.cut)):
            for stretch, count in enumerate(figures):
                sums[stretch] += count
    whole, cut_off = sum(ended), sum(cut)
    at_risk, left = whole + cut_off, 1.0
    least = min(FEW, at_risk / 10)
    shares: dict[tuple[int, int], float] = {}
    known = max((stretch for stretch, count in enumerate(ended) if count), default=0)
    for stretch in range(1, known + 1):
        if at_risk < least:
            break
        # Lengths up to 3 have stretches of their own: whether one cut there ended there, its page does not tell.
        exposed = at_risk - (cut[stretch] if EDGES[stretch] <= 3 else cut[stretch] / 2)
        share = left * min(1.0, ended[stretch] / exposed) if exposed > 0 else 0.0
        octave = EDGES[stretch].bit_length() - 1
        span = (1 << octave, (2 << octave) - 1)
        shares[span] = shares.get(span, 0.0) + share
        left -= share
        at_risk -= ended[stretch] + cut[stretch]
    bars = [Bar(shortest, longest, share) for (shortest, longest), share in shares.items()]
    if left > 0.0005 and whole + cut_off:
        beyond = bars[-1].longest + 1 if bars and bars[-1].longest else 2
        bars.append(Bar(beyond, None, left))
    return SeenLengths(int(whole), int(cut_off), tuple(bars))
