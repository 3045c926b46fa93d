"""How long item collections are, as far as pages showed it.

A page cuts off its last collection: that one lasted *at least* so long. Kaplan and Meier's estimate takes such lengths
for what they are, and makes no assumption about their distribution.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from random import Random

BLOCK = 256
ENDLESS = 1 << 40
"""Swallows whatever page it begins in."""


@dataclass
class Lengths:
    """`ended`: how often a collection of so many items was seen whole; `cut`: how often one of at least so many."""

    ended: Counter[int] = field(default_factory=Counter)
    cut: Counter[int] = field(default_factory=Counter)

    def observe(self, evaluated: int, places: Sequence[int], *, is_last: bool) -> None:
        """Learn from a page of so many items, in which new keys stood at these places; a segment's last is uncut."""
        if not places:
            return
        self.ended.update(after - before for before, after in pairwise(places))
        (self.ended if is_last else self.cut)[evaluated - places[-1]] += 1

    def drawn(self, random: Random) -> Iterator[int]:
        """Return lengths drawn at random, without end, from one of the distributions that these may have come from.

        Longer collections than any page told are as likely to go on for as long again as to end before, whatever the
        scale.
        """
        lengths, sums = self._distribution(random)
        longest = max([1, *self.ended, *self.cut])
        while True:
            for length in random.choices([*lengths, 0], cum_weights=[*sums, 1.0 + 1e-9], k=BLOCK):
                yield length or int(min(longest / (1 - random.random()), ENDLESS))

    def _distribution(self, random: Random) -> tuple[list[int], list[float]]:
        """Return lengths and the chances of at most these, with weights as Rubin's Bayesian bootstrap draws them."""
        ended = {length: random.gammavariate(count, 1.0) for length, count in self.ended.items()}
        cut = {length: random.gammavariate(count, 1.0) for length, count in self.cut.items()}
        at_risk = sum(ended.values()) + sum(cut.values())
        lengths, chances = [], []
        left = 1.0
        for length in sorted(ended.keys() | cut.keys()):
            at_risk -= cut.get(length, 0.0)  # whether these would have ended just there, their pages do not tell
            if ending := ended.get(length):
                lengths.append(length)
                chances.append(left * min(1.0, ending / at_risk))
                left -= chances[-1]
                at_risk -= ending
        return lengths, list(accumulate(chances))
