"""Policies of tables whose steps and keys the test states, so that each rule gives figures to work out by hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from skipscan.scan.limit.item_size import ItemSize
from skipscan.scan.limit.key_rate import BucketedKeyRate
from skipscan.scan.limit.policy import LimitPolicy

SPENT = 1e9
"""A budget for trying Limits of which nothing is left."""


@dataclass
class Sizes(ItemSize):
    """`of`: the steps of a page with so many items. `used`: pages of each Limit so far. `fits`: times it learned."""

    of: Callable[[int], float] = lambda limit: 1.0
    used: dict[int, float] = field(default_factory=dict)
    fits: int = 0
    is_forgotten: bool = False

    def steps(self, limit: int) -> float:
        return self.of(limit)

    def tried(self, limit: int) -> float:
        return self.used.get(limit, 0.0)

    def fit(self) -> None:
        self.fits += 1

    def forget(self) -> None:
        super().forget()
        self.is_forgotten = True


@dataclass
class Keys(BucketedKeyRate):
    """`of`: the new keys of a page with so many items."""

    of: Callable[[int], float] = lambda limit: 1.0

    def expected(self, limits: Sequence[int]) -> list[float]:
        return [self.of(limit) for limit in limits]


def policy(
    steps: Callable[[int], float] = lambda limit: 1.0,
    keys: Callable[[int], float] = lambda limit: 1.0,
    farthest: int = 40,
    sizes: dict[str, Any] | None = None,
    **state: Any,
) -> LimitPolicy:
    """Return the policy of a worker that has read pages of up to `farthest` items."""
    known = {"pages": 1, "request_units": 0.08, **state}
    return LimitPolicy(size=Sizes(of=steps, **(sizes or {})), rate=Keys(farthest=farthest, of=keys), **known)


def best(*tables: Any, **state: Any) -> int:
    """Return the Limit of a page for which no other Limit may be tried."""
    return policy(*tables, risked=SPENT, longer_risked=SPENT, **state).limit()


def longer(limit: int) -> float:
    return float(limit)
