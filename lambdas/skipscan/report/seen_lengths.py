"""How long item collections are, by what pages showed: the Kaplan-Meier estimate over doubling lengths."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

FEW = 50
"""A length is shown only if at least this many collections reached it without being cut off there."""

NEARLY_NONE = 0.0005

PARTS = {10: "tenth", 100: "hundredth", 1000: "thousandth"}
"""The largest collections, as parts of all."""


@dataclass(frozen=True)
class LengthBar:
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
    """`whole`: collections seen from their first item to their last. `cut`: by the end of a page or of a count.

    `largest`: the share of all items seen that the largest tenth, hundredth and thousandth of these collections hold.
    """

    whole: int
    cut: int
    bars: tuple[LengthBar, ...]
    largest: tuple[float, ...] = ()

    @property
    def median(self) -> str | None:
        """The range of lengths that holds the median; `None` if no page showed it."""
        below = 0.0
        for bar in self.bars:
            below += bar.share
            if below >= 0.5:
                return None if bar.longest is None else bar.label
        return None


def seen_lengths(ended: Mapping[int, int], cut: Mapping[int, int], *, is_counted: bool = False) -> SeenLengths:
    """Return the shares of item collections by length. `ended`, `cut`: collections by length, as in `BatchRecord`.

    A collection that a page's end cut off had at least so many items: it counts among those that may end at smaller
    lengths, and not at its own. What outlasted nearly every page is one open share.
    """
    whole, cut_off = sum(ended.values()), sum(cut.values())
    at_risk, left = whole + cut_off, 1.0
    least = 1 if is_counted else min(FEW, at_risk / 10)
    known, shares = 0, dict[int, float]()
    for length in sorted(ended.keys() | cut.keys()):
        exposed = at_risk - cut.get(length, 0)
        if exposed < least:
            break
        known = length
        share = left * ended.get(length, 0) / exposed
        if share:
            octave = 1 << length.bit_length() - 1
            shares[octave] = shares.get(octave, 0.0) + share
        left -= share
        at_risk -= ended.get(length, 0) + cut.get(length, 0)
    if is_counted and cut:
        known = max(known, min(cut) - 1)  # longer ones were counted no further
    outlasted = left > NEARLY_NONE
    octaves = [1 << power for power in range(known.bit_length())]
    if outlasted and octaves and known < 2 * octaves[-1] - 1:
        left += shares.get(octaves.pop(), 0.0)  # of which only the beginning was seen
    bars = [LengthBar(octave, 2 * octave - 1, shares.get(octave, 0.0)) for octave in octaves]
    if outlasted and known:
        bars.append(LengthBar(2 * octaves[-1] if octaves else 1, None, left))
    return SeenLengths(whole, cut_off, tuple(bars), tuple(_held_by(Counter(ended) + Counter(cut))))


def _held_by(lengths: Counter[int]) -> Iterator[float]:
    """Yield the shares of all items that the largest collections hold; those of fewer than one are left out."""
    count, items = lengths.total(), sum(length * times for length, times in lengths.items())
    for part in PARTS:
        left = count // part
        if not left:
            return
        held = 0
        for length in sorted(lengths, reverse=True):
            held += length * min(left, lengths[length])
            left -= min(left, lengths[length])
        yield held / items
