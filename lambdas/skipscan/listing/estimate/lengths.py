"""The lengths of item collections, as far as pages show them.

A page cuts off its last collection, which therefore has *at least* the observed length. Kaplan and Meier's estimate
uses such censored lengths, and assumes no distribution.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from random import Random

from skipscan.scan.take import Taken

BLOCK = 256
ENDLESS = 1 << 40
"""Longer than any page that begins in it."""


@dataclass
class Lengths:
    """`ended`: how many collections of each length were seen whole; `cut`: how many with at least that length."""

    ended: Counter[int] = field(default_factory=Counter)
    cut: Counter[int] = field(default_factory=Counter)

    def observe(self, evaluated: int, places: Sequence[int], *, is_last: bool) -> None:
        """Learn from a page of so many items, with new keys at these places; a segment's last collection is whole."""
        if not places:
            return
        self.ended.update(after - before for before, after in pairwise(places))
        (self.ended if is_last else self.cut)[evaluated - places[-1]] += 1

    def count(self, lines: Iterable[Taken]) -> None:
        """Learn from groups whose items were counted, up to a number or to the end."""
        for counted in (line.counted for line in lines if line.counted):
            (self.cut if counted.more else self.ended)[counted.items] += 1

    def drawn(self, random: Random) -> Iterator[int]:
        """Yield random lengths, without end, from one of the distributions that fit the observations.

        A collection longer than any page is as likely to double its length as to end before, at every scale.
        """
        lengths, sums = self._distribution(random)
        longest = max([1, *self.ended, *self.cut])
        while True:
            for length in random.choices([*lengths, 0], cum_weights=[*sums, 1.0 + 1e-9], k=BLOCK):
                yield length or int(min(longest / (1 - random.random()), ENDLESS))

    def _distribution(self, random: Random) -> tuple[list[int], list[float]]:
        """Return lengths and their cumulative chances, with weights drawn by Rubin's Bayesian bootstrap."""
        ended = {length: random.gammavariate(count, 1.0) for length, count in self.ended.items()}
        cut = {length: random.gammavariate(count, 1.0) for length, count in self.cut.items()}
        at_risk = sum(ended.values()) + sum(cut.values())
        lengths, chances = [], []
        left = 1.0
        for length in sorted(ended.keys() | cut.keys()):
            at_risk -= cut.get(length, 0.0)  # the pages do not show where these would have ended
            if ending := ended.get(length):
                lengths.append(length)
                chances.append(left * min(1.0, ending / at_risk))
                left -= chances[-1]
                at_risk -= ending
        return lengths, list(accumulate(chances))
